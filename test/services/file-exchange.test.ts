import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileExchange, safeFileName } from '../../src-main/services/file-exchange.ts';

let exchange: FileExchange;
beforeEach(() => {
	exchange = new FileExchange({ uploadBytes: 100, uploadsKept: 2, offers: 3 });
});
afterEach(() => exchange.close());

async function* chunks(...sizes: number[]): AsyncGenerator<Uint8Array> {
	for (const size of sizes) yield await Promise.resolve(new Uint8Array(size).fill(7));
}

describe('files on their way', () => {
	it('keeps an upload as it came', async () => {
		const path = await exchange.receive(chunks(10, 0, 20), 'run.grove');
		expect(readFileSync(path)).toEqual(Buffer.alloc(30, 7));
		expect(exchange.isUpload(path)).toBe(true);
		await exchange.discard(path);
		expect(existsSync(dirname(path))).toBe(false);
	});

	it('refuses one that is too large and leaves nothing of it', async () => {
		await expect(exchange.receive(chunks(60, 60), 'x')).rejects.toThrow('at most 100 bytes');
		await expect(
			exchange.receive(
				(async function* () {
					yield await Promise.resolve(new Uint8Array(5));
					throw new Error('the window left');
				})(),
				'x',
			),
		).rejects.toThrow('the window left');
		const path = await exchange.receive(chunks(1), 'y');
		expect(existsSync(path)).toBe(true);
	});

	it('lets go of uploads that nobody imported', async () => {
		const first = await exchange.receive(chunks(1), 'a');
		await exchange.receive(chunks(1), 'b');
		await exchange.receive(chunks(1), 'c');
		expect(exchange.isUpload(first)).toBe(false);
		expect(existsSync(first)).toBe(false);
	});

	it('offers a file once', () => {
		const address = exchange.offer('/data/x.csv', 'x.csv');
		expect(exchange.take(address)).toEqual({ path: '/data/x.csv', fileName: 'x.csv' });
		expect(exchange.take(address)).toBeUndefined();
	});

	it.each([
		['../../etc/passwd', 'passwd'],
		['C:\\Windows\\x.grove', 'x.grove'],
		['', 'file'],
		['..', 'file'],
		['.ssh', 'ssh'],
		['a\r\nb: c".csv', 'a__b_ c_.csv'],
		['Läufe 1.grove', 'Läufe 1.grove'],
		[`${'x'.repeat(500)}.csv`, `${'x'.repeat(96)}.csv`],
	])('makes the name %j safe', (given, expected) => {
		expect(safeFileName(given)).toBe(expected);
	});
});
