/** A rollout tree from its rewards, for tests of what is computed on trees. */
import type { AgentCompletion, RolloutNode, RolloutTree } from '../../src-main/contract/tree.ts';
import { jointPicks } from '../../src-main/magrpo/joint-completions.ts';

export interface Sketch {
	/** One per joint completion; null: not scored. */
	rewards: (number | null)[];
	/** By joint index; an absent entry has no child. */
	children?: (Sketch | null)[];
}

export interface Shape {
	agents: number;
	generations: number;
	mode: 'aligned' | 'cross';
}

export function treeOf(root: Sketch, { agents, generations, mode }: Shape): RolloutTree {
	const picks = jointPicks(agents, generations, mode);
	const nodes: RolloutNode[] = [];
	let envStep = 0;
	const visit = (sketch: Sketch, turn: number, parent: RolloutNode['parent']): number => {
		const index = nodes.length;
		envStep += sketch.rewards.length;
		const known = sketch.rewards.filter((reward) => reward !== null);
		const node: RolloutNode = {
			index,
			turn,
			parent,
			envStep,
			agents: Array.from({ length: agents }, (_, agent) => ({
				prompt: `prompt of node ${index}, agent ${agent}`,
				rawPrompt: `prompt of node ${index}, agent ${agent}`,
				promptTokenIds: [2, 3, index],
				promptTokensCut: 0,
				completions: Array.from({ length: generations }, (): AgentCompletion => plainCompletion),
			})),
			joints: [],
			rewardMean: known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length,
			returnMean: null,
			ended: sketch.children === undefined ? 'last-turn' : null,
			zeroVariance: false,
		};
		nodes.push(node);
		const joints = sketch.rewards.map((reward, joint) => {
			const child = sketch.children?.[joint] ?? null;
			return {
				picks: picks[joint] ?? [],
				reward,
				rawReward: reward,
				rewardParts: {},
				taskMetrics: {},
				rewardError: reward === null ? 'not scored' : null,
				return: null,
				child: child === null ? null : visit(child, turn + 1, { node: index, joint }),
			};
		});
		nodes[index] = { ...node, joints };
		return index;
	};
	visit(root, 1, null);
	return {
		step: 1,
		epoch: 0,
		itemIndex: 0,
		itemId: '0',
		title: 'example',
		jointMode: mode,
		purpose: 'train',
		nodes,
	};
}

export const plainCompletion: AgentCompletion = {
	text: 'ab',
	tokenIds: [2, 3, 0],
	logProbs: [-1, -1, -1],
	finishReason: 'eos',
	return: null,
	advantage: null,
	referenceKl: null,
};
