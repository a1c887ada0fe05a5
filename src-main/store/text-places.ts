/** Where in a node a text stands, as one number: which agent, and prompt, raw prompt or which completion. */
const agentStride = 100_000;
const firstCompletion = 2;

/** The title of a tree, kept with its first node. */
export const titleSlot = -1;

export type TextPlace =
	| { kind: 'title' }
	| { kind: 'prompt'; agent: number }
	| { kind: 'raw-prompt'; agent: number }
	| { kind: 'completion'; agent: number; completion: number };

export function promptSlot(agent: number): number {
	return agent * agentStride;
}

export function rawPromptSlot(agent: number): number {
	return agent * agentStride + 1;
}

export function completionSlot(agent: number, completion: number): number {
	return agent * agentStride + firstCompletion + completion;
}

export function placeOf(slot: number): TextPlace {
	if (slot === titleSlot) return { kind: 'title' };
	const agent = Math.floor(slot / agentStride);
	const rest = slot % agentStride;
	if (rest === 0) return { kind: 'prompt', agent };
	if (rest === 1) return { kind: 'raw-prompt', agent };
	return { kind: 'completion', agent, completion: rest - firstCompletion };
}
