/**
 * Realistic runs, the same for the same seed: curves that rise with noise, trees with early ends, texts
 * that repeat now and then, evaluations, logs, checkpoints. Used by tests, by the bench, and to look at the
 * application with something in it.
 */
import { defaultConfig } from '../../src-main/contract/config.ts';
import type { MetricValue, StepRecord } from '../../src-main/contract/events.ts';
import { Random } from '../../src-main/contract/random.ts';
import type { AgentTurn, RolloutNode, RolloutTree } from '../../src-main/contract/tree.ts';
import { jointPicks } from '../../src-main/magrpo/joint-completions.ts';
import { withReturns } from '../../src-main/magrpo/returns.ts';
import type { Store } from '../../src-main/store/index.ts';

export interface FillOptions {
	seed: number;
	runs: number;
	steps: number;
	/** Metric keys of a run; the first ones are those that Grove logs itself. */
	keys: number;
	/** Trees of a step; 0: metrics only. */
	treesPerStep: number;
	agents: number;
	generations: number;
	turns: number;
	jointMode: 'aligned' | 'cross';
	/** Words of a completion, on average. */
	words: number;
	/** Milliseconds since 1970 of the first step. */
	startMs: number;
	/** Dataset rows that the steps visit in turn. */
	items: number;
}

export const smallFill: FillOptions = {
	seed: 7,
	runs: 3,
	steps: 12,
	keys: 24,
	treesPerStep: 1,
	agents: 2,
	generations: 4,
	turns: 2,
	jointMode: 'aligned',
	words: 30,
	startMs: Date.UTC(2026, 0, 5, 9),
	items: 4,
};

/** What the stored databases of earlier versions hold; never to be changed. */
export const fixtureFill: FillOptions = {
	...smallFill,
	seed: 1,
	runs: 2,
	steps: 6,
	keys: 6,
	generations: 2,
	words: 8,
};

const vocabulary = (() => {
	const random = Random.from('vocabulary');
	const syllables = 'ka lo mi ne ra su te vo shi pan der ful ing est ber tree star moon'.split(' ');
	const words = Array.from({ length: 3000 }, () =>
		Array.from(
			{ length: 1 + random.integer(3) },
			() => syllables[random.integer(syllables.length)],
		).join(''),
	);
	return ['once', 'there', 'was', 'a', 'small', 'fox', 'and', 'the', ...words];
})();

/** Words by a falling frequency, as in language. */
export function sampleText(random: Random, words: number): string {
	const parts = Array.from(
		{ length: words },
		() => vocabulary[Math.floor(random.uniform() ** 3 * vocabulary.length)] ?? 'a',
	);
	return `${parts.join(' ')}.`;
}

/** Keys in the order in which they matter. */
export function sampleKeys(count: number, turns: number, agents: number): string[] {
	const keys: string[] = [];
	for (let turn = 1; turn <= turns; turn++) {
		for (const name of ['reward_mean', 'expected_return', 'reward_leaf_mean', 'reward_std'])
			keys.push(`turn_${turn}/${name}`);
	}
	for (let agent = 1; agent <= agents; agent++) {
		for (const name of ['loss', 'grad_norm', 'entropy', 'completion_length_mean'])
			keys.push(`agent_${agent}/${name}`);
	}
	for (let i = 0; keys.length < count; i++) keys.push(`turn_1/task/measure_${i}`);
	return keys.slice(0, count);
}

function agentTurn(
	random: Random,
	options: FillOptions,
	prompt: string,
	completions: number,
): AgentTurn {
	return {
		prompt: `You are asked:\n${prompt}`,
		rawPrompt: prompt,
		promptTokenIds: Array.from({ length: 20 }, () => random.integer(4096)),
		promptTokensCut: 0,
		completions: Array.from({ length: completions }, () => {
			const words = Math.max(1, Math.round(options.words * (0.6 + 0.8 * random.uniform())));
			const tokens = words + 2;
			return {
				text: sampleText(random, words),
				tokenIds: Array.from({ length: tokens }, () => random.integer(4096)),
				logProbs: Array.from({ length: tokens }, () => Math.fround(-3 * random.uniform())),
				finishReason: random.uniform() < 0.8 ? ('eos' as const) : ('length' as const),
				return: null,
				advantage: null,
				referenceKl: null,
			};
		}),
	};
}

