/** A rollout tree as indented text, in the order in which it was grown. */
import type { TreeSummary } from '../contract/requests.ts';
import type { JointCompletion, RolloutNode } from '../contract/tree.ts';
import { formatNumber, safeForTerminal } from './format.ts';

const endings: Record<string, string> = {
	'last-turn': 'last turn',
	threshold: 'ended early: its mean reward exceeds the threshold',
	done: 'ended: the task is done',
	error: 'ended by an error',
};

function show(value: number | null): string {
	return value === null ? '—' : formatNumber(value);
}

function indented(text: string, indent: string): string {
	return safeForTerminal(text).replaceAll(/^/gmu, indent);
}

function jointText(
	node: RolloutNode,
	joint: JointCompletion,
	index: number,
	agentNames: readonly string[],
	indent: string,
): string {
	const parts = Object.entries(joint.rewardParts).map(([name, value]) => `${name} ${show(value)}`);
	const facts = [
		`reward ${show(joint.reward)}${parts.length === 0 ? '' : ` (${safeForTerminal(parts.join(', '))})`}`,
		`return ${show(joint.return)}`,
		...(joint.child === null ? [] : [`leads to node ${joint.child}`]),
		...[joint.rewardError, joint.feedbackError]
			.filter((error) => error != null)
			.map(safeForTerminal),
	];
	const lines = [`${indent}joint completion ${index}: ${facts.join(', ')}`];
	for (const [agent, pick] of joint.picks.entries()) {
		const completion = node.agents[agent]?.completions[pick];
		if (completion === undefined) continue;
		const { text, tokenIds, finishReason, advantage } = completion;
		lines.push(
			`${indent}  ${safeForTerminal(agentNames[agent] ?? '')}, ${tokenIds.length} tokens, ${finishReason}, advantage ${show(advantage)}`,
			indented(text, `${indent}    `),
		);
	}
	return lines.join('\n');
}

function nodeText(node: RolloutNode, agentNames: readonly string[]): string {
	const indent = '    '.repeat(node.turn - 1) + '  ';
	const from =
		node.parent === null
			? ''
			: ` after joint completion ${node.parent.joint} of node ${node.parent.node}`;
	const ended = node.ended === null ? '' : `, ${endings[node.ended] ?? node.ended}`;
	const lines = [
		`${indent}node ${node.index}, turn ${node.turn}${from}: mean reward ${show(node.rewardMean)}, mean return ${show(node.returnMean)}${ended}`,
	];
	for (const [agent, { prompt, promptTokensCut }] of node.agents.entries()) {
		const cut = promptTokensCut === 0 ? '' : ` (${promptTokensCut} tokens cut on the left)`;
		lines.push(
			`${indent}${safeForTerminal(agentNames[agent] ?? '')} is asked${cut}`,
			indented(prompt, `${indent}    `),
		);
	}
	for (const [index, joint] of node.joints.entries())
		lines.push(jointText(node, joint, index, agentNames, `${indent}  `));
	return lines.join('\n');
}

/** Ends with an empty line. */
export function treeText(
	tree: TreeSummary,
	nodes: Iterable<RolloutNode>,
	agentNames: readonly string[],
): string {
	const head = `Step ${tree.step}, example ${tree.itemId} (${tree.purpose}): ${tree.nodes} nodes, ${tree.joints} joint completions`;
	const parts = [safeForTerminal(head)];
	for (const node of nodes) parts.push(nodeText(node, agentNames));
	return `${parts.join('\n')}\n\n`;
}
