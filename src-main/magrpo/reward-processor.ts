/** The reward processor of the configuration: scale, then shift, then clip, then the logistic function. */
import type { RewardProcessor } from '../contract/config.ts';

export function processReward(reward: number, processor: RewardProcessor): number {
	let value = reward * (processor.scale ?? 1) + (processor.shift ?? 0);
	if (processor.clip !== undefined) {
		const [low, high] = processor.clip;
		value = Math.min(Math.max(value, low), high);
	}
	return processor.sigmoid === true ? 1 / (1 + Math.exp(-value)) : value;
}
