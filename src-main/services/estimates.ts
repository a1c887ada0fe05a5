/** What a configuration will cost here: examples counted, model sizes read, speed taken from earlier runs. */
import { resolveAgents, type RunConfig } from '../contract/config.ts';
import { GroveError } from '../contract/errors.ts';
import type { Estimate } from '../contract/requests.ts';
import { parameterLayout, readFolderConfig, resolveModel } from '../policy/index.ts';
import { withAbsolutePaths } from '../runs/config-paths.ts';
import { estimateRun } from '../runs/estimate.ts';
import { openTask } from '../tasks/index.ts';
import type { Store } from '../store/index.ts';

const speedKey = 'speed/generate_tokens_per_second';

export class Estimates {
	readonly #store: Store;

	constructor(store: Store) {
		this.#store = store;
	}

	/** Null where the task or its data cannot be read; the start says why. */
	async of(given: RunConfig, baseFolder: string): Promise<Estimate | null> {
		const config = withAbsolutePaths(given, baseFolder);
		try {
			const trainItems = await countExamples(config);
			const parameters = await Promise.all(
				resolveAgents(config).map(({ model }) => parametersOf(model)),
			);
			const speed = speedOf(this.#store, config.model);
			return estimateRun(config, {
				trainItems,
				parameters,
				...(speed === null ? {} : { tokensPerSecond: speed }),
			});
		} catch (error) {
			if (error instanceof GroveError) return null;
			throw error;
		}
	}
}

const counted = new Map<string, number>();

/** Opening a task starts a process; the count is kept for as long as nothing about the data changes in the form. */
async function countExamples(config: RunConfig): Promise<number> {
	const {
		task,
		task_options,
		prompts,
		train_data,
		train_slice,
		eval_data,
		eval_slice,
		columns,
		num_agents,
		num_turns,
		seed,
	} = config;
	const key = JSON.stringify({
		task,
		task_options,
		prompts,
		train_data,
		train_slice,
		columns,
		num_agents,
	});
	const known = counted.get(key);
	if (known !== undefined) return known;
	const opened = await openTask({
		task,
		options: task_options,
		prompts,
		train_data,
		train_slice,
		eval_data,
		eval_slice,
		columns,
		numAgents: num_agents,
		numTurns: num_turns,
		seed,
		timeLimitMs: 10_000,
		memoryLimitMb: config.task_memory_limit,
	});
	const count = opened.train.length;
	await opened.dispose();
	if (counted.size > 50) counted.clear();
	counted.set(key, count);
	return count;
}

/** Null for a model that is not on this machine. */
async function parametersOf(model: string): Promise<number | null> {
	try {
		const folder = await resolveModel(model, {
			download: (id) => {
				throw new GroveError('not-found', { what: 'the model is not on this machine', given: id });
			},
		});
		return parameterLayout((await readFolderConfig(folder)).config).total;
	} catch (error) {
		if (error instanceof GroveError) return null;
		throw error;
	}
}

/** Mean generation speed of the latest run with this model. */
function speedOf(store: Store, model: string): { value: number; basis: string } | null {
	const { runs } = store.listRuns({ include: 'all', keys: [speedKey] });
	const latest = runs
		.filter((run) => run.model === model && run.summaries[speedKey]?.mean != null)
		.toSorted((a, b) => b.createdAtMs - a.createdAtMs)[0];
	const value = latest?.summaries[speedKey]?.mean;
	if (latest === undefined || value == null || value <= 0) return null;
	return {
		value,
		basis: `generation speed of the run ${latest.name === '' ? latest.id : latest.name}`,
	};
}
