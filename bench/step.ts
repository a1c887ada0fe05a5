/** A whole MAGRPO step of the two-turn demo: where its time goes, and how it grows with the size of the tree. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunConfig } from '../src-main/contract/config.ts';
import { Limits } from './limits.ts';
import { type Figure, median } from './part.ts';
import { groveSmall } from './random-models.ts';
import { stepFlops } from './decoder-cost.ts';
import { runSteps, type StepTimes } from './step-run.ts';

const steps = 4;

/** resources/examples/demo.yaml, with every tree grown to its full size. */
const demo: Partial<RunConfig> = {
	model: 'bundled:grove-small',
	task: fileURLToPath(new URL('./any-agents-task.ts', import.meta.url)),
	num_agents: 2,
	num_turns: 2,
	num_generations: 4,
	max_new_tokens: 64,
	early_termination_threshold: null,
};

const variants: readonly (readonly [string, Partial<RunConfig>])[] = [
	['2 generations', { num_generations: 2 }],
	['8 generations', { num_generations: 8 }],
	['1 turn', { num_turns: 1 }],
	['3 turns', { num_turns: 3 }],
	['1 agent', { num_agents: 1 }],
	['4 agents', { num_agents: 4 }],
	['cross, 2 generations', { joint_mode: 'cross', num_generations: 2 }],
	['cross, 4 generations', { joint_mode: 'cross' }],
];

export async function measure(): Promise<Figure[]> {
	const limits = new Limits();
	const figures: Figure[] = [];
	const runOne = async (name: string, change: Partial<RunConfig>): Promise<StepTimes[]> => {
		const before = limits.gemm(500);
		const times = await runSteps({ ...demo, ...change }, steps);
		const rate = (before + limits.gemm(500)) / 2;
		const total = median(times.map((time) => time.total));
		const tokens = median(times.map(({ sampledTokens }) => sampledTokens));
		figures.push(
			{
				name,
				value: total,
				unit: 's',
				kind: 'absolute',
				note: `${tokens.toFixed(0)} tokens sampled, ${((1e6 * total) / tokens).toFixed(0)} µs each`,
			},
			{ name: `${name}: part of the GEMM rate`, ...partOfLimit(times, rate) },
		);
		return times;
	};
	figures.push(...split(await runOne('step of the two-turn demo', {})));
	for (const [name, change] of variants) await runOne(`step, ${name}`, change);
	limits.dispose();
	figures.push(wholeDemo());
	return figures;
}

function split(times: readonly StepTimes[]): Figure[] {
	const parts: readonly (readonly [string, (time: StepTimes) => number])[] = [
		['generation', ({ generation }) => generation],
		['reward and feedback', ({ reward }) => reward],
		['loss and gradient', ({ gradient }) => gradient],
		['optimizer', ({ optimizer }) => optimizer],
		['logging', ({ logging }) => logging],
		['all else', restOf],
	];
	return parts.map(([name, of]) => ({
		name: `step of the two-turn demo: ${name}`,
		value: median(times.map(of)),
		unit: 's',
		kind: 'absolute',
	}));
}

function restOf(time: StepTimes): number {
	const { total, generation, reward, gradient, optimizer, logging } = time;
	return total - generation - reward - gradient - optimizer - logging;
}

function partOfLimit(times: readonly StepTimes[], gemm: number): Omit<Figure, 'name'> {
	const parts = times.map(
		({ record, total }) => stepFlops(groveSmall.config, record.trees) / gemm / total,
	);
	return { value: median(parts), unit: '', kind: 'ratio' };
}

/** As a person starts it: `grove demo` in a new process, with a new database. */
function wholeDemo(): Figure {
	const folder = mkdtempSync(join(tmpdir(), 'grove-bench-'));
	const grove = fileURLToPath(new URL('../src-main/cli/grove.js', import.meta.url));
	const start = performance.now();
	const { status, stderr } = spawnSync(
		process.execPath,
		[grove, 'demo', '--db', join(folder, 'grove.db')],
		{ encoding: 'utf8' },
	);
	const seconds = (performance.now() - start) / 1000;
	rmSync(folder, { recursive: true, force: true });
	if (status !== 0) throw new Error(`grove demo failed:\n${stderr}`);
	return {
		name: 'grove demo, from start to exit',
		value: seconds,
		unit: 's',
		kind: 'absolute',
		goal: { atMost: 60 },
	};
}
