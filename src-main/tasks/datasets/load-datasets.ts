/** The training and evaluation examples of a run: from its configuration, else from its task. */
import { isAbsolute, resolve } from 'node:path';
import { GroveError } from '../../contract/errors.ts';
import type { DataSpec } from '../host/protocol.ts';
import type { TaskItem } from '../task.ts';
import { makeItems } from './make-items.ts';
import type { RawRow } from './raw-row.ts';
import { readDataFile } from './read-data-file.ts';
import { sliceBounds } from './slice.ts';

/** The parts of the run's configuration that name data. */
export interface DataConfig {
	prompts: readonly string[] | null;
	train_data: string | null;
	train_slice: string | null;
	eval_data: string | null;
	eval_slice: string | null;
	columns: Readonly<Record<string, string>>;
}

export interface DataSources {
	config: DataConfig;
	/** Relative paths of the configuration start here. */
	baseFolder: string;
	taskName: string;
	own: { train: DataSpec | null; eval: DataSpec | null };
	requires: readonly string[];
	/** Prompts where there are no others. */
	fallback: readonly string[] | null;
}

/** Throws GroveError 'bad-input' for anything that is wrong with files, rows or slices, and for no rows. */
export async function loadDatasets(
	sources: DataSources,
): Promise<{ train: TaskItem[]; eval: TaskItem[] }> {
	const { config, own, baseFolder, taskName, requires } = sources;
	const rules = (where: string) => ({ where, requires, columns: config.columns });
	const fromFile = async (path: string): Promise<{ where: string; rows: RawRow[] }> => {
		const absolute = isAbsolute(path) ? path : resolve(baseFolder, path);
		return { where: absolute, rows: await readDataFile(absolute) };
	};
	const fromSpec = async (spec: DataSpec, name: string) =>
		spec.kind === 'path'
			? fromFile(spec.path)
			: { where: `task ${taskName}: ${name}`, rows: numbered(spec.rows) };

	const training =
		config.prompts !== null
			? { where: 'prompts', rows: numbered(config.prompts) }
			: config.train_data !== null
				? await fromFile(config.train_data)
				: own.train !== null
					? await fromSpec(own.train, 'dataset')
					: sources.fallback !== null
						? { where: 'prompts', rows: numbered(sources.fallback) }
						: null;
	if (training === null) {
		throw new GroveError('bad-input', {
			where: `task ${taskName}`,
			what: 'there is no data to train on',
			expected: 'a dataset in the task, prompts, or train_data',
		});
	}
	const trainItems = makeItems(training.rows, rules(training.where));
	const train = cut(trainItems, config.train_slice, 'train_slice', training.where);

	if (config.eval_data !== null) {
		const { where, rows } = await fromFile(config.eval_data);
		return {
			train,
			eval: cut(makeItems(rows, rules(where)), config.eval_slice, 'eval_slice', where),
		};
	}
	const usesOwn = config.prompts === null && config.train_data === null;
	if (usesOwn && own.eval !== null) {
		const { where, rows } = await fromSpec(own.eval, 'dataset.eval');
		return {
			train,
			eval: cut(makeItems(rows, rules(where)), config.eval_slice, 'eval_slice', where),
		};
	}
	if (config.eval_slice === null) return { train, eval: [] };
	return { train, eval: cut(trainItems, config.eval_slice, 'eval_slice', training.where) };
}

function numbered(rows: readonly unknown[]): RawRow[] {
	return rows.map((value, index) => ({ place: `row ${index + 1}`, value }));
}

function cut(items: TaskItem[], slice: string | null, key: string, where: string): TaskItem[] {
	if (items.length === 0) {
		throw new GroveError('bad-input', {
			where,
			what: 'there are no rows',
			expected: 'at least one',
		});
	}
	if (slice === null) return items;
	const [start, end] = sliceBounds(slice, items.length, key);
	if (end > start) return items.slice(start, end);
	throw new GroveError('bad-input', {
		where: key,
		what: `the slice ${slice} leaves none of the ${items.length} rows of ${where}`,
		expected: 'at least one',
	});
}
