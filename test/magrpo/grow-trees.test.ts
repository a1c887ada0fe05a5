import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunConfig } from '../../src-main/contract/config.ts';
import { resolveAgents } from '../../src-main/contract/config.ts';
import type { TrainingEvent } from '../../src-main/contract/events.ts';
import { Random } from '../../src-main/contract/random.ts';
import { fullTreeSize, type RolloutTree } from '../../src-main/contract/tree.ts';
import { type Growth, growTrees } from '../../src-main/magrpo/grow-trees.ts';
import { jointPicks } from '../../src-main/magrpo/joint-completions.ts';
import { growSettings } from '../../src-main/magrpo/run-settings.ts';
import type { Policy, SampledPrompt } from '../../src-main/policy/policy.ts';
import type { Task, TaskItem, TurnContext } from '../../src-main/tasks/task.ts';
import { FakePolicy } from '../support/fake-policy.ts';
import { fakeTask, scored } from '../support/fake-task.ts';
import { configOf } from '../support/run-training.ts';

async function grow(
	config: RunConfig,
	task: Task,
	policies: readonly Policy[],
	signal = new AbortController().signal,
): Promise<{ grown: Growth | null; events: TrainingEvent[] }> {
	const options = {
		policies,
		task,
		config,
		agents: resolveAgents(config),
		clock: () => 0,
		control: { signal, betweenSteps: () => Promise.resolve('continue' as const) },
	};
	const events: TrainingEvent[] = [];
	const growing = growTrees(task.train, 0, growSettings(options, 1, 0));
	for (;;) {
		const next = await growing.next();
		if (next.done === true) return { grown: next.value, events };
		events.push(next.value);
	}
}

/** Texts of a node and what followed each joint completion. */
interface Story {
	prompts: string[];
	texts: string[][];
	rewards: number[];
	after: (Story | null)[];
}

/** One branch after another, as the reference grows its trees: same streams, another order, no batches. */
async function depthFirst(
	item: TaskItem,
	config: RunConfig,
	task: Task,
	policies: readonly Policy[],
): Promise<Story> {
	const settings = {
		maxNewTokens: config.max_new_tokens,
		temperature: config.temperature,
		topP: config.top_p,
		topK: config.top_k,
		minP: config.min_p,
		repetitionPenalty: config.repetition_penalty,
		stop: config.stop,
	};
	const visit = async (
		prompts: string[],
		turn: number,
		path: number[],
		said: string[][],
		asked: string[][],
	): Promise<Story> => {
		const answers: SampledPrompt[] = [];
		for (const [agent, policy] of policies.entries()) {
			const prompt = prompts[agent] ?? '';
			const random = (k: number) =>
				Random.from(config.seed, 'sample', 1, item.index, ...path, agent, k);
			const request = { prompt, samples: config.num_generations, random };
			answers.push(...(await policy.sample([request], settings)));
		}
		const told = asked.map((own, agent) => [...own, prompts[agent] ?? '']);
		const story: Story = {
			prompts,
			texts: answers.map(({ completions }) => completions.map(({ text }) => text)),
			rewards: [],
			after: [],
		};
		const picks = jointPicks(policies.length, config.num_generations, config.joint_mode);
		const contexts: TurnContext[] = picks.map((pick, joint) => {
			const chosen = answers.flatMap(
				({ completions }, agent) => completions[pick[agent] ?? 0] ?? [],
			);
			return {
				item,
				turn,
				numTurns: config.num_turns,
				completions: chosen.map((c) => ({ ...c, tokenCount: c.tokenIds.length })),
				promptHistory: told,
				responseHistory: said.map((own, agent) => [...own, chosen[agent]?.text ?? '']),
				joint,
				step: 1,
				purpose: 'train',
			};
		});
		for (const context of contexts) {
			const [outcome] = await task.rewards([context]);
			story.rewards.push(outcome?.kind === 'scored' ? outcome.total : NaN);
		}
		const mean = story.rewards.reduce((a, b) => a + b, 0) / story.rewards.length;
		const limit = config.early_termination_threshold;
		if (turn === config.num_turns || (limit !== null && mean > limit)) return story;
		for (const [joint, context] of contexts.entries()) {
			const [next] = await task.feedback([context]);
			const child =
				next?.kind === 'prompts'
					? await visit(
							next.prompts.map(String),
							turn + 1,
							[...path, joint],
							context.responseHistory.map((own) => [...own]),
							told,
						)
					: null;
			story.after.push(child);
		}
		return story;
	};
	const { prompts } = await task.prompts(item);
	const none = policies.map((): string[] => []);
	return visit(prompts.map(String), 1, [], none, none);
}

