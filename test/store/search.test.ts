/** Search: the hits are those that one finds by looking at every text, with the same filters. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestParams, SearchHit } from '../../src-main/contract/requests.ts';
import { Random } from '../../src-main/contract/random.ts';
import type { RolloutTree } from '../../src-main/contract/tree.ts';
import { openStore, type Store } from '../../src-main/store/index.ts';
import { parseQuery } from '../../src-main/store/search-query.ts';
import { fold, wordsOf } from '../../src-main/store/search-words.ts';
import { sampleTree, smallFill } from '../support/fill-store.ts';
import { newRun, stepOf } from '../support/new-run.ts';
import { temporaryStore } from '../support/temporary-store.ts';

type Params = RequestParams<'rollouts.search'>;

const all: Omit<Params, 'query'> = { order: 'newest', offset: 0, limit: 10_000 };
const alphabet = [
	'once',
	'Fox',
	'fuchs',
	'größe',
	'naïve',
	'森',
	'林',
	'.',
	'=>',
	'-',
	'"',
	'🌳',
	'x1',
	'fo',
];

/** One occurrence of a text. */
interface Place {
	runId: string;
	step: number;
	purpose: 'train' | 'eval';
	node: number;
	turn: number;
	agent: number;
	/** Joint completions that it is part of; none for a prompt. */
	joints: number[];
	rewards: (number | null)[];
	text: string;
}

function placesOf(runId: string, tree: RolloutTree): Place[] {
	return tree.nodes.flatMap((node) =>
		node.agents.flatMap((turn, agent) => {
			const base = {
				runId,
				step: tree.step,
				purpose: tree.purpose,
				node: node.index,
				turn: node.turn,
				agent,
			};
			const completions = turn.completions.map((completion, index) => {
				const joints = node.joints.flatMap((joint, own) =>
					joint.picks[agent] === index ? [own] : [],
				);
				const rewards = joints.map((joint) => node.joints[joint]?.reward ?? null);
				return { ...base, joints, rewards, text: completion.text };
			});
			return [{ ...base, joints: [], rewards: [], text: turn.prompt }, ...completions];
		}),
	);
}

/** What the search box promises, done the slow way. */
function matches(text: string, query: string): boolean {
	const { terms, literal } = parseQuery(query);
	if (literal !== null) return text.includes(literal);
	const words = [...wordsOf(text)].map((word) => word.folded);
	return terms.every((term) => {
		const found = words.some((_, at) =>
			term.words.every((word, index) => {
				const own = words[at + index];
				const isOpen = term.isPrefix && index === term.words.length - 1;
				return own !== undefined && (isOpen ? own.startsWith(word) : own === word);
			}),
		);
		return found !== term.isExcluded;
	});
}

const folder = mkdtempSync(join(tmpdir(), 'grove-search-'));
let store: Store;
const places: Place[] = [];

/** Trees of random words: more texts than wait to be indexed, and some that still wait. */
beforeAll(async () => {
	store = await openStore({ path: join(folder, 'grove.db'), searchBudgetMs: Infinity });
	const random = Random.from('search');
	for (const mode of ['aligned', 'cross'] as const) {
		const options = { ...smallFill, jointMode: mode, generations: 3, turns: 2 };
		const runId = store.createRun(newRun({ id: mode, name: `run ${mode}` }));
		const recorder = store.recorder(runId);
		for (let step = 1; step <= 30; step++) {
			const place = { step, epoch: 0, itemIndex: 0, purpose: 'train' as const };
			const tree = sampleTree(random, options, place, 0, 0.5);
			const words = (): string =>
				Array.from(
					{ length: 1 + random.integer(5) },
					() => alphabet[random.integer(alphabet.length)],
				).join(' ');
			const own = {
				...tree,
				nodes: tree.nodes.map((node) => ({
					...node,
					agents: node.agents.map((agent) => ({
						...agent,
						prompt: words(),
						completions: agent.completions.map((completion) => ({ ...completion, text: words() })),
					})),
				})),
			};
			recorder.record(stepOf(step, [], { trees: [own] }));
			places.push(...placesOf(runId, own));
		}
	}
});

afterAll(() => {
	store.close();
	rmSync(folder, { recursive: true, force: true });
});

const nameOf = ({
	runId,
	step,
	node,
	agent,
}: Pick<Place, 'runId' | 'step' | 'node' | 'agent'>): string => `${runId} ${step} ${node} ${agent}`;

function search(params: Partial<Params> & { query: string }): { hits: SearchHit[]; total: number } {
	const result = store.search({ ...all, ...params });
	expect(result.totalIsLowerBound).toBe(false);
	return result;
}

