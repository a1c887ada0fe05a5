import { GroveError } from '../contract/errors.ts';
import { nearestName } from '../contract/nearest-name.ts';
import type { Store } from '../store/index.ts';

/** The run that a person means: an id, the beginning of one, or a name, as long as only one run fits. Throws 'not-found' or 'bad-input'. */
export function findRunId(store: Store, wanted: string): string {
	const { runs } = store.listRuns({ include: 'all', keys: [] });
	const exact = runs.find((run) => run.id === wanted);
	if (exact !== undefined) return exact.id;
	const named = runs.filter((run) => run.name === wanted);
	const fitting =
		named.length > 0 ? named : runs.filter((run) => wanted !== '' && run.id.startsWith(wanted));
	const [first, second] = fitting;
	if (first === undefined) {
		const nearest = nearestName(
			wanted,
			runs.map((run) => run.name),
		);
		throw new GroveError('not-found', {
			what: 'there is no such run',
			where: store.path,
			expected:
				nearest === undefined
					? 'an id or a name that `grove runs list` shows'
					: `perhaps ${JSON.stringify(nearest)}`,
			given: wanted,
		});
	}
	if (second !== undefined) {
		throw new GroveError('bad-input', {
			what: `several runs fit ${JSON.stringify(wanted)}`,
			expected: 'an id, or more of it',
			given: fitting
				.slice(0, 8)
				.map((run) => run.id)
				.join(', '),
		});
	}
	return first.id;
}

/** The runs that several words mean, each once, in their order. */
export function findRunIds(store: Store, wanted: readonly string[]): string[] {
	return [...new Set(wanted.map((word) => findRunId(store, word)))];
}