function storyOf(tree: RolloutTree, index = 0): Story {
	const node = tree.nodes[index];
	return {
		prompts: node?.agents.map(({ prompt }) => prompt) ?? [],
		texts: node?.agents.map(({ completions }) => completions.map(({ text }) => text)) ?? [],
		rewards: node?.joints.map(({ reward }) => reward ?? NaN) ?? [],
		after:
			node?.ended === null
				? node.joints.map(({ child }) => (child === null ? null : storyOf(tree, child)))
				: [],
	};
}

const plain = {
	num_turns: 3,
	num_generations: 2,
	max_new_tokens: 5,
	temperature: 1,
	early_termination_threshold: null,
};

describe('growing trees', () => {
	it('breadth first gives the trees of depth first', async () => {
		const shapes = fc.record({
			agents: fc.integer({ min: 1, max: 3 }),
			turns: fc.integer({ min: 1, max: 3 }),
			joint_mode: fc.constantFrom('aligned', 'cross'),
			early_termination_threshold: fc.option(fc.double({ min: 0, max: 0.5, noNaN: true }), {
				nil: null,
			}),
			seed: fc.nat(),
		});
		await fc.assert(
			fc.asyncProperty(shapes, async ({ agents, turns, ...rest }) => {
				const num_turns = agents === 3 ? Math.min(turns, 2) : turns;
				const config = configOf({ ...plain, ...rest, num_turns, num_agents: agents });
				const task = fakeTask({ agents });
				const policies = Array.from({ length: agents }, () => new FakePolicy());
				const { grown } = await grow(config, task, policies);
				for (const [index, item] of task.train.entries()) {
					const tree = grown?.trees[index];
					const story = await depthFirst(item, config, task, policies);
					expect(tree === undefined ? null : storyOf(tree)).toEqual(story);
				}
			}),
			{ numRuns: 30 },
		);
	});

	it('asks each agent once per turn, for all branches of all trees', async () => {
		const policies = [new FakePolicy(), new FakePolicy()];
		await grow(configOf(plain), fakeTask(), policies);
		for (const policy of policies) expect(policy.sampledBatches).toEqual([3, 6, 12]);
	});

	it.each(['aligned', 'cross'] as const)(
		'%s trees have the sizes of the closed forms',
		async (mode) => {
			for (const [agents, generations, turns] of [
				[1, 2, 3],
				[2, 3, 2],
				[2, 2, 3],
				[3, 2, 2],
			] as const) {
				const config = configOf({
					...plain,
					num_agents: agents,
					num_generations: generations,
					num_turns: turns,
					joint_mode: mode,
				});
				const task = fakeTask({ agents, train: ['one'] });
				const policies = Array.from({ length: agents }, () => new FakePolicy());
				const { grown } = await grow(config, task, policies);
				const nodes = grown?.trees[0]?.nodes ?? [];
				const size = fullTreeSize(agents, generations, turns, mode);
				expect(nodes.length).toBe(size.nodes);
				expect(grown?.envStep).toBe(size.joints);
				expect(nodes.flatMap(({ agents: own }) => own[0]?.completions ?? []).length).toBe(
					size.completionsPerAgent,
				);
			}
		},
	);

	it('numbers nodes in depth-first pre-order and env steps in that order, over all trees', async () => {
		const { grown } = await grow(configOf(plain), fakeTask(), [new FakePolicy(), new FakePolicy()]);
		const nodes = grown?.trees.flatMap((tree) => tree.nodes) ?? [];
		expect(nodes.map(({ envStep }) => envStep)).toEqual(nodes.map((_, index) => 2 * (index + 1)));
		for (const tree of grown?.trees ?? []) {
			expect(tree.nodes.map(({ turn }) => turn)).toEqual([1, 2, 3, 3, 2, 3, 3]);
			for (const [index, node] of tree.nodes.entries()) {
				expect(node.index).toBe(index);
				if (node.parent === null) continue;
				expect(tree.nodes[node.parent.node]?.joints[node.parent.joint]?.child).toBe(index);
			}
		}
	});

	it('stops a node whose mean exceeds the threshold, strictly', async () => {
		const endings = async (threshold: number) => {
			const config = configOf({ ...plain, num_turns: 2, early_termination_threshold: threshold });
			const reward = ({ joint }: TurnContext) => [0.25, 0.75][joint] ?? NaN;
			const task = fakeTask({ reward, train: ['one'] });
			const { grown } = await grow(config, task, [new FakePolicy(), new FakePolicy()]);
			return grown?.trees[0]?.nodes.map(({ ended }) => ended);
		};
		expect(await endings(0.5)).toEqual([null, 'last-turn', 'last-turn']);
		expect(await endings(0.4999)).toEqual(['threshold']);
	});

	it('does not go on with a joint completion that the task calls done', async () => {
		const config = configOf({ ...plain, num_turns: 2 });
		const policies = [new FakePolicy(), new FakePolicy()];
		const half = fakeTask({
			train: ['one'],
			reward: ({ joint }) => scored(1, { done: joint === 0 }),
		});
		const first = (await grow(config, half, policies)).grown?.trees[0];
		expect(first?.nodes.length).toBe(2);
		expect(first?.nodes[0]?.joints.map(({ child }) => child)).toEqual([null, 1]);
		expect(first?.nodes[0]?.ended).toBeNull();
		const all = fakeTask({ train: ['one'], feedback: () => ({ kind: 'done' }) });
		const second = (await grow(config, all, policies)).grown?.trees[0];
		expect(second?.nodes.map(({ ended }) => ended)).toEqual(['done']);
	});

	it('takes feedback through the formatter, or as it is with passthrough', async () => {
		for (const [passthrough, expected] of [
			[false, '[next]'],
			[true, 'next'],
		] as const) {
			const config = configOf({
				...plain,
				num_turns: 2,
				external_prompt_passthrough: passthrough,
			});
			const task = fakeTask({ train: ['one'], feedback: () => ['next', 'next'] });
			const { grown } = await grow(config, task, [new FakePolicy(), new FakePolicy()]);
			const turn = grown?.trees[0]?.nodes[1]?.agents[0];
			expect([turn?.prompt, turn?.rawPrompt]).toEqual([expected, 'next']);
		}
	});

	it('tells the history that the model saw; compat the unformatted later prompts', async () => {
		for (const [compat, expected] of [
			['none', ['one', '[two]', '[three]']],
			['comlrl', ['one', 'two', 'three']],
		] as const) {
			const config = configOf({ ...plain, compat });
			const task = fakeTask({
				train: ['one'],
				feedback: ({ turn }) => (turn === 1 ? ['two', 'two'] : ['three', 'three']),
			});
			await grow(config, task, [new FakePolicy(), new FakePolicy()]);
			const last = task.rewarded.findLast(({ turn }) => turn === 3);
			expect(last?.promptHistory).toEqual([expected, expected]);
			expect(last?.responseHistory.map((own) => own.length)).toEqual([3, 3]);
			expect(last?.responseHistory.map((own) => own.at(-1))).toEqual(
				last?.completions.map(({ text }) => text),
			);
		}
	});

	it('shows task code frozen lists, so that no branch can spoil another', async () => {
		const config = configOf({ ...plain, num_turns: 2 });
		const task = fakeTask();
		await grow(config, task, [new FakePolicy(), new FakePolicy()]);
		for (const context of task.rewarded) {
			for (const history of [context.promptHistory, context.responseHistory]) {
				expect(Object.isFrozen(history) && history.every(Object.isFrozen)).toBe(true);
			}
			expect(context.completions.every(Object.isFrozen)).toBe(true);
		}
	});

	it('marks a cut completion at exactly its turn and agent', async () => {
		const config = configOf({
			...plain,
			agents: [{ max_new_tokens: 4 }, { max_new_tokens: 40 }],
		});
		// The first agent nearly never ends by itself, the second nearly always at once.
		const never = new FakePolicy({ logits: [-20, 0, 0, 0, 0, 0, 0, 0, 0] });
		const always = new FakePolicy({ logits: [20, 0, 0, 0, 0, 0, 0, 0, 0] });
		const { grown } = await grow(config, fakeTask(), [never, always]);
		for (const node of grown?.trees.flatMap((tree) => tree.nodes) ?? []) {
			const reasons = node.agents.map((turn) => turn.completions.map((c) => c.finishReason));
			expect(reasons).toEqual([
				['length', 'length'],
				['eos', 'eos'],
			]);
		}
	});

	it('is dropped between two turns when the signal was given', async () => {
		const abort = new AbortController();
		const task = fakeTask({
			reward: () => {
				abort.abort();
				return 0;
			},
		});
		const policies = [new FakePolicy(), new FakePolicy()];
		const { grown } = await grow(configOf(plain), task, policies, abort.signal);
		expect(grown).toBeNull();
		expect(policies[0]?.sampledBatches).toEqual([3]);
	});

	it('reports how far it is', async () => {
		const { events } = await grow(configOf(plain), fakeTask(), [
			new FakePolicy(),
			new FakePolicy(),
		]);
		const phases = events.flatMap((event) =>
			event.kind === 'phase' ? [`${event.phase} ${event.detail} ${event.done}/${event.total}`] : [],
		);
		expect(phases).toEqual([
			'generating turn 1 of 3 0/3',
			'rewarding turn 1 of 3 0.5/3',
			'generating turn 2 of 3 1/3',
			'rewarding turn 2 of 3 1.5/3',
			'generating turn 3 of 3 2/3',
			'rewarding turn 3 of 3 2.5/3',
		]);
	});
});
