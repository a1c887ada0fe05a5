/**
 * Full-text search over prompts and completions. The newest texts are looked at first; after a time
 * limit the search stops, and says that there may be more. Orders other than `newest` are then orders of
 * what was found till then.
 */
import { Random } from '../contract/random.ts';
import type { RequestResults, SearchHit } from '../contract/requests.ts';
import { browse } from './browse-rollouts.ts';
import type { Connection } from './connection.ts';
import { excerptOf } from './search-excerpt.ts';
import { searchableTo } from './text-index.ts';
import {
	type Candidate,
	Candidates,
	placeColumns,
	placeFilter,
	placeJoins,
	type PlaceRow,
	type SearchParams,
} from './search-places.ts';
import {
	findMarks,
	indexExpression,
	isDecidedByIndex,
	parseQuery,
	type SearchQuery,
} from './search-query.ts';
import type { Texts } from './texts.ts';

/** Time for looking through candidates, in milliseconds. */
const usualBudgetMs = 120;
/** Of the hits found, so many of the newest are weighed for relevance: their texts must be read. */
const weighed = 300;
/** Most hits held at once. */
const mostHits = 50_000;

export type SearchResult = RequestResults['rollouts.search'];

/** Within a read. */
export function search(
	connection: Connection,
	texts: Texts,
	params: SearchParams,
	budgetMs = usualBudgetMs,
): SearchResult {
	const query = parseQuery(params.query);
	const deadline = performance.now() + budgetMs;
	const { found, isComplete } =
		params.query.trim() === ''
			? browse(connection, params, deadline)
			: gather(connection, texts, params, query, deadline);
	const page = ordered(found, texts, query, params).slice(
		params.offset,
		params.offset + params.limit,
	);
	return {
		hits: page.map((candidate) => toHit(candidate, texts, query)),
		total: found.length,
		totalIsLowerBound: !isComplete,
	};
}

function toHit(candidate: Candidate, texts: Texts, query: SearchQuery): SearchHit {
	const { hit, text: number } = candidate;
	const text = texts.get(number);
	return { ...hit, ...excerptOf(text, findMarks(query, text) ?? []) };
}

export interface Gathered {
	/** Newest first. */
	found: Candidate[];
	/** False where the time or the room ran out first. */
	isComplete: boolean;
}

function gather(
	connection: Connection,
	texts: Texts,
	params: SearchParams,
	query: SearchQuery,
	deadline: number,
): Gathered {
	const candidates = new Candidates(connection, params);
	const found: Candidate[] = [];
	const verdicts = new Map<number, boolean>();
	const isExact = query.literal === null && isDecidedByIndex(query);
	const indexedTo = searchableTo(connection);
	for (const row of rows(connection, params, query, indexedTo)) {
		if (performance.now() > deadline || found.length >= mostHits) {
			return { found, isComplete: false };
		}
		const candidate = candidates.of(row);
		if (candidate === null) continue;
		let matches = verdicts.get(row.text);
		if (matches === undefined) {
			matches =
				(isExact && row.text <= indexedTo) || findMarks(query, texts.get(row.text)) !== null;
			verdicts.set(row.text, matches);
		}
		if (matches) found.push(candidate);
	}
	return { found, isComplete: true };
}

/** Places of texts that may match: first those that are not in the index yet, then those that it names. */
function* rows(
	connection: Connection,
	params: SearchParams,
	query: SearchQuery,
	indexedTo: number,
): Generator<PlaceRow> {
	const filter = placeFilter(params);
	const after = query.literal === null ? indexedTo : 0;
	yield* connection
		.prepare<(number | string)[], PlaceRow>(
			`SELECT ${placeColumns} FROM text_places p ${placeJoins} WHERE p.text > ? AND ${filter.sql} ORDER BY p.text DESC, p.node DESC`,
		)
		.iterate(after, ...filter.values);
	if (query.literal !== null) return;
	yield* connection
		.prepare<string[], PlaceRow>(
			`SELECT ${placeColumns} FROM text_search s CROSS JOIN text_places p ON p.text = s.rowid ${placeJoins} WHERE s.text_search MATCH ? AND ${filter.sql} ORDER BY s.rowid DESC`,
		)
		.iterate(indexExpression(query), ...filter.values);
}

function ordered(
	found: Candidate[],
	texts: Texts,
	query: SearchQuery,
	params: SearchParams,
): Candidate[] {
	switch (params.order) {
		case 'newest':
			return found.sort((a, b) => b.nodeId - a.nodeId);
		case 'best':
			return found.sort((a, b) => (b.hit.reward ?? -Infinity) - (a.hit.reward ?? -Infinity));
		case 'worst':
			return found.sort((a, b) => (a.hit.reward ?? Infinity) - (b.hit.reward ?? Infinity));
		case 'random':
			// The same order on every page of the same question.
			return Random.from('search', params.query).shuffled(found);
		case 'relevance':
			return byRelevance(found, texts, query);
	}
}

/** More matches per character first, among the newest; equal ones and older ones newest first. */
function byRelevance(found: Candidate[], texts: Texts, query: SearchQuery): Candidate[] {
	const scores = new Map<number, number>();
	const scoreOf = (number: number): number => {
		let score = scores.get(number);
		if (score === undefined) {
			const text = texts.get(number);
			score = (findMarks(query, text)?.length ?? 0) / Math.sqrt(text.length + 1);
			scores.set(number, score);
		}
		return score;
	};
	const head = found.slice(0, weighed).sort((a, b) => scoreOf(b.text) - scoreOf(a.text));
	return [...head, ...found.slice(weighed)];
}
