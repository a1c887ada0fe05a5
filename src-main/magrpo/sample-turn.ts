/** Sampling of one turn: every open branch of every tree in one batch per agent, agents side by side. */
import { formatComplaint, GroveError } from '../contract/errors.ts';
import { Random } from '../contract/random.ts';
import type { AgentTurn } from '../contract/tree.ts';
import type { SampledPrompt, SampleRequest } from '../policy/policy.ts';
import type { Branch } from './branch.ts';
import { element } from './element.ts';
import { type GrowSettings, placeOf } from './grow-settings.ts';

export interface Unanswered {
	branch: Branch;
	message: string;
}

/**
 * Fills `agents` of each branch. Returns the branches that some agent could not answer (a prompt
 * that the policy refuses); their `agents` stay empty. Failures of the device are thrown. Texts are cut
 * short once the signal is given: the turn is dropped then.
 */
export async function sampleTurn(
	branches: readonly Branch[],
	settings: GrowSettings,
): Promise<Unanswered[]> {
	const answers = await Promise.all(
		settings.policies.map((_, agent) => answersOf(agent, branches, settings)),
	);
	return branches.flatMap((branch, index) => {
		const turns: AgentTurn[] = [];
		for (const [agent, own] of answers.entries()) {
			const answer = element(own, index);
			if (answer instanceof GroveError) {
				return [{ branch, message: `${agentName(settings, agent)}: ${answer.message}` }];
			}
			turns.push(agentTurn(answer, element(branch.rawPrompts, agent)));
		}
		branch.agents = turns;
		return [];
	});
}

async function answersOf(
	agent: number,
	branches: readonly Branch[],
	settings: GrowSettings,
): Promise<(SampledPrompt | GroveError)[]> {
	const policy = element(settings.policies, agent);
	const sampling = element(settings.sampling, agent);
	const requests = branches.map((branch) => requestOf(branch, agent, settings));
	try {
		return await policy.sample(requests, sampling, settings.signal);
	} catch (error) {
		if (!isRefusal(error)) throw error;
	}
	// Some prompt of the batch was refused. One at a time says which, and the streams give the others the same texts.
	const answers: (SampledPrompt | GroveError)[] = [];
	for (const [index, request] of requests.entries()) {
		try {
			answers.push(...(await policy.sample([request], sampling, settings.signal)));
		} catch (error) {
			if (!isRefusal(error)) throw error;
			if (settings.onPromptError === 'fail') {
				throw locatedRefusal(error, placeOf(settings, element(branches, index)), agent, settings);
			}
			answers.push(error);
		}
	}
	return answers;
}

/** Streams are named by what they are for, so that texts do not depend on the order of growth or on batches. */
function requestOf(branch: Branch, agent: number, settings: GrowSettings): SampleRequest {
	const stream = settings.purpose === 'train' ? 'sample' : 'evaluate';
	return {
		prompt: element(branch.prompts, agent),
		samples: settings.samples,
		random: (sample) =>
			Random.from(
				settings.seed,
				stream,
				settings.step,
				branch.item.index,
				...branch.path,
				agent,
				sample,
			),
	};
}

function agentTurn(answer: SampledPrompt, rawPrompt: string): AgentTurn {
	return {
		prompt: answer.text,
		rawPrompt,
		promptTokenIds: answer.promptTokenIds,
		promptTokensCut: answer.promptTokensCut,
		completions: answer.completions.map((completion) => ({
			...completion,
			return: null,
			advantage: null,
			referenceKl: null,
		})),
	};
}

function isRefusal(error: unknown): error is GroveError {
	return error instanceof GroveError && error.kind === 'bad-input';
}

function locatedRefusal(
	error: GroveError,
	place: string,
	agent: number,
	settings: GrowSettings,
): GroveError {
	return new GroveError(
		'task',
		{
			where: `${place}, ${agentName(settings, agent)}`,
			what: error.complaints.map(formatComplaint).join('; '),
			fix: 'shorten the prompt, or set on_prompt_error: skip to leave such examples out',
		},
		{ cause: error },
	);
}

function agentName(settings: GrowSettings, agent: number): string {
	return settings.task.agentNames[agent] ?? `agent ${agent + 1}`;
}
