/** Metric keys as the command line names them, `*` standing for any characters. */
import { GroveError } from '../contract/errors.ts';
import { nearestName } from '../contract/nearest-name.ts';

/** What says at a glance how a run goes. */
const headline = /^(?:eval\/)?turn_\d+\/(?:reward_mean|expected_return)$/u;
const rewardMean = /^turn_\d+\/reward_mean$/u;

/** `turn_2` before `turn_10`. */
const byNumber = new Intl.Collator('en', { numeric: true }).compare;

export function headlineKeys(keys: readonly string[]): string[] {
	return keys.filter((key) => headline.test(key)).toSorted(byNumber);
}

/** The reward mean of every turn, first turn first. */
export function rewardMeanKeys(keys: readonly string[]): string[] {
	return keys.filter((key) => rewardMean.test(key)).toSorted(byNumber);
}

/**
 * The known keys that fit any of the patterns, in which `*` stands for any characters. Throws 'not-found' for
 * a pattern that fits none, with the nearest key.
 */
export function matchingKeys(known: readonly string[], patterns: readonly string[]): string[] {
	const found = new Set<string>();
	for (const pattern of patterns) {
		const literal = pattern.replaceAll(/[.+?^${}()|[\]\\]/gu, String.raw`\$&`);
		const expression = new RegExp(`^${literal.replaceAll('*', '.*')}$`, 'su');
		const fitting = known.filter((key) => expression.test(key));
		if (fitting.length === 0) {
			const nearest = nearestName(pattern, known);
			throw new GroveError('not-found', {
				what: 'no metric has this key',
				given: pattern,
				expected:
					nearest === undefined ? 'a key that `grove metrics RUN` lists' : `perhaps ${nearest}`,
			});
		}
		for (const key of fitting.toSorted(byNumber)) found.add(key);
	}
	return [...found];
}
