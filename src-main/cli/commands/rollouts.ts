/** `grove rollouts`: the trees that a run grew. */
import type { RequestParams, TreeSummary } from '../../contract/requests.ts';
import type { RolloutNode } from '../../contract/tree.ts';
import type { Store } from '../../store/index.ts';
import { type Arguments, type Command, oneOf, wholeNumber } from '../command.ts';
import { findRunId } from '../find-run.ts';
import { formatNumber, formatTable } from '../format.ts';
import { printJsonList } from '../json.ts';
import { treeText } from '../tree-text.ts';
import { withStore } from '../with-store.ts';

type Choice = Pick<RequestParams<'trees.list'>, 'fromStep' | 'toStep' | 'itemIndex' | 'purpose'>;

function choiceOf(args: Arguments): Choice {
	const step = wholeNumber(args, 'step', 0);
	const itemIndex = wholeNumber(args, 'example', 0);
	const purpose = oneOf(args, 'purpose', ['train', 'eval']);
	return {
		...(step === undefined ? {} : { fromStep: step, toStep: step }),
		...(itemIndex === undefined ? {} : { itemIndex }),
		...(purpose === undefined ? {} : { purpose }),
	};
}

/** First step first, as they were grown. */
function treesOf(store: Store, runId: string, choice: Choice): TreeSummary[] {
	const { trees } = store.listTrees({ runId, limit: Number.MAX_SAFE_INTEGER, ...choice });
	return trees.toSorted((a, b) => a.step - b.step);
}

function* nodesOf(store: Store, tree: TreeSummary): Generator<RolloutNode> {
	const { runId, step, itemIndex, purpose } = tree;
	for (let node = 0; node < tree.nodes; node++)
		yield store.treeNode({ runId, step, itemIndex, purpose, node }).node;
}

function agentNamesOf(store: Store, { runId, step, itemIndex, purpose }: TreeSummary): string[] {
	return store.treeNode({ runId, step, itemIndex, purpose, node: 0 }).agentNames;
}

function treeTable(trees: readonly TreeSummary[]): string {
	const turns = Math.max(...trees.map(({ rewardByTurn }) => rewardByTurn.length));
	const show = (value: number | null | undefined): string =>
		value == null ? '—' : formatNumber(value);
	return formatTable(
		[
			'step',
			'example',
			'purpose',
			'nodes',
			'joints',
			...Array.from({ length: turns }, (_, turn) => `turn_${turn + 1}`),
			'best',
			'prompt',
		],
		trees.map((tree) => [
			String(tree.step),
			tree.itemId,
			tree.purpose,
			String(tree.nodes),
			String(tree.joints),
			...Array.from({ length: turns }, (_, turn) => show(tree.rewardByTurn[turn])),
			show(tree.bestReward),
			tree.title,
		]),
	);
}

export const rollouts: Command = {
	name: 'rollouts',
	usage: 'RUN',
	summary:
		'Prints the rollout trees of a run: a line for each, or everything that was asked, answered and scored.',
	details: '`grove search` finds words in them; `grove runs export` writes files.',
	options: {
		texts: {
			type: 'flag',
			help: 'Print the nodes too: prompts, completions, rewards, returns and advantages.',
		},
		step: { type: 'text', value: 'NUMBER', help: 'Only trees of this step.' },
		example: { type: 'text', value: 'NUMBER', help: 'Only trees of this example, from 0.' },
		purpose: {
			type: 'text',
			value: 'PURPOSE',
			help: 'Only trees of training or evaluation: train or eval.',
		},
	},
	positionals: [1, 1],
	async run(args, terminal) {
		const choice = choiceOf(args);
		return withStore(args, terminal, (store) => {
			const run = findRunId(store, args.positionals[0] ?? '');
			const trees = treesOf(store, run, choice);
			const wantsTexts = args.flag('texts');
			if (args.flag('json')) {
				const entries = function* (): Generator {
					for (const tree of trees)
						yield wantsTexts ? { ...tree, nodes: [...nodesOf(store, tree)] } : tree;
				};
				printJsonList(terminal, { run }, 'trees', entries());
			} else if (trees.length === 0) terminal.out('The run has no such trees.\n');
			else if (wantsTexts)
				for (const tree of trees)
					terminal.out(treeText(tree, nodesOf(store, tree), agentNamesOf(store, tree)));
			else terminal.out(treeTable(trees));
			return 0;
		});
	},
};
