import { expect, test } from 'vitest';
import { valueScale } from '../../../../src-renderer/logic/tree/value-scale.ts';

/** Contrast by WCAG 2.2, written down anew. */
function contrast(background: string, ink: string): number {
	const light = (text: string): number => {
		const parts = text.startsWith('rgb')
			? [...text.matchAll(/\d+/g)].map(([part]) => Number(part))
			: ink === '#fff'
				? [255, 255, 255]
				: [0, 0, 0];
		const [r = 0, g = 0, b = 0] = parts.map((part) =>
			part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
		);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const [high = 0, low = 0] = [light(background), light(ink)].toSorted((a, b) => b - a);
	return (high + 0.05) / (low + 0.05);
}

test.each(['sequential', 'diverging'] as const)('%s: text can be read on every value', (kind) => {
	const scale = valueScale([-1, 1], kind);
	for (let value = -1; value <= 1; value += 0.01)
		expect(contrast(scale.colour(value) ?? '', scale.ink(value))).toBeGreaterThan(4.5);
});

test('the ends are the extremes, a diverging scale has 0 in its middle', () => {
	expect(valueScale([0.25, 3, NaN, Infinity], 'sequential')).toMatchObject({ low: 0.25, high: 3 });
	expect(valueScale([-0.5, 2], 'diverging')).toMatchObject({ low: -2, high: 2 });
	expect(valueScale([], 'sequential')).toMatchObject({ low: 0, high: 0 });
});

test('what is not scored has no colour', () => {
	const scale = valueScale([1], 'sequential');
	expect(scale.colour(null)).toBeNull();
	expect(scale.colour(NaN)).toBeNull();
	expect(scale.colour(1)).toMatch(/^rgb\(/);
});
