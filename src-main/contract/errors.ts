/**
 * The kinds of failure that a person can meet, and the one error class that carries them.
 * A kind decides the exit code of the command line and how the application shows the error.
 */

/** Exit code of the `grove` command per kind. 0 is success, 1 an unexpected fault (a bug). */
export const exitCodes = {
	/** A configuration, argument, file or model folder that a person can correct. */
	'bad-input': 2,
	/** The user's task (reward, feedback, data) failed under the policy `fail`. */
	task: 3,
	/** Loss or gradient stayed non-finite for too many updates in a row. */
	diverged: 4,
	/** The device ran out of memory or was lost. */
	device: 5,
	/** The database cannot be read or written. */
	store: 6,
	/** A download failed or is not allowed offline. */
	network: 7,
	/** What was asked for does not exist (a run, a step, a checkpoint). */
	'not-found': 8,
	/** The request contradicts the present state (a run that already runs, a newer database). */
	conflict: 9,
	/** Stopped by the person (Ctrl-C). */
	stopped: 130,
} as const;

export type ErrorKind = keyof typeof exitCodes;

/** The parts of a message that a person can act on; only `what` is required. */
export interface Complaint {
	/** What is wrong, one sentence. */
	what: string;
	/** Where: a configuration key, file, line, tensor, call. */
	where?: string | undefined;
	expected?: string | undefined;
	given?: string | undefined;
	/** How to put it right. */
	fix?: string | undefined;
}

/** Complaint as one or several plain lines: `where: what` then expected, given and fix where known. */
export function formatComplaint(complaint: Complaint): string {
	const head =
		complaint.where === undefined ? complaint.what : `${complaint.where}: ${complaint.what}`;
	const facts = [
		complaint.expected === undefined ? undefined : `  expected: ${complaint.expected}`,
		complaint.given === undefined ? undefined : `  given:    ${complaint.given}`,
		complaint.fix === undefined ? undefined : `  to fix:   ${complaint.fix}`,
	].filter((line) => line !== undefined);
	return [head, ...facts].join('\n');
}

/** An expected failure: carries its kind and one complaint or several (a configuration with three typos is told all three). */
export class GroveError extends Error {
	override readonly name = 'GroveError';
	readonly kind: ErrorKind;
	readonly complaints: readonly Complaint[];

	constructor(
		kind: ErrorKind,
		complaint: Complaint | readonly Complaint[],
		options?: { cause?: unknown },
	) {
		const complaints = Array.isArray(complaint)
			? (complaint as readonly Complaint[])
			: [complaint as Complaint];
		super(complaints.map(formatComplaint).join('\n'), options);
		this.kind = kind;
		this.complaints = complaints;
	}

	get exitCode(): number {
		return exitCodes[this.kind];
	}
}

/** An error as plain data, as it crosses processes and the bridge to the renderer. */
export interface ErrorValue {
	kind: ErrorKind | 'fault';
	message: string;
	complaints: readonly Complaint[];
	/** Stack of a fault (a bug); never set for expected failures. */
	stack?: string | undefined;
}

/** Any thrown value as plain data; a thing that is no GroveError is a fault. Never throws itself. */
export function toErrorValue(thrown: unknown): ErrorValue {
	if (thrown instanceof GroveError) {
		return { kind: thrown.kind, message: thrown.message, complaints: thrown.complaints };
	}
	if (thrown instanceof Error) {
		return { kind: 'fault', message: thrown.message, complaints: [], stack: thrown.stack };
	}
	let text: string;
	try {
		text = String(thrown);
	} catch {
		text = 'a value that cannot be shown as text was thrown';
	}
	return { kind: 'fault', message: text, complaints: [] };
}

/** The other way round: the error that a received value stands for. */
export function fromErrorValue(value: ErrorValue): Error {
	if (value.kind === 'fault') return new Error(value.message);
	return new GroveError(
		value.kind,
		value.complaints.length > 0 ? value.complaints : { what: value.message },
	);
}
