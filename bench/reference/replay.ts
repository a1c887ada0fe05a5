/** The run that the reference library wrote down, repeated by Grove's own trainer under `compat: comlrl`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveAgents, type RunConfig } from '../../src-main/contract/config.ts';
import { train } from '../../src-main/magrpo/index.ts';
import { loadPolicy, type Policy, type SampledPrompt } from '../../src-main/policy/index.ts';
import { readSafetensors } from '../../src-main/policy/safetensors.ts';
import { openTask } from '../../src-main/tasks/index.ts';
import { parameterLayout, readFolderConfig, type Weights } from '../../src-main/policy/index.ts';

interface Answer {
	agent: number;
	prompt: string;
	promptTokenIds: number[];
	completions: { text: string; tokenIds: number[]; ended: boolean; logProbs: number[] }[];
}

export interface Agreement {
	/** Largest difference of a sampled token's log-probability, before training. */
	logProbs: number;
	/** Euclidean distance of the trained weights, over that of theirs from the untrained ones; largest of the agents. */
	weights: number;
}

export async function replay(
	config: RunConfig,
	modelFolder: string,
	recordFolder: string,
): Promise<Agreement> {
	const record = JSON.parse(readFileSync(join(recordFolder, 'record.json'), 'utf8')) as Answer[];
	const agents = resolveAgents(config);
	const policies = await Promise.all(
		agents.map(({ model }) =>
			loadPolicy({
				model,
				revision: null,
				keepReference: false,
				prompts: config,
				onProgress: () => undefined,
			}),
		),
	);
	const task = await openTask({
		task: config.task,
		train_slice: '[:1]',
		numAgents: agents.length,
		numTurns: config.num_turns,
		seed: config.seed,
		timeLimitMs: 10_000,
		memoryLimitMb: 512,
	});
	try {
		const logProbs = await logProbDifference(policies, record);
		const events = train({
			policies: policies.map((policy, agent) =>
				answering(
					policy,
					record.filter((answer) => answer.agent === agent),
				),
			),
			task,
			config,
			agents,
			clock: () => performance.now(),
			control: {
				betweenSteps: () => Promise.resolve('continue'),
				signal: new AbortController().signal,
			},
		});
		for await (const event of events) {
			// Grove's own advice (most answers are cut) is none of the comparison's business.
			if (event.kind === 'log' && event.source !== 'grove') throw new Error(event.text);
		}
		const folders = policies.map((_, agent) => join(recordFolder, 'ours', `agent_${agent}`));
		await Promise.all(policies.map((policy, agent) => policy.save(folders[agent] ?? '')));
		const distances: number[] = [];
		for (const [agent, folder] of folders.entries()) {
			const theirs = join(recordFolder, 'trained', `agent_${agent}`);
			distances.push(await distanceOf(modelFolder, theirs, folder));
		}
		return { logProbs, weights: Math.max(...distances) };
	} finally {
		await task.dispose();
		for (const policy of policies) policy.dispose();
	}
}

async function logProbDifference(
	policies: readonly Policy[],
	record: readonly Answer[],
): Promise<number> {
	let most = 0;
	for (const { agent, promptTokenIds, completions } of record) {
		const sequences = completions.map(({ tokenIds }) => ({
			promptTokenIds,
			completionTokenIds: tokenIds,
			scoredTokens: tokenIds.length,
			coefficient: 0,
		}));
		const ours = (await policies[agent]?.logProbs(sequences)) ?? [];
		completions.forEach(({ logProbs }, row) => {
			logProbs.forEach((value, i) => {
				most = Math.max(most, Math.abs(value - (ours[row]?.[i] ?? NaN)));
			});
		});
	}
	return most;
}

/** Samples what the record says, in the order in which equal prompts were asked; learns as the policy does. */
function answering(policy: Policy, record: readonly Answer[]): Policy {
	const left = [...record];
	return new Proxy(policy, {
		get(target, key) {
			if (key !== 'sample') {
				const value: unknown = Reflect.get(target, key, target);
				return typeof value === 'function' ? (value.bind(target) as unknown) : value;
			}
			return (requests: readonly { prompt: unknown }[]): Promise<SampledPrompt[]> =>
				Promise.resolve(
					requests.map(({ prompt }) => {
						const at = left.findIndex((answer) => answer.prompt === prompt);
						const [answer] = at < 0 ? [] : left.splice(at, 1);
						if (answer === undefined)
							throw new Error(`the reference was not asked ${String(prompt)}`);
						return {
							text: answer.prompt,
							promptTokenIds: answer.promptTokenIds,
							promptTokensCut: 0,
							completions: answer.completions.map(({ text, tokenIds, logProbs, ended }) => ({
								text,
								tokenIds,
								logProbs,
								finishReason: ended ? 'eos' : 'length',
							})),
						};
					}),
				);
		},
	});
}

async function distanceOf(before: string, theirs: string, ours: string): Promise<number> {
	const read = (folder: string): Promise<Weights> =>
		readSafetensors(join(folder, 'model.safetensors'));
	const [start, reference, own] = [await read(before), await read(theirs), await read(ours)];
	let apart = 0;
	let moved = 0;
	for (const { name } of parameterLayout((await readFolderConfig(ours)).config).parameters) {
		const a = reference.get(name)?.data ?? new Float32Array(0);
		const b = own.get(name)?.data ?? new Float32Array(0);
		const c = start.get(name)?.data ?? new Float32Array(0);
		if (a.length !== b.length || a.length !== c.length)
			throw new Error(`the trained models differ in ${name}`);
		for (let i = 0; i < a.length; i++) {
			apart += ((a[i] as number) - (b[i] as number)) ** 2;
			moved += ((a[i] as number) - (c[i] as number)) ** 2;
		}
	}
	return Math.sqrt(apart / moved);
}
