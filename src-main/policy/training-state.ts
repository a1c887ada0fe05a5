/** What resuming needs beyond the model folder, bit for bit: fp32 weights, AdamW's moments, the step counter. */
import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GroveError } from '../contract/errors.ts';

export interface TrainingState {
	/** Optimizer steps taken. */
	steps: number;
	weights: Float32Array;
	moments: { first: Float32Array; second: Float32Array } | null;
}

const headFile = 'training-state.json';
const dataFile = 'training-state.bin';

/** Elements written or read at once: a file call takes at most 2 GiB. */
const pieceElements = 64 * 1024 * 1024;

/** Writes into an existing folder; each file is complete or not there. */
export async function writeTrainingState(folder: string, state: TrainingState): Promise<void> {
	const arrays = [state.weights];
	if (state.moments !== null) arrays.push(state.moments.first, state.moments.second);
	const unfinished = join(folder, `${dataFile}.part`);
	const file = await open(unfinished, 'w');
	try {
		for (const array of arrays) {
			for (let at = 0; at < array.length; at += pieceElements) {
				await file.writeFile(bytesOf(array.subarray(at, at + pieceElements)));
			}
		}
		await file.sync();
	} finally {
		await file.close();
	}
	await rename(unfinished, join(folder, dataFile));
	const head = {
		format: 1,
		steps: state.steps,
		parameters: state.weights.length,
		moments: state.moments !== null,
	};
	await writeFile(join(folder, headFile), `${JSON.stringify(head, null, '\t')}\n`);
}

/** Throws GroveError 'bad-input' if the files are damaged or belong to a model of another size. */
export async function readTrainingState(
	folder: string,
	parameters: number,
): Promise<TrainingState> {
	const where = join(folder, headFile);
	const head = parseHead(await readFile(where, 'utf8').catch(missing(where)), where);
	if (head.parameters !== parameters) {
		throw new GroveError('bad-input', {
			what: 'the training state belongs to another model',
			where,
			expected: `${parameters} parameters`,
			given: `${head.parameters} parameters`,
		});
	}
	const path = join(folder, dataFile);
	const file = await open(path, 'r').catch(missing(path));
	try {
		const expected = 4 * parameters * (head.moments ? 3 : 1);
		const { size } = await file.stat();
		if (size !== expected) {
			throw new GroveError('bad-input', {
				what: 'the training state is incomplete',
				where: path,
				expected: `${expected} bytes`,
				given: `${size} bytes`,
				fix: 'resume from another checkpoint',
			});
		}
		const read = async (): Promise<Float32Array> => {
			const array = new Float32Array(parameters);
			for (let at = 0; at < parameters; at += pieceElements) {
				const bytes = bytesOf(array.subarray(at, at + pieceElements));
				for (let done = 0; done < bytes.length;) {
					const { bytesRead } = await file.read(bytes, done, bytes.length - done, null);
					if (bytesRead === 0) throw new Error(`${path} became shorter while it was read`);
					done += bytesRead;
				}
			}
			return array;
		};
		const weights = await read();
		const moments = head.moments ? { first: await read(), second: await read() } : null;
		return { steps: head.steps, weights, moments };
	} finally {
		await file.close();
	}
}

function bytesOf(array: Float32Array): Uint8Array {
	return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function missing(where: string): (cause: unknown) => never {
	return (cause) => {
		throw new GroveError(
			'bad-input',
			{ what: 'the training state cannot be read', where, fix: 'resume from another checkpoint' },
			{ cause },
		);
	};
}

function parseHead(
	text: string,
	where: string,
): { steps: number; parameters: number; moments: boolean } {
	let head: unknown;
	try {
		head = JSON.parse(text);
	} catch {
		head = null;
	}
	if (
		typeof head === 'object' &&
		head !== null &&
		'steps' in head &&
		'parameters' in head &&
		'moments' in head &&
		typeof head.steps === 'number' &&
		typeof head.parameters === 'number' &&
		typeof head.moments === 'boolean'
	) {
		return { steps: head.steps, parameters: head.parameters, moments: head.moments };
	}
	throw new GroveError('bad-input', {
		what: 'the training state is damaged',
		where,
		fix: 'resume from another checkpoint',
	});
}
