/**
 * The same MAGRPO step in the reference Python library: same weights, prompts, sampling settings and threads,
 * in turns with ours; and whether both come to the same.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import type { RunConfig } from '../src-main/contract/config.ts';
import { resolveModel } from '../src-main/policy/index.ts';
import { demoPrompts } from '../src-main/tasks/built-in/length-ratio-feedback.ts';
import { type Figure, median } from './part.ts';
import { findPython } from './reference/python.ts';
import { replay } from './reference/replay.ts';
import { smolLm2Folder } from './reference/smollm2.ts';
import { configOf, runSteps } from './step-run.ts';

interface Plan {
	name: string;
	folder: string;
	/** Keys that both sides know. */
	settings: Partial<RunConfig>;
	rounds: number;
	stepsPerRound: number;
	atLeast: number;
}

const common: Partial<RunConfig> = {
	num_turns: 2,
	temperature: 0.6,
	top_p: 0.6,
	top_k: 50,
	agent_learning_rate: 2e-5,
	rollout_buffer_size: 2,
	early_termination_threshold: null,
	external_prompt_passthrough: true,
};

export async function measure(): Promise<Figure[]> {
	const folder = mkdtempSync(join(tmpdir(), 'grove-bench-'));
	try {
		const { python, origin } = findPython(folder);
		const bundled = await resolveModel('bundled:grove-small', {
			revision: null,
			onProgress: () => undefined,
			download: () => Promise.reject(new Error('a bundled model needs no download')),
		});
		const figures = await compare(python, join(folder, 'bundled'), {
			name: 'grove-small',
			folder: bundled,
			settings: { ...common, num_generations: 4, max_new_tokens: 64 },
			rounds: 3,
			stepsPerRound: 2,
			atLeast: 5,
		});
		const large = await smolLm2Folder(python, folder);
		if (large !== null) {
			// Smaller than the demo's: the reference takes minutes for a whole step of this model.
			figures.push(
				...(await compare(python, join(folder, 'large'), {
					name: 'SmolLM2-135M',
					folder: large,
					settings: { ...common, num_generations: 2, max_new_tokens: 32 },
					rounds: 2,
					stepsPerRound: 1,
					atLeast: 3,
				})),
			);
		}
		return figures.map((figure, i) => (i === 0 ? { ...figure, note: origin } : figure));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function compare(python: string, folder: string, plan: Plan): Promise<Figure[]> {
	mkdirSync(folder);
	const { name, settings, rounds, stepsPerRound } = plan;
	const reference = await startReference(python, folder, plan);
	try {
		const run: Partial<RunConfig> = {
			...settings,
			model: plan.folder,
			task: 'length-ratio-feedback',
			num_train_epochs: 1,
		};
		const compat: Partial<RunConfig> = { ...run, compat: 'comlrl', max_steps: 1 };
		const agreement = await replay(configOf(compat), plan.folder, folder);
		const theirs: Step[] = [];
		const ours: Step[] = [];
		const ownWay: Step[] = [];
		for (let round = 0; round < rounds; round++) {
			for (let i = 0; i < stepsPerRound; i++)
				theirs.push(await reference.step((round * stepsPerRound + i) % demoPrompts.length));
			ours.push(...(await ourSteps({ ...run, compat: 'comlrl', seed: round }, stepsPerRound)));
			ownWay.push(...(await ourSteps({ ...run, seed: round }, stepsPerRound)));
		}
		// The first one warms up.
		theirs.shift();
		const perToken = (steps: readonly Step[]): number =>
			median(steps.map(({ seconds, tokens }) => seconds / tokens));
		const times = (steps: readonly Step[]): string =>
			`${median(steps.map(({ seconds }) => seconds)).toFixed(2)} s for ${median(steps.map(({ tokens }) => tokens)).toFixed(0)} tokens`;
		return [
			{
				name: `${name}: times as fast as the reference, its own way of updating`,
				value: perToken(theirs) / perToken(ours),
				unit: '×',
				kind: 'ratio',
				goal: { atLeast: plan.atLeast },
				note: `a step: ${times(theirs)} there, ${times(ours)} here`,
			},
			{
				name: `${name}: times as fast as the reference, Grove's defaults`,
				value: perToken(theirs) / perToken(ownWay),
				unit: '×',
				kind: 'ratio',
				note: `a step: ${times(ownWay)} here`,
			},
			{
				name: `${name}: largest difference of a token's log-probability`,
				value: agreement.logProbs,
				unit: '',
				kind: 'absolute',
				goal: { atMost: 1e-3 },
			},
			{
				name: `${name}: trained weights apart, of the way they went`,
				value: agreement.weights,
				unit: '',
				kind: 'absolute',
				goal: { atMost: 0.05 },
			},
		];
	} finally {
		reference.end();
	}
}

interface Step {
	seconds: number;
	/** Sampled by all agents: texts differ by chance, and so does the work. */
	tokens: number;
}

async function ourSteps(settings: Partial<RunConfig>, steps: number): Promise<Step[]> {
	const times = await runSteps(settings, steps);
	return times.map(({ total, sampledTokens }) => ({ seconds: total, tokens: sampledTokens }));
}

/** Resolves when the reference has made its record and waits for steps. */
async function startReference(python: string, folder: string, plan: Plan) {
	const file = join(folder, 'settings.json');
	writeFileSync(
		file,
		JSON.stringify({
			folder: plan.folder,
			out: folder,
			items: demoPrompts,
			threads: availableParallelism(),
			seed: 1,
			config: plan.settings,
		}),
	);
	const script = fileURLToPath(new URL('./reference/steps.py', import.meta.url));
	const child = spawn(python, [script, file], {
		stdio: ['pipe', 'pipe', 'inherit'],
		env: { ...process.env, WANDB_MODE: 'disabled', HF_HUB_OFFLINE: '1' },
	});
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const next = async (): Promise<string> => {
		const line = await lines.next();
		if (line.done === true) throw new Error(`the reference ended early on ${plan.name}`);
		return line.value;
	};
	while ((await next()) !== 'ready');
	return {
		async step(item: number): Promise<Step> {
			child.stdin.write(`${item}\n`);
			return JSON.parse(await next()) as Step;
		},
		end(): void {
			child.stdin.end();
			child.kill();
		},
	};
}
