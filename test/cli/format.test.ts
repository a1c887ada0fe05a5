import { describe, expect, it } from 'vitest';
import {
	formatBytes,
	formatDuration,
	formatNumber,
	formatTable,
	quoteForShell,
	safeForTerminal,
} from '../../src-main/cli/format.ts';

describe('numbers at the terminal', () => {
	it.each([
		[0.51234, '0.512'],
		[1.3e-8, '1.30e-8'],
		[-1e-7, '-1.00e-7'],
		[0, '0'],
		[1234.5678, '1235'],
		[160, '160'],
		[Number.NaN, 'NaN'],
		[-Infinity, '-∞'],
	])('%s is %s', (value, text) => {
		expect(formatNumber(value)).toBe(text);
	});

	it('show sizes and durations, never negative', () => {
		expect([formatBytes(512), formatBytes(1536), formatBytes(5 * 2 ** 30)]).toEqual([
			'512 B',
			'1.5 KiB',
			'5.0 GiB',
		]);
		expect([
			formatDuration(-5000),
			formatDuration(8400),
			formatDuration(190_000),
			formatDuration(3_720_000),
		]).toEqual(['0.0 s', '8.4 s', '3 min 10 s', '1 h 02 min']);
	});
});

describe('foreign text at the terminal', () => {
	it('cannot send escape sequences or reorder what is read', () => {
		expect(safeForTerminal('a\u001b[2Jb\u202ec\n\t\u0000')).toBe('a\\u001b[2Jb\\u202ec\n\t\\u0000');
	});

	it('stays in its cell', () => {
		expect(
			formatTable(
				['name', 'n'],
				[
					['a\nb', '1'],
					['x'.repeat(50), '22'],
				],
				10,
			),
		).toBe('name        n\na b         1\nxxxxxxxxx…  22\n');
	});
});

it('a path becomes one word of a command line', () => {
	expect(quoteForShell('/home/a/grove.db', 'linux')).toBe('/home/a/grove.db');
	expect(quoteForShell('/home/a b/grove.db', 'linux')).toBe("'/home/a b/grove.db'");
	expect(quoteForShell("/it's/$x", 'darwin')).toBe(String.raw`'/it'\''s/$x'`);
	expect(quoteForShell(String.raw`C:\Users\a b\grove.db`, 'win32')).toBe(
		String.raw`"C:\Users\a b\grove.db"`,
	);
});
