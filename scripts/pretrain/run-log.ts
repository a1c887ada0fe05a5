/** Pretraining as a run of Grove: its loss curve is looked at like any other. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MetricValue } from '../../src-main/contract/events.ts';
import { groveVersion } from '../../src-main/runs/version.ts';
import { identify, openStore, type Store } from '../../src-main/store/index.ts';
import type { ModelRecipe } from './model-shapes.ts';
import { trainSeed, type PretrainStep } from './train.ts';

export interface RunLog {
	/** Where it is stored. */
	readonly path: string;
	readonly runId: string;
	record(step: PretrainStep): void;
	finish(step: number): void;
	close(): void;
}

/** Id of the run that an interrupted pretraining in `work` was logged as, where the database still has it. */
function earlierRun(store: Store, work: string): string | null {
	const file = join(work, 'run-id');
	if (!existsSync(file)) return null;
	const id = readFileSync(file, 'utf8');
	return store.listRuns({ include: 'all', keys: [], ids: [id] }).runs.length > 0 ? id : null;
}

/** Begins a run, or goes on with the one of an interrupted pretraining, from `firstStep` (0 for a new one). */
export async function openRunLog(
	recipe: ModelRecipe,
	work: string,
	firstStep: number,
	database: string | undefined,
): Promise<RunLog> {
	const store = await openStore(database === undefined ? {} : { path: database });
	const config = { ...recipe, seed: trainSeed };
	const runId =
		(firstStep > 0 ? earlierRun(store, work) : null) ??
		store.createRun({
			project: 'pretraining',
			name: `pretraining ${recipe.name}`,
			config,
			configText: JSON.stringify(config, null, '\t'),
			task: { name: 'pretraining', path: null, text: null, hash: null },
			model: recipe.name,
			agents: [{ name: recipe.name, model: recipe.name }],
			device: 'cpu',
			seed: trainSeed,
			groveVersion,
			totalSteps: recipe.steps,
			process: identify(process.pid),
		});
	mkdirSync(work, { recursive: true });
	writeFileSync(join(work, 'run-id'), runId);
	const recorder = store.recorder(runId);
	recorder.record({
		kind: 'started',
		totalSteps: recipe.steps,
		device: 'cpu',
		deviceDetail: 'ONNX Runtime, fp32',
		resumedFromStep: firstStep,
	});
	return {
		path: store.path,
		runId,
		record: ({ step, loss, learningRate, tokensPerSecond, evalLoss }) => {
			const metrics: MetricValue[] = [
				{ key: 'pretrain/loss', value: loss },
				{ key: 'pretrain/learning_rate', value: learningRate },
				{ key: 'pretrain/tokens_per_second', value: tokensPerSecond },
			];
			if (evalLoss !== null) metrics.push({ key: 'pretrain/eval_loss', value: evalLoss });
			recorder.record({
				kind: 'step',
				record: {
					step,
					// Every example is seen once.
					epoch: 0,
					epochProgress: step / recipe.steps,
					envStep: step * recipe.batch,
					wallTimeMs: Date.now(),
					trees: [],
					metrics,
				},
			});
		},
		finish: (step) => {
			recorder.record({ kind: 'finished', step });
		},
		close: () => {
			store.close();
		},
	};
}