describe('a search for words', () => {
	const term = fc
		.tuple(
			fc.constantFrom('', '', '', '-'),
			fc.array(
				fc.constantFrom(...alphabet.filter((word) => word !== '"' && word !== '-'), 'nobody'),
				{ minLength: 1, maxLength: 2 },
			),
			fc.constantFrom('', '', '*'),
		)
		.map(
			([sign, words, star]) =>
				`${sign}${words.length > 1 ? `"${words.join(' ')}"` : (words[0] ?? '')}${star}`,
		);

	it('finds what one finds by looking at every text', () => {
		fc.assert(
			fc.property(
				fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => terms.join(' ')),
				fc.option(fc.constantFrom(1, 2), { nil: undefined }),
				fc.option(fc.constantFrom(0, 1), { nil: undefined }),
				fc.option(
					fc.constantFrom<string>('aligned', 'cross').map((id) => [id]),
					{ nil: undefined },
				),
				fc.option(fc.constantFrom(0.3, 0.6), { nil: undefined }),
				(query, turn, agent, runIds, minReward) => {
					const wanted = places.filter(
						(place) =>
							matches(place.text, query) &&
							(turn === undefined || place.turn === turn) &&
							(agent === undefined || place.agent === agent) &&
							(runIds === undefined || runIds.includes(place.runId)) &&
							(minReward === undefined ||
								place.rewards.some((reward) => reward !== null && reward >= minReward)),
					);
					const filters = {
						...(turn === undefined ? {} : { turn }),
						...(agent === undefined ? {} : { agent }),
						...(runIds === undefined ? {} : { runIds }),
						...(minReward === undefined ? {} : { minReward }),
					};
					const { hits, total } = search({ query, ...filters });
					expect(total).toBe(wanted.length);
					const expected = new Map<string, number>();
					for (const place of wanted)
						expected.set(nameOf(place), (expected.get(nameOf(place)) ?? 0) + 1);
					for (const hit of hits) {
						expect(expected.has(nameOf(hit))).toBe(true);
						if (minReward !== undefined) expect(hit.reward).toBeGreaterThanOrEqual(minReward);
						for (const [start, end] of hit.marks) {
							expect(fold(hit.excerpt.slice(start, end)).trim()).not.toBe('');
						}
					}
				},
			),
			{ numRuns: 60 },
		);
	});

	it('takes anything that a person types, without an error', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), (query) => {
				store.search({ ...all, query, limit: 3 });
			}),
		);
		for (const query of [
			'"',
			'"once',
			'once AND',
			'NEAR(',
			'*',
			'-',
			'- -',
			'a:b',
			'\u0000',
			"'; DROP TABLE runs",
		]) {
			store.search({ ...all, query, limit: 3 });
		}
	});

	it('gives pages that together are all hits, in each order', () => {
		for (const order of ['newest', 'best', 'worst', 'random', 'relevance'] as const) {
			const whole = search({ query: 'fox', order }).hits;
			const pages = [0, 7, 14].flatMap(
				(offset) => search({ query: 'fox', order, offset, limit: 7 }).hits,
			);
			expect(pages).toEqual(whole.slice(0, 21));
		}
		const rewards = (order: 'best' | 'worst'): number[] =>
			search({ query: 'fox', order }).hits.flatMap(({ reward }) => reward ?? []);
		expect(rewards('best')).toEqual(rewards('best').toSorted((a, b) => b - a));
		expect(rewards('worst')).toEqual(rewards('worst').toSorted((a, b) => a - b));
	});

	it('marks the words in an excerpt around the first of them', async () => {
		const own = await temporaryStore();
		const id = own.createRun(newRun());
		const place = { step: 1, epoch: 0, itemIndex: 0, purpose: 'train' as const };
		const options = { ...smallFill, generations: 1, turns: 1, agents: 1 };
		const tree = sampleTree(Random.from('excerpt'), options, place, 0, 0.5);
		const text = `${'🌳'.repeat(200)} a Größe here, and GRÖSSE there ${'word '.repeat(200)}`;
		const nodes = tree.nodes.map((node) => ({
			...node,
			agents: node.agents.map((agent) => ({
				...agent,
				completions: agent.completions.map((completion) => ({ ...completion, text })),
			})),
		}));
		own.recorder(id).record(stepOf(1, [], { trees: [{ ...tree, nodes }] }));
		const found = ['GROSSE', 'größe', '"HERE and" grosse'].map((query) => {
			const [hit] = own.search({ ...all, query }).hits;
			expect(hit?.excerpt).toMatch(/^….*Größe here, and GRÖSSE there.*…$/u);
			expect(hit?.excerpt.isWellFormed()).toBe(true);
			return hit?.marks.map(([start, end]) => hit.excerpt.slice(start, end));
		});
		expect(found).toEqual([['GRÖSSE'], ['Größe'], ['here, and', 'GRÖSSE']]);
	});
});

describe('browsing without words', () => {
	const joints = (): Place[] =>
		places.filter((place) => place.agent === 0 && place.joints.length > 0);

	it('gives every joint completion once', () => {
		const { hits, total } = search({ query: ' ' });
		expect(total).toBe(joints().reduce((sum, place) => sum + place.joints.length, 0));
		const names = hits.map((hit) => `${nameOf(hit)} ${hit.joint ?? 'none'}`);
		expect(new Set(names).size).toBe(names.length);
	});

	it('in the order of rewards gives the best and the worst first', () => {
		const rewards = joints().flatMap((place) => place.rewards.filter((reward) => reward !== null));
		const best = rewards.toSorted((a, b) => b - a);
		const page = (order: 'best' | 'worst'): (number | null)[] =>
			store.search({ ...all, query: '', order, limit: 25 }).hits.map((hit) => hit.reward);
		expect(page('best')).toEqual(best.slice(0, 25));
		expect(page('worst')).toEqual(best.reverse().slice(0, 25));
	});

	it('keeps to its filters', () => {
		const { hits } = search({ query: '', minReward: 0.4, maxReward: 0.5, turn: 2, agent: 1 });
		expect(hits.length).toBeGreaterThan(0);
		for (const hit of hits) {
			expect(hit).toMatchObject({ turn: 2, agent: 1, agentName: 'critic' });
			expect(hit.reward).toBeGreaterThanOrEqual(0.4);
			expect(hit.reward).toBeLessThanOrEqual(0.5);
		}
	});
});
