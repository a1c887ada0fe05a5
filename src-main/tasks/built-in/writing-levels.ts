/**
 * The reward of the writing tasks, magrpo.md 8: four levels, each reached only through the one before; what
 * was earned up to a failed level is kept. Words are split at white space, lengths are code points.
 */
import type { RewardParts } from '../define-task.ts';
import { characters } from './length-ratio-reward.ts';
import { stopWords } from './stop-words.ts';
import { transitionWords } from './transition-words.ts';

/** Points that rise from 0 at `from` to `points` at `start`, stay to `end`, and fall to 0 at `to`. Outside: null. */
export interface Plateau {
	points: number;
	from: number;
	start: number;
	end: number;
	to: number;
}

export interface WritingLevels {
	/** Words that each text must have, both included. */
	words: [number, number];
	/** Of characters of the second text over those of the first. */
	length: Plateau;
	/** Of distinct words of the second text over those of the first. */
	vocabulary: Plateau;
	/** Which text is searched for transitions. */
	transitionsIn: 'second' | 'both';
	/** Overlap (Jaccard) of content words that earns full marks. */
	overlap: number;
}

/** Points of a ratio, or null where the level is failed. */
export function plateauPoints(ratio: number, plateau: Plateau): number | null {
	const { points, from, start, end, to } = plateau;
	if (ratio >= start && ratio <= end) return points;
	if (ratio >= from && ratio < start) return (points * (ratio - from)) / (start - from);
	if (ratio > end && ratio <= to) return points * (1 - (ratio - end) / (to - end));
	return null;
}

function countWords(text: string): number {
	return text.match(/\S+/gu)?.length ?? 0;
}

function distinctWords(text: string): Set<string> {
	return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
}

/** 0 without any category, else min(1, 0.4 + 0.05 (n − 1)) for n categories. */
export function transitionScore(text: string): number {
	const lower = text.toLowerCase();
	const found = Object.values(transitionWords).filter((phrases) =>
		phrases.some((phrase) => lower.includes(phrase)),
	).length;
	return found === 0 ? 0 : Math.min(1, 0.4 + 0.05 * (found - 1));
}

/** Shared part of the content words of both texts; 1 where neither has any. */
export function contentOverlap(first: string, second: string): number {
	const a = contentWords(first);
	const b = contentWords(second);
	if (a.size + b.size === 0) return 1;
	const shared = [...a].filter((word) => b.has(word)).length;
	return shared / (a.size + b.size - shared);
}

function contentWords(text: string): Set<string> {
	return new Set([...distinctWords(text)].filter((word) => !stopWords.has(word)));
}

/** Parts structure, coordination, vocabulary and style; at most 0.5 + 1 + 0.5 + 0.98. */
export function writingReward(first: string, second: string, levels: WritingLevels): RewardParts {
	const parts = { structure: 0, coordination: 0, vocabulary: 0, style: 0 };
	const [fewest, most] = levels.words;
	const fits = [first, second].every((text) => {
		const words = countWords(text);
		return words >= fewest && words <= most;
	});
	if (!fits) return { parts };
	parts.structure = 0.5;

	const coordination = plateauPoints(characters(second) / characters(first), levels.length);
	if (coordination === null) return { parts };
	parts.coordination = coordination;

	const words = distinctWords(first).size;
	const vocabulary =
		words === 0 ? null : plateauPoints(distinctWords(second).size / words, levels.vocabulary);
	if (vocabulary === null) return { parts };
	parts.vocabulary = vocabulary;

	const searched = levels.transitionsIn === 'second' ? second : `${first} ${second}`;
	const overlap = Math.min(contentOverlap(first, second), levels.overlap) / levels.overlap;
	parts.style = 0.4 * transitionScore(searched) + 0.6 * overlap;
	return { parts };
}
