/** The records of a zip archive as bytes (APPNOTE 6.3.10), with zip64 where sizes or counts need it. */

export const localSignature = 0x04034b50;
export const centralSignature = 0x02014b50;
export const endSignature = 0x06054b50;
export const end64Signature = 0x06064b50;
export const locator64Signature = 0x07064b50;
export const deflatedMethod = 8;
/** In a 32-bit field: the value is in the zip64 record. */
export const elsewhere32 = 0xffffffff;
export const elsewhere16 = 0xffff;
export const zip64Extra = 1;

/** UTF-8 names. */
const flags = 0x0800;
/** 1 January 1980: the archive does not depend on when it is made. */
const dosDate = 0x21;
const version64 = 45;
const version20 = 20;

export interface WrittenEntry {
	name: Buffer;
	method: number;
	crc: number;
	packed: number;
	size: number;
	offset: number;
	/** Leaves room for sizes beyond 32 bits in the local header, which is written before they are known. */
	mayBeLarge: boolean;
}

function extra64(values: readonly number[]): Buffer {
	if (values.length === 0) return Buffer.alloc(0);
	const extra = Buffer.alloc(4 + 8 * values.length);
	extra.writeUInt16LE(zip64Extra, 0);
	extra.writeUInt16LE(8 * values.length, 2);
	for (const [index, value] of values.entries()) {
		extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
	}
	return extra;
}

export function localHeader({ name, method, crc, packed, size, mayBeLarge }: WrittenEntry): Buffer {
	const extra = extra64(mayBeLarge ? [size, packed] : []);
	const header = Buffer.alloc(30);
	header.writeUInt32LE(localSignature, 0);
	header.writeUInt16LE(mayBeLarge ? version64 : version20, 4);
	header.writeUInt16LE(flags, 6);
	header.writeUInt16LE(method, 8);
	header.writeUInt16LE(dosDate, 12);
	header.writeUInt32LE(crc, 14);
	header.writeUInt32LE(mayBeLarge ? elsewhere32 : packed, 18);
	header.writeUInt32LE(mayBeLarge ? elsewhere32 : size, 22);
	header.writeUInt16LE(name.length, 26);
	header.writeUInt16LE(extra.length, 28);
	return Buffer.concat([header, name, extra]);
}

const isLarge = (value: number): boolean => value >= elsewhere32;
const in32 = (value: number): number => Math.min(value, elsewhere32);

export function centralHeader({ name, method, crc, packed, size, offset }: WrittenEntry): Buffer {
	const extra = extra64([size, packed, offset].filter(isLarge));
	const header = Buffer.alloc(46);
	header.writeUInt32LE(centralSignature, 0);
	header.writeUInt16LE(extra.length > 0 ? version64 : version20, 4);
	header.writeUInt16LE(extra.length > 0 ? version64 : version20, 6);
	header.writeUInt16LE(flags, 8);
	header.writeUInt16LE(method, 10);
	header.writeUInt16LE(dosDate, 14);
	header.writeUInt32LE(crc, 16);
	header.writeUInt32LE(in32(packed), 20);
	header.writeUInt32LE(in32(size), 24);
	header.writeUInt16LE(name.length, 28);
	header.writeUInt16LE(extra.length, 30);
	header.writeUInt32LE(in32(offset), 42);
	return Buffer.concat([header, name, extra]);
}

/** What ends an archive whose directory of `length` bytes lies at `start`. */
export function endRecords(entries: number, start: number, length: number): Buffer {
	const end = Buffer.alloc(22);
	end.writeUInt32LE(endSignature, 0);
	end.writeUInt16LE(Math.min(entries, elsewhere16), 8);
	end.writeUInt16LE(Math.min(entries, elsewhere16), 10);
	end.writeUInt32LE(in32(length), 12);
	end.writeUInt32LE(in32(start), 16);
	if (entries < elsewhere16 && !isLarge(length) && !isLarge(start)) return end;
	const record = Buffer.alloc(56);
	record.writeUInt32LE(end64Signature, 0);
	record.writeBigUInt64LE(BigInt(record.length - 12), 4);
	record.writeUInt16LE(version64, 12);
	record.writeUInt16LE(version64, 14);
	record.writeBigUInt64LE(BigInt(entries), 24);
	record.writeBigUInt64LE(BigInt(entries), 32);
	record.writeBigUInt64LE(BigInt(length), 40);
	record.writeBigUInt64LE(BigInt(start), 48);
	const locator = Buffer.alloc(20);
	locator.writeUInt32LE(locator64Signature, 0);
	locator.writeBigUInt64LE(BigInt(start + length), 8);
	locator.writeUInt32LE(1, 16);
	return Buffer.concat([record, locator, end]);
}