/** A tree with returns and advantages; rewards rise with `progress` in [0, 1]. */
export function sampleTree(
	random: Random,
	options: FillOptions,
	place: Pick<RolloutTree, 'step' | 'epoch' | 'itemIndex' | 'purpose'>,
	envStep: number,
	progress: number,
): RolloutTree {
	const generations = place.purpose === 'eval' ? 1 : options.generations;
	const mode = place.purpose === 'eval' ? 'aligned' : options.jointMode;
	const picks = jointPicks(options.agents, generations, mode);
	const title = sampleText(Random.from(options.seed, 'item', place.itemIndex), 12);
	const nodes: RolloutNode[] = [];
	let scored = envStep;
	const visit = (turn: number, prompt: string, parent: RolloutNode['parent']): number => {
		const index = nodes.length;
		const rewards = picks.map(() =>
			Math.max(0, Math.min(1, 0.2 + 0.6 * progress + 0.25 * random.normal())),
		);
		scored += place.purpose === 'eval' ? 0 : rewards.length;
		const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
		const ends = turn === options.turns ? 'last-turn' : mean > 0.85 ? 'threshold' : null;
		const node: RolloutNode = {
			index,
			turn,
			parent,
			envStep: scored,
			agents: Array.from({ length: options.agents }, () =>
				agentTurn(random, options, prompt, generations),
			),
			joints: [],
			rewardMean: mean,
			returnMean: null,
			ended: ends,
			zeroVariance: rewards.every((reward) => reward === rewards[0]),
		};
		nodes.push(node);
		const joints = picks.map((pick, joint) => {
			const reward = rewards[joint] ?? 0;
			const child =
				ends === null
					? visit(turn + 1, `Better, please: ${reward.toFixed(2)} so far.`, { node: index, joint })
					: null;
			return {
				picks: pick,
				reward,
				rawReward: reward,
				rewardParts: { length: reward * 0.75, style: reward * 0.25 },
				taskMetrics: { words: options.words },
				rewardError: null,
				return: null,
				child,
			};
		});
		nodes[index] = { ...node, joints };
		return index;
	};
	visit(1, title, null);
	const tree = withReturns(
		{ ...place, itemId: `item-${place.itemIndex}`, title, jointMode: mode, nodes },
		1,
		'mean',
	);
	return { ...tree, nodes: tree.nodes.map(withAdvantages) };
}

function withAdvantages(node: RolloutNode): RolloutNode {
	return {
		...node,
		agents: node.agents.map((agent) => ({
			...agent,
			completions: agent.completions.map((completion) => ({
				...completion,
				advantage:
					completion.return === null || node.returnMean === null
						? null
						: completion.return - node.returnMean,
			})),
		})),
	};
}

function metricsOf(
	random: Random,
	keys: readonly string[],
	trees: readonly RolloutTree[],
	progress: number,
): MetricValue[] {
	return keys.map((key) => {
		const turn = /^turn_(\d+)\/(reward_mean|expected_return)$/.exec(key);
		const nodes = trees.flatMap((tree) =>
			tree.nodes.filter(({ turn: own }) => String(own) === turn?.[1]),
		);
		const known = nodes
			.map((node) => (turn?.[2] === 'reward_mean' ? node.rewardMean : node.returnMean))
			.filter((value) => value !== null);
		const value =
			known.length > 0
				? known.reduce((sum, own) => sum + own, 0) / known.length
				: progress + 0.1 * random.normal();
		return { key, value };
	});
}

