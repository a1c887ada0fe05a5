/** What is added to attention scores: 0 where a key may be seen, a huge negative number where not. */
import type { Tensor } from '@tensorflow/tfjs';
import type { Tfjs } from '../../compute/index.ts';

/** Finite: −∞ could make NaN of a row, or be anything on a device whose shaders assume finite numbers. */
export const hiddenScore = -1e30;

/** `[1, 1, T, T]` */
export function causalMask(tf: Tfjs, length: number): Tensor {
	const mask = new Float32Array(length * length);
	for (let query = 0; query < length; query++) {
		mask.fill(hiddenScore, query * length + query + 1, (query + 1) * length);
	}
	return tf.tensor(mask, [1, 1, length, length]);
}

/** `[B, 1, 1, S]`: a row sees the first `seen` of its `prompt` padded prompt slots, and all slots after them. */
export function cacheMask(
	tf: Tfjs,
	seen: readonly number[],
	promptSlots: number,
	slots: number,
): Tensor {
	const mask = new Float32Array(seen.length * slots);
	seen.forEach((count, row) => {
		mask.fill(hiddenScore, row * slots + count, row * slots + promptSlots);
	});
	return tf.tensor(mask, [seen.length, 1, 1, slots]);
}
