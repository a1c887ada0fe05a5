/** Metrics and rollouts of runs as CSV: all rows in full precision, never a sample. */
import type { RolloutTree } from '../contract/tree.ts';
import { encode } from '../contract/wire.ts';
import { csvLine, csvNumber, csvText } from './csv-format.ts';
import type { ExportSource } from './export-source.ts';
import { treesOfRun, validMomentsOfRun } from './export-rows.ts';
import type { FileWriter } from './file-writer.ts';

/** One row a point. Empty epoch: not known. */
export const metricColumns = [
	'run',
	'name',
	'key',
	'step',
	'env_step',
	'epoch',
	'time_ms',
	'value',
] as const;

/** One row per joint completion and agent. */
export const rolloutColumns = [
	'run',
	'name',
	'purpose',
	'step',
	'epoch',
	'item_index',
	'item_id',
	'node',
	'turn',
	'parent_node',
	'parent_joint',
	'env_step',
	'joint',
	'agent',
	'agent_name',
	'completion_index',
	'prompt',
	'completion',
	'tokens',
	'finish_reason',
	'log_prob',
	'advantage',
	'reward',
	'raw_reward',
	'return',
	'reward_parts',
	'reward_error',
] as const;

/** Returns the number of rows without the head line. */
export async function writeMetricsCsv(source: ExportSource, file: FileWriter): Promise<number> {
	await file.write(csvLine(metricColumns));
	const names = source.keys.names();
	let rows = 0;
	for (const { run, id, name } of source.runs) {
		const head = [csvText(id), csvText(name)];
		for (const moments of validMomentsOfRun(source.connection, run)) {
			for (const { step, envStep, epoch, wallTimeMs, keys, values } of moments) {
				const axes = [step, envStep, epoch, wallTimeMs].map(csvNumber);
				for (const [index, key] of keys.entries()) {
					const cells = [csvText(names.get(key) ?? ''), ...axes, csvNumber(values[index] ?? null)];
					await file.write(csvLine([...head, ...cells]));
					rows++;
				}
			}
		}
	}
	return rows;
}

/** Returns the number of rows without the head line. */
export async function writeRolloutsCsv(source: ExportSource, file: FileWriter): Promise<number> {
	await file.write(csvLine(rolloutColumns));
	let rows = 0;
	for (const { run, id, name, agentNames } of source.runs) {
		const head = [csvText(id), csvText(name)];
		for (const tree of treesOfRun(source.connection, source.texts, run)) {
			for (const cells of rowsOf(tree, agentNames)) {
				await file.write(csvLine([...head, ...cells]));
				rows++;
			}
		}
	}
	return rows;
}

function* rowsOf(tree: RolloutTree, agentNames: readonly string[]): Generator<string[]> {
	const place = [
		tree.purpose,
		csvNumber(tree.step),
		csvNumber(tree.epoch),
		csvNumber(tree.itemIndex),
		csvText(tree.itemId),
	];
	for (const node of tree.nodes) {
		const where = [
			node.index,
			node.turn,
			node.parent?.node ?? null,
			node.parent?.joint ?? null,
			node.envStep,
		].map(csvNumber);
		for (const [index, joint] of node.joints.entries()) {
			const scores = [
				csvNumber(joint.reward),
				csvNumber(joint.rawReward),
				csvNumber(joint.return),
				csvText(encode(joint.rewardParts)),
				csvText(joint.rewardError ?? ''),
			];
			for (const [agent, pick] of joint.picks.entries()) {
				const turn = node.agents[agent];
				const completion = turn?.completions[pick];
				if (turn === undefined || completion === undefined) continue;
				yield [
					...place,
					...where,
					csvNumber(index),
					csvNumber(agent),
					csvText(agentNames[agent] ?? ''),
					csvNumber(pick),
					csvText(turn.prompt),
					csvText(completion.text),
					csvNumber(completion.tokenIds.length),
					completion.finishReason,
					csvNumber(completion.logProbs.reduce((sum, value) => sum + value, 0)),
					csvNumber(completion.advantage),
					...scores,
				];
			}
		}
	}
}
