/**
 * What a node holds beside its row: prompts, completions with tokens and log-probabilities, and the parts
 * of the rewards. Packed to a few bytes a token; texts by their numbers.
 */
import type {
	AgentCompletion,
	AgentTurn,
	FinishReason,
	JointCompletion,
} from '../contract/tree.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';

const format = 1;
const finishReasons = ['eos', 'length', 'stop'] as const satisfies readonly FinishReason[];

/** The part of a joint completion that is not in the node's row. */
export type JointDetail = Omit<JointCompletion, 'reward' | 'return' | 'child'>;

export interface NodeContent {
	agents: AgentTurn[];
	joints: JointDetail[];
}

/** Every text of a node, to be stored before it. */
export function textsOf(agents: readonly AgentTurn[]): string[] {
	return agents.flatMap((agent) => [
		agent.prompt,
		agent.rawPrompt,
		...agent.completions.map((completion) => completion.text),
	]);
}

export function packContent(
	agents: readonly AgentTurn[],
	joints: readonly JointDetail[],
	textNumber: (text: string) => number,
): Buffer {
	const writer = new ByteWriter(4096);
	writer.byte(format);
	writer.count(agents.length);
	for (const agent of agents) {
		writer.count(textNumber(agent.prompt));
		writer.count(textNumber(agent.rawPrompt));
		writer.count(agent.promptTokensCut);
		packCounts(writer, agent.promptTokenIds);
		writer.count(agent.completions.length);
		for (const completion of agent.completions) {
			writer.count(textNumber(completion.text));
			packCompletion(writer, completion);
		}
	}
	writer.count(joints.length);
	for (const joint of joints) packJoint(writer, joint);
	return writer.finish();
}

function packCompletion(writer: ByteWriter, completion: AgentCompletion): void {
	packCounts(writer, completion.tokenIds);
	packLogProbs(writer, completion.logProbs);
	writer.byte(finishReasons.indexOf(completion.finishReason));
	packNullable(writer, completion.return);
	packNullable(writer, completion.advantage);
	packNullable(writer, completion.referenceKl);
}

function packJoint(writer: ByteWriter, joint: JointDetail): void {
	packCounts(writer, joint.picks);
	packNullable(writer, joint.rawReward);
	packNumbers(writer, joint.rewardParts);
	packNumbers(writer, joint.taskMetrics);
	packNullableText(writer, joint.rewardError);
	packNullableText(writer, joint.feedbackError ?? null);
}

function packCounts(writer: ByteWriter, values: readonly number[]): void {
	writer.count(values.length);
	for (const value of values) writer.count(value);
}

/** Single precision where that loses nothing, as with models that compute in it. */
function packLogProbs(writer: ByteWriter, values: readonly number[]): void {
	const isSingle = values.every((value) => Object.is(Math.fround(value), value));
	writer.count(values.length);
	writer.byte(isSingle ? 1 : 0);
	for (const value of values) {
		if (isSingle) writer.float32(value);
		else writer.float64(value);
	}
}

function packNullable(writer: ByteWriter, value: number | null): void {
	writer.byte(value === null ? 0 : 1);
	if (value !== null) writer.float64(value);
}

function packNullableText(writer: ByteWriter, value: string | null): void {
	writer.byte(value === null ? 0 : 1);
	if (value !== null) writer.text(value);
}

function packNumbers(writer: ByteWriter, numbers: Readonly<Record<string, number>>): void {
	const entries = Object.entries(numbers);
	writer.count(entries.length);
	for (const [name, value] of entries) {
		writer.text(name);
		writer.float64(value);
	}
}

/** Throws RangeError where the bytes are damaged or from a later format. */
export function unpackContent(data: Buffer, textOf: (number: number) => string): NodeContent {
	const reader = new ByteReader(data);
	const found = reader.byte();
	if (found !== format) throw new RangeError(`node content of unknown format ${found}`);
	const agents = repeat(reader.count(), () => unpackAgent(reader, textOf));
	const joints = repeat(reader.count(), () => unpackJoint(reader));
	return { agents, joints };
}

function unpackAgent(reader: ByteReader, textOf: (number: number) => string): AgentTurn {
	const prompt = textOf(reader.count());
	const rawPrompt = textOf(reader.count());
	const promptTokensCut = reader.count();
	const promptTokenIds = unpackCounts(reader);
	const completions = repeat(reader.count(), () => unpackCompletion(reader, textOf));
	return { prompt, rawPrompt, promptTokenIds, promptTokensCut, completions };
}

function unpackCompletion(reader: ByteReader, textOf: (number: number) => string): AgentCompletion {
	return {
		text: textOf(reader.count()),
		tokenIds: unpackCounts(reader),
		logProbs: unpackLogProbs(reader),
		finishReason: finishReasons[reader.byte()] ?? 'stop',
		return: unpackNullable(reader),
		advantage: unpackNullable(reader),
		referenceKl: unpackNullable(reader),
	};
}

function unpackJoint(reader: ByteReader): JointDetail {
	const picks = unpackCounts(reader);
	const rawReward = unpackNullable(reader);
	const rewardParts = unpackNumbers(reader);
	const taskMetrics = unpackNumbers(reader);
	const rewardError = unpackNullableText(reader);
	const feedbackError = unpackNullableText(reader);
	const joint = { picks, rawReward, rewardParts, taskMetrics, rewardError };
	return feedbackError === null ? joint : { ...joint, feedbackError };
}

function repeat<T>(count: number, unpack: () => T): T[] {
	const items: T[] = [];
	for (let i = 0; i < count; i++) items.push(unpack());
	return items;
}

function unpackCounts(reader: ByteReader): number[] {
	return repeat(reader.count(), () => reader.count());
}

function unpackLogProbs(reader: ByteReader): number[] {
	const count = reader.count();
	const isSingle = reader.byte() === 1;
	return repeat(count, () => (isSingle ? reader.float32() : reader.float64()));
}

function unpackNullable(reader: ByteReader): number | null {
	return reader.byte() === 0 ? null : reader.float64();
}

function unpackNullableText(reader: ByteReader): string | null {
	return reader.byte() === 0 ? null : reader.text();
}

function unpackNumbers(reader: ByteReader): Record<string, number> {
	// fromEntries defines keys, so that one named __proto__ stays a key.
	return Object.fromEntries(
		repeat(reader.count(), () => [reader.text(), reader.float64()] as const),
	);
}
