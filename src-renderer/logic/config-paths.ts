/** A configuration as flat rows. A path is a list of keys, so that `a.b` and `a: {b}` stay two different things. */
export interface ConfigEntry {
	/** JSON of the path: an identity that no key can forge. */
	id: string;
	/** For reading: keys joined by dots, odd ones in brackets. */
	label: string;
	value: unknown;
}

function labelOf(path: readonly string[]): string {
	return path
		.map((key, index) =>
			/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key)
				? index === 0
					? key
					: `.${key}`
				: `[${JSON.stringify(key)}]`,
		)
		.join('');
}

export function flattenConfig(config: unknown, path: readonly string[] = []): ConfigEntry[] {
	const isMap = typeof config === 'object' && config !== null && !Array.isArray(config);
	const entries = isMap ? Object.entries(config) : [];
	if (!isMap || entries.length === 0) {
		return path.length === 0
			? []
			: [{ id: JSON.stringify(path), label: labelOf(path), value: config }];
	}
	return entries.flatMap(([key, value]) => flattenConfig(value, [...path, key]));
}

export function showConfigValue(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

export interface ConfigDiffRow {
	id: string;
	label: string;
	/** One per configuration; undefined where the key is absent. */
	values: unknown[];
	differs: boolean;
}

export function diffConfigs(configs: readonly unknown[]): ConfigDiffRow[] {
	const rows = new Map<string, ConfigDiffRow>();
	for (const [index, config] of configs.entries()) {
		for (const { id, label, value } of flattenConfig(config)) {
			const row = rows.get(id) ?? {
				id,
				label,
				values: configs.map(() => undefined),
				differs: false,
			};
			row.values[index] = value;
			rows.set(id, row);
		}
	}
	for (const row of rows.values()) {
		const [first, ...others] = row.values.map((value) => JSON.stringify(value));
		row.differs = others.some((other) => other !== first);
	}
	return [...rows.values()];
}
