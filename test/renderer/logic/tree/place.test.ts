import { expect, test } from 'vitest';
import { parseRoute } from '../../../../src-renderer/logic/route.ts';
import {
	placeHref,
	placeOf,
	samePlace,
	type TreePlace,
} from '../../../../src-renderer/logic/tree/place.ts';

const place: TreePlace = { runId: 'a/ü?#', step: 3, itemIndex: 0, purpose: 'eval' };

test('a place is found again by its address', () => {
	expect(parseRoute(placeHref(place))).toEqual({
		view: 'rollouts',
		path: ['a/ü?#'],
		query: { step: ['3'], item: ['0'], purpose: ['eval'] },
	});
	expect(parseRoute(placeHref(place, 0, 2)).query).toMatchObject({ node: ['0'], joint: ['2'] });
	expect(parseRoute(placeHref(place, 1, null)).query).not.toHaveProperty('joint');
});

test('places are the same where all their parts are', () => {
	expect(samePlace(place, placeOf({ ...place }))).toBe(true);
	expect(samePlace(place, { ...place, purpose: 'train' })).toBe(false);
	expect(samePlace(place, null)).toBe(false);
	expect(samePlace(null, null)).toBe(true);
});
