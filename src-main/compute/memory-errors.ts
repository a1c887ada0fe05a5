/** Running out of memory, told as what was needed and what lowers it. */
import { GroveError } from '../contract/errors.ts';

/** What V8, ONNX Runtime, Dawn and TensorFlow say when an allocation fails. */
const memoryTexts =
	/array buffer allocation failed|invalid typed array length|bad_alloc|failed to allocate|out of memory|OOM when allocating|RESOURCE_EXHAUSTED/i;

export function isOutOfMemory(thrown: unknown): boolean {
	return thrown instanceof Error && memoryTexts.test(thrown.message);
}

/** Runs `work`; a failed allocation becomes GroveError 'device' that names the need and the three settings. */
export async function tellingMemory<T>(
	need: { what: string; bytes: number },
	work: () => T | Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (cause) {
		if (!isOutOfMemory(cause)) throw cause;
		throw new GroveError(
			'device',
			{
				what: `not enough memory for ${need.what}`,
				expected: `about ${gigabytes(need.bytes)} free`,
				fix: 'lower micro_batch_tokens, num_generations or max_new_tokens, or take a smaller model',
			},
			{ cause },
		);
	}
}

function gigabytes(bytes: number): string {
	return `${(bytes / 2 ** 30).toFixed(bytes < 2 ** 30 ? 2 : 1)} GiB`;
}
