import { z } from 'zod';
import { exitCodes } from '../contract/errors.ts';
import type { RunCard } from './run-card.ts';

const complaint = z.object({
	what: z.string(),
	where: z.string().optional(),
	expected: z.string().optional(),
	given: z.string().optional(),
	fix: z.string().optional(),
});

/** Of a card, what the types and checks of the tables do not vouch for: JSON columns, ids, times. */
const schema = z.object({
	id: z.string().min(1).max(200),
	createdAtMs: z.number(),
	startedAtMs: z.number().nullable(),
	endedAtMs: z.number().nullable(),
	firstPointMs: z.number().nullable(),
	step: z.int().min(0),
	totalSteps: z.int().min(0),
	envStep: z.int().min(0),
	agents: z.array(z.object({ name: z.string(), model: z.string() })).max(1000),
	tags: z.array(z.string()).max(1000),
	error: z
		.object({
			kind: z.enum(['fault', ...Object.keys(exitCodes)]),
			message: z.string(),
			complaints: z.array(complaint),
			stack: z.string().optional(),
		})
		.nullable(),
});

/** Throws where the card, which came from a stranger's file, cannot be one. */
export function checkCard(card: RunCard): void {
	schema.parse(card);
}
