/** Zip archives: what goes in comes out again, and sizes beyond 4 GiB are no limit. */
import {
	openSync,
	closeSync,
	ftruncateSync,
	readFileSync,
	writeFileSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { centralHeader, endRecords, localHeader } from '../../src-main/store/zip-format.ts';
import { ZipReader } from '../../src-main/store/zip-reader.ts';
import { ZipWriter } from '../../src-main/store/zip-writer.ts';
import { temporaryFolder } from '../support/temporary-store.ts';

describe('an archive', () => {
	it('gives its files again, stored or deflated', async () => {
		const folder = temporaryFolder();
		const path = join(folder, 'a.zip');
		const file = join(folder, 'file');
		const content = Buffer.from('words and words and größe 🌳\n'.repeat(50_000));
		writeFileSync(file, content);
		const zip = await ZipWriter.create(path);
		await zip.addText('text', 'größe');
		await zip.addFile('deflated', file, false);
		await zip.addFile('folder/森.bin', file, true);
		await zip.addText('empty', '');
		const bytes = await zip.finish();
		expect(readFileSync(path)).toHaveLength(bytes);
		const reader = await ZipReader.open(path);
		expect(reader.entries.map(({ name, size }) => [name, size])).toEqual([
			['text', 7],
			['deflated', content.length],
			['folder/森.bin', content.length],
			['empty', 0],
		]);
		for (const [index, entry] of reader.entries.entries()) {
			const target = join(folder, `out-${index}`);
			await reader.extract(entry, target);
			const expected = [Buffer.from('größe'), content, content, Buffer.alloc(0)][index];
			expect(readFileSync(target).equals(expected ?? Buffer.of(1))).toBe(true);
		}
		await reader.close();
	});

	it('never replaces a file', async () => {
		const path = join(temporaryFolder(), 'a.zip');
		writeFileSync(path, 'mine');
		await expect(ZipWriter.create(path)).rejects.toThrow(/EEXIST/);
		expect(readFileSync(path, 'utf8')).toBe('mine');
	});

	it('may be larger than 4 GiB', async () => {
		const path = join(temporaryFolder(), 'large.zip');
		const content = Buffer.from('behind five thousand million bytes');
		const entry = {
			name: Buffer.from('far'),
			method: 0,
			crc: crc32(content),
			packed: content.length,
			size: content.length,
			offset: 5_000_000_000,
			mayBeLarge: true,
		};
		const first = {
			...entry,
			name: Buffer.from('near'),
			packed: 4_900_000_000,
			size: 4_900_000_000,
			offset: 0,
		};
		// Only the ends are written; the file system keeps no bytes for what lies between.
		const file = openSync(path, 'w');
		ftruncateSync(file, entry.offset);
		writeSync(file, localHeader(first), 0, undefined, 0);
		const local = Buffer.concat([localHeader(entry), content]);
		writeSync(file, local, 0, undefined, entry.offset);
		const start = entry.offset + local.length;
		const directory = Buffer.concat([centralHeader(first), centralHeader(entry)]);
		const end = Buffer.concat([directory, endRecords(2, start, directory.length)]);
		writeSync(file, end, 0, undefined, start);
		closeSync(file);
		const reader = await ZipReader.open(path);
		expect(reader.entries.map(({ size, offset }) => [size, offset])).toEqual([
			[4_900_000_000, 0],
			[content.length, 5_000_000_000],
		]);
		const far = reader.find('far');
		expect(far && (await reader.text(far, 100))).toBe(content.toString());
		await reader.close();
	});

	it('may hold more files than fit into 16 bits', () => {
		expect(endRecords(65_534, 10, 10)).toHaveLength(22);
		expect(endRecords(65_535, 10, 10)).toHaveLength(98);
	});
});