/** The record of one step, without a store. */
export function sampleStep(
	random: Random,
	options: FillOptions,
	step: number,
	envStep: number,
	purpose: 'train' | 'eval' = 'train',
): StepRecord {
	const progress = step / options.steps;
	const epoch = Math.floor((step - 1) / options.items);
	let scored = envStep;
	const trees = Array.from({ length: options.treesPerStep }, (_, index) => {
		const itemIndex = (step - 1 + index) % options.items;
		const tree = sampleTree(random, options, { step, epoch, itemIndex, purpose }, scored, progress);
		scored = tree.nodes.at(-1)?.envStep ?? scored;
		return tree;
	});
	if (options.treesPerStep === 0) scored += options.generations;
	const keys =
		purpose === 'train'
			? sampleKeys(options.keys, options.turns, options.agents)
			: ['eval/turn_1/reward_mean'];
	return {
		step,
		epoch,
		epochProgress: step / options.items,
		envStep: scored,
		wallTimeMs: options.startMs + step * 1500 + random.integer(300),
		trees,
		metrics: metricsOf(random, keys, trees, progress),
	};
}

/** Fills a store and returns the ids, oldest first. The last run is left running nowhere: stopped. */
export function fillStore(store: Store, options: FillOptions = smallFill): string[] {
	return Array.from({ length: options.runs }, (_, index) => fillRun(store, options, index));
}

function fillRun(store: Store, options: FillOptions, index: number): string {
	const random = Random.from(options.seed, 'run', index);
	const config = {
		...defaultConfig(),
		seed: 42 + index,
		num_turns: options.turns,
		num_agents: options.agents,
		num_generations: options.generations,
		joint_mode: options.jointMode,
		agent_learning_rate: index % 2 === 0 ? 5e-6 : 1e-5,
	};
	const id = store.createRun({
		id: `fill-${options.seed}-${index}`,
		project: index % 3 === 2 ? 'ablation' : 'default',
		name: `${sampleText(random, 2).slice(0, -1)} ${index}`,
		createdAtMs: options.startMs + index * 3_600_000,
		config,
		configText: `task: length-ratio-feedback\nseed: ${42 + index}\n`,
		task: { name: 'length-ratio-feedback', path: null, text: null, hash: null },
		model: 'bundled:grove-small',
		agents: Array.from({ length: options.agents }, (_, agent) => ({
			name: `agent_${agent + 1}`,
			model: 'bundled:grove-small',
		})),
		device: 'cpu',
		seed: String(42 + index),
		groveVersion: '0.1.0',
		notes: index === 0 ? 'The run to compare with.' : '',
		tags: index % 2 === 0 ? ['paper'] : ['paper', 'try'],
	});
	const recorder = store.recorder(id);
	recorder.record({
		kind: 'started',
		totalSteps: options.steps,
		device: 'cpu',
		deviceDetail: 'one processor',
		resumedFromStep: 0,
	});
	recorder.record({
		kind: 'log',
		level: 'info',
		source: 'grove',
		text: 'training begins',
		step: 0,
	});
	let envStep = 0;
	for (let step = 1; step <= options.steps; step++) {
		const record = sampleStep(random, options, step, envStep);
		envStep = record.envStep;
		recorder.record({ kind: 'step', record });
		if (step % 5 === 0 && options.treesPerStep > 0) {
			const evaluation = sampleStep(random, options, step, envStep, 'eval');
			recorder.record({ kind: 'evaluation', record: { ...evaluation, envStep } });
		}
	}
	recorder.record({
		kind: 'checkpoint',
		record: {
			step: options.steps,
			envStep,
			path: `/checkpoints/${id}/step-${options.steps}`,
			bytes: 1_000_000,
			wallTimeMs: options.startMs + options.steps * 1500,
			score: 0.5,
			isBest: true,
			isFinal: true,
		},
		removed: [],
	});
	recorder.record({ kind: index % 4 === 3 ? 'stopped' : 'finished', step: options.steps });
	return id;
}
