/** Running out of memory, told as what was needed and what lowers it. */
import { GroveError } from '../contract/errors.ts';
import { deviceError } from './device-errors.ts';

/** What V8, ONNX Runtime, Dawn and TensorFlow say when an allocation fails. */
const memoryTexts =
	/array buffer allocation failed|invalid typed array length|bad_alloc|failed to allocate|out of memory|OOM when allocating|RESOURCE_EXHAUSTED|OUT_OF_(?:DEVICE|HOST)_MEMORY|exceeds the max buffer size/i;

export function isOutOfMemory(thrown: unknown): boolean {
	return thrown instanceof Error && memoryTexts.test(thrown.message);
}

/** What a piece of work is about to take. */
export interface Need {
	/** As in "not enough memory for …". */
	what: string;
	bytes: number;
}

/**
 * Runs `work`; a failed allocation becomes GroveError 'device' that names the need and the three settings,
 * whether it is thrown or reported by the device beside a result. Any other error that the device reports
 * becomes GroveError 'device' too.
 */
export async function tellingMemory<T>(need: Need, work: () => T | Promise<T>): Promise<T> {
	let result: T;
	try {
		result = await work();
	} catch (thrown) {
		throwReported(need);
		throw isOutOfMemory(thrown) ? outOfMemory(need, thrown) : thrown;
	}
	throwReported(need);
	return result;
}

/** What the device reported first is the cause of whatever went wrong afterwards. */
function throwReported(need: Need): void {
	const reported = deviceError();
	if (reported === null) return;
	throw isOutOfMemory(reported) ? outOfMemory(need, reported) : deviceFailure(reported);
}

function outOfMemory(need: Need, cause: unknown): GroveError {
	return new GroveError(
		'device',
		{
			what: `not enough memory for ${need.what}`,
			expected: `about ${gigabytes(need.bytes)} free`,
			fix: 'lower micro_batch_tokens, num_generations or max_new_tokens, or take a smaller model',
		},
		{ cause },
	);
}

function deviceFailure(cause: Error): GroveError {
	return new GroveError(
		'device',
		{
			what: 'the device reported an error; what it computed since cannot be used',
			given: cause.message.split('\n')[0],
			fix: 'resume the run, all finished steps are kept; if it happens again, update the GPU driver or set device: cpu',
		},
		{ cause },
	);
}

function gigabytes(bytes: number): string {
	return `${(bytes / 2 ** 30).toFixed(bytes < 2 ** 30 ? 2 : 1)} GiB`;
}
