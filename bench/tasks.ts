/** The task host: what a batch of rewards costs, the boundary of the process included. */
import { openTask, type TurnContext } from '../src-main/tasks/index.ts';
import { type Figure, median, timed } from './part.ts';

const joints = 16;
const rounds = 200;

function contextOf(joint: number): TurnContext {
	const texts = ['a short answer of the first agent', 'an answer of the second '.repeat(4)];
	return {
		item: { index: 0, id: '0', prompt: 'A prompt', fields: { prompt: 'A prompt' } },
		turn: 1,
		numTurns: 1,
		completions: texts.map((text) => ({ text, tokenCount: text.length / 4, finishReason: 'eos' })),
		promptHistory: texts.map(() => ['A prompt']),
		responseHistory: texts.map((text) => [text]),
		joint,
		step: 1,
		purpose: 'train',
	};
}

export async function measure(): Promise<Figure[]> {
	const task = await openTask({
		task: 'length-ratio',
		numAgents: 2,
		numTurns: 1,
		seed: 1,
		timeLimitMs: 10_000,
		memoryLimitMb: 512,
		prompts: ['A prompt'],
	});
	try {
		const contexts = Array.from({ length: joints }, (_, joint) => contextOf(joint));
		for (let round = 0; round < 20; round++) await task.rewards(contexts);
		const times: number[] = [];
		for (let round = 0; round < rounds; round++)
			times.push(await timed(() => task.rewards(contexts)));
		const milliseconds = median(times);
		return [
			{
				name: `rewards of ${joints} joint completions through the host`,
				value: milliseconds,
				unit: 'ms a batch',
				kind: 'absolute',
				goal: { atMost: 2 },
			},
			{
				name: 'rewards through the host',
				value: (1000 * joints) / milliseconds,
				unit: '/s',
				kind: 'absolute',
				goal: { atLeast: 1000 },
			},
		];
	} finally {
		await task.dispose();
	}
}
