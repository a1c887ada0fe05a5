/** What a query may ask of a run, under which names. */
import { nearestName } from '../../../src-main/contract/nearest-name.ts';
import type { RunRow } from '../../../src-main/contract/requests.ts';
import { flattenConfig } from '../config-paths.ts';
import { fieldsOf, type Query } from './parse.ts';
import { QueryError } from './tokens.ts';

export const summaryParts = ['last', 'min', 'max', 'mean'] as const;
type SummaryPart = (typeof summaryParts)[number];

const facts: Readonly<Record<string, (run: RunRow) => unknown>> = {
	id: (run) => run.id,
	name: (run) => run.name,
	project: (run) => run.project,
	status: (run) => run.status,
	task: (run) => run.taskName,
	model: (run) => run.model,
	device: (run) => run.device,
	tags: (run) => run.tags,
	notes: (run) => (run.notes === '' ? null : run.notes),
	step: (run) => run.step,
	env_step: (run) => run.envStep,
	created: (run) => new Date(run.createdAtMs).toISOString(),
	minutes: (run) =>
		run.startedAtMs === null || run.endedAtMs === null
			? null
			: (run.endedAtMs - run.startedAtMs) / 60_000,
	parent: (run) => run.parentRunId,
};

/** Short names of long keys. */
const aliases: Readonly<Record<string, string>> = {
	lr: 'agent_learning_rate',
	generations: 'num_generations',
	turns: 'num_turns',
};

export interface RunFields {
	/** All names, facts first. */
	names: readonly string[];
	metricKeys: ReadonlySet<string>;
}

/** The names that these runs have: facts, configuration keys by their label, metrics with the part of their summary. */
export function runFields(runs: readonly RunRow[], metricKeys: readonly string[]): RunFields {
	const labels = new Set(
		runs.flatMap((run) => flattenConfig(run.config).map(({ label }) => label)),
	);
	for (const name of Object.keys(facts)) labels.delete(name);
	return {
		names: [
			...Object.keys(facts),
			...labels,
			...metricKeys.flatMap((key) => summaryParts.map((part) => `${key}.${part}`)),
		],
		metricKeys: new Set(metricKeys),
	};
}

/** A metric and the part of its summary; the last value where none is named. Null for another field. */
export function metricField(
	field: string,
	metricKeys: ReadonlySet<string>,
): { key: string; part: SummaryPart } | null {
	if (metricKeys.has(field)) return { key: field, part: 'last' };
	const at = field.lastIndexOf('.');
	const part = summaryParts.find((name) => name === field.slice(at + 1));
	const key = field.slice(0, at);
	return part !== undefined && metricKeys.has(key) ? { key, part } : null;
}

/** Metrics whose summaries a query needs. */
export function metricsOfQuery(query: Query, fields: RunFields): string[] {
	return fieldsOf(query).flatMap(({ field }) => {
		const metric = metricField(field, fields.metricKeys);
		return metric === null ? [] : [metric.key];
	});
}

/** Throws QueryError with the nearest name for a field that no run has. */
export function checkFields(query: Query, fields: RunFields): void {
	const names = new Set(fields.names);
	for (const { field, start, end } of fieldsOf(query)) {
		if (names.has(field) || Object.hasOwn(aliases, field)) continue;
		if (metricField(field, fields.metricKeys) !== null) continue;
		const near = nearestName(field, fields.names);
		throw new QueryError(
			`no run has ${field}${near === undefined ? '' : `; perhaps ${near}`}`,
			start,
			end,
		);
	}
}

/** What a run has under a name; null where it has no value. */
export function readRunField(run: RunRow, name: string, metricKeys: ReadonlySet<string>): unknown {
	const field = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
	if (Object.hasOwn(facts, field)) return facts[field]?.(run) ?? null;
	const metric = metricField(field, metricKeys);
	if (metric !== null) return run.summaries[metric.key]?.[metric.part] ?? null;
	return flattenConfig(run.config).find(({ label }) => label === field)?.value ?? null;
}

/** Texts in which a word that stands alone is looked for. */
export function wordsOfRun(run: RunRow, shownName: string): string[] {
	return [run.id, shownName, run.status, run.model, run.taskName, run.notes, ...run.tags];
}
