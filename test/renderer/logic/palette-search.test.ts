import { expect, test } from 'vitest';
import { paletteScore, searchPalette } from '../../../src-renderer/logic/palette-search.ts';

const entries = [
	'Charts',
	'Compare',
	'New run',
	'Run: two-turn demo',
	'Rollouts of two-turn demo',
].map((label) => ({ id: label, label, kind: 'place' }));
const labels = (typed: string): string[] =>
	searchPalette(entries, typed, 10).map(({ label }) => label);

test.each([
	['', ['Charts', 'Compare', 'New run', 'Run: two-turn demo', 'Rollouts of two-turn demo']],
	['ch', ['Charts']],
	['nr', ['New run', 'Run: two-turn demo']],
	['run', ['New run', 'Run: two-turn demo', 'Rollouts of two-turn demo']],
	['demo', ['Run: two-turn demo', 'Rollouts of two-turn demo']],
	['xyz', []],
])('%j finds', (typed, expected) => {
	expect(labels(typed)).toEqual(expected);
});

test('letters must come in their order', () => {
	expect(paletteScore('Charts', 'ca')).not.toBeNull();
	expect(paletteScore('Charts', 'ac')).toBeNull();
});
