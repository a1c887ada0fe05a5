/** The directory of a zip archive that a stranger made: every count, size, offset and name is checked before it is used. */
import type { FileHandle } from 'node:fs/promises';
import { GroveError } from '../contract/errors.ts';
import {
	centralSignature,
	deflatedMethod,
	elsewhere16,
	elsewhere32,
	end64Signature,
	endSignature,
	locator64Signature,
	zip64Extra,
} from './zip-format.ts';

export interface ZipEntry {
	/** With slashes, relative, without `..`. */
	name: string;
	size: number;
	packed: number;
	method: number;
	crc: number;
	offset: number;
	isLink: boolean;
	isEncrypted: boolean;
}

/** Above `smallBytes`, a file that grows more than this many times is none of ours. */
const mostRatio = 250;
const smallBytes = 64 * 1024 * 1024;
const endBytes = 22;
const locatorBytes = 20;
const mostComment = 0xffff;
const centralBytes = 46;
/** A directory of a million files; ours have some hundreds. */
const mostDirectoryBytes = 128 * 1024 * 1024;

export function refuseArchive(path: string, what: string): GroveError {
	return new GroveError('bad-input', {
		what,
		where: path,
		fix: 'ask whoever made the bundle for a new one; nothing was imported',
	});
}

export function damagedArchive(path: string, name: string): GroveError {
	return refuseArchive(path, `the archive is damaged at ${name}`);
}

interface Directory {
	entries: number;
	start: number;
	length: number;
}

/** Throws 'bad-input' where the file is no whole zip archive, or one made to do harm. */
export async function readDirectory(file: FileHandle, path: string): Promise<ZipEntry[]> {
	const { size } = await file.stat();
	const { entries: count, start, length } = await findDirectory(file, path, size);
	if (start + length > size || length > mostDirectoryBytes) {
		throw refuseArchive(path, 'the directory of the archive lies outside of it');
	}
	const directory = Buffer.alloc(length);
	await file.read(directory, 0, length, start);
	const entries: ZipEntry[] = [];
	let at = 0;
	let packed = 0;
	for (let i = 0; i < count; i++) {
		const next = at + centralBytes <= length ? entryEnd(directory, at) : Infinity;
		if (next > length || directory.readUInt32LE(at) !== centralSignature) {
			throw refuseArchive(path, 'the directory of the archive is damaged');
		}
		const entry = checked(path, start, readEntry(directory, at));
		packed += entry.packed;
		// Otherwise a few bytes could stand for any number of files.
		if (packed > start) throw refuseArchive(path, 'files of the archive share the same bytes');
		entries.push(entry);
		at = next;
	}
	return entries;
}

/** Looked for from the end: a comment may follow it. */
async function findDirectory(file: FileHandle, path: string, size: number): Promise<Directory> {
	const tail = Buffer.alloc(Math.min(size, locatorBytes + endBytes + mostComment));
	await file.read(tail, 0, tail.length, size - tail.length);
	let at = tail.length - endBytes;
	while (at >= 0 && tail.readUInt32LE(at) !== endSignature) at--;
	if (at < 0) throw refuseArchive(path, 'the file is no whole zip archive');
	const directory = {
		entries: tail.readUInt16LE(at + 10),
		length: tail.readUInt32LE(at + 12),
		start: tail.readUInt32LE(at + 16),
	};
	const locator = at - locatorBytes;
	const is64 =
		(directory.entries === elsewhere16 ||
			directory.length === elsewhere32 ||
			directory.start === elsewhere32) &&
		locator >= 0 &&
		tail.readUInt32LE(locator) === locator64Signature;
	if (!is64) return directory;
	const record = Buffer.alloc(56);
	const position = Number(tail.readBigUInt64LE(locator + 8));
	if (position > size) throw refuseArchive(path, 'the directory of the archive is damaged');
	await file.read(record, 0, record.length, position);
	if (record.readUInt32LE(0) !== end64Signature) {
		throw refuseArchive(path, 'the directory of the archive is damaged');
	}
	return {
		entries: Number(record.readBigUInt64LE(32)),
		length: Number(record.readBigUInt64LE(40)),
		start: Number(record.readBigUInt64LE(48)),
	};
}

function entryEnd(directory: Buffer, at: number): number {
	return (
		at +
		centralBytes +
		directory.readUInt16LE(at + 28) +
		directory.readUInt16LE(at + 30) +
		directory.readUInt16LE(at + 32)
	);
}

function readEntry(directory: Buffer, at: number): ZipEntry {
	const madeOnUnix = directory.readUInt8(at + 5) === 3;
	const mode = directory.readUInt32LE(at + 38) >>> 16;
	const nameEnd = at + centralBytes + directory.readUInt16LE(at + 28);
	const extra = directory.subarray(nameEnd, nameEnd + directory.readUInt16LE(at + 30));
	const large = zip64Values(extra);
	// In the record only those stand that do not fit, in this order.
	const sizes = [24, 20, 42].map((field) => {
		const value = directory.readUInt32LE(at + field);
		return value === elsewhere32 ? (large.shift() ?? value) : value;
	});
	const [size = NaN, packed = NaN, offset = NaN] = sizes;
	return {
		name: directory.toString('utf8', at + centralBytes, nameEnd),
		isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
		method: directory.readUInt16LE(at + 10),
		crc: directory.readUInt32LE(at + 16),
		packed,
		size,
		offset,
		isLink: madeOnUnix && (mode & 0o170000) === 0o120000,
	};
}

function zip64Values(extra: Buffer): number[] {
	let at = 0;
	while (at + 4 <= extra.length) {
		const end = at + 4 + extra.readUInt16LE(at + 2);
		if (extra.readUInt16LE(at) === zip64Extra && end <= extra.length) {
			const values: number[] = [];
			for (let i = at + 4; i + 8 <= end; i += 8) values.push(Number(extra.readBigUInt64LE(i)));
			return values;
		}
		at = end;
	}
	return [];
}

/** `directoryStart`: where the files must end. */
function checked(path: string, directoryStart: number, entry: ZipEntry): ZipEntry {
	const { name, size, packed, method, offset } = entry;
	const leadsOutside =
		name === '' ||
		name.startsWith('/') ||
		/[\\\0:]/u.test(name) ||
		name.split('/').some((part) => part === '..' || part === '.');
	if (leadsOutside) {
		throw refuseArchive(path, `the archive holds a name that leads outside: ${name}`);
	}
	if (offset + packed > directoryStart) throw damagedArchive(path, name);
	if (method !== 0 && method !== deflatedMethod) {
		throw refuseArchive(path, `${name} is packed in a way that is not supported (${method})`);
	}
	if (size > smallBytes && size > packed * mostRatio) {
		throw refuseArchive(
			path,
			`${name} would grow from ${packed} to ${size} bytes, which no real file does`,
		);
	}
	return entry;
}
