/** Copying runs from one database into another: how bundles are made and read. Ids stay, internal numbers do not. */
import type { CheckpointRecord } from '../contract/events.ts';
import { breathe } from './breathe.ts';
import { checkCard } from './check-card.ts';
import { checkTree } from './check-tree.ts';
import { listCheckpoints, writeCheckpoint } from './checkpoint-rows.ts';
import type { Connection } from './connection.ts';
import { momentsOfRun, treesOfRun } from './export-rows.ts';
import { readRunCard } from './run-card.ts';
import { type ImportTarget, RunImport } from './run-import.ts';
import { needRunNumber } from './run-rows.ts';

export interface CopyOptions {
	/** Where the folder of a checkpoint is for the target; null: it is not taken along. */
	pathOf: (checkpoint: CheckpointRecord) => string | null;
	/** The source came from somebody else: nothing in it is believed. */
	isForeign?: boolean;
}

export interface Copied {
	name: string;
	step: number;
	points: number;
	trees: number;
}

/**
 * The target must not have the run. Annotations come with the run unless the target has one of the same
 * id. Throws 'not-found' where the source does not have it; nothing stays behind where it fails.
 */
export async function copyRun(
	source: ImportTarget,
	target: ImportTarget,
	runId: string,
	{ pathOf, isForeign = false }: CopyOptions,
): Promise<Copied> {
	const from = source.connection;
	const number = from.read(() => needRunNumber(from, runId));
	const card = from.read(() => readRunCard(from, number));
	if (isForeign) checkCard(card);
	const names = from.read(() => source.keys.names());
	const arriving = RunImport.begin(target, card);
	const counts = { points: 0, trees: 0 };
	try {
		for (const moments of momentsOfRun(from, number)) {
			for (const { keys, values, ...axes } of moments) {
				const named = new Map(
					keys.map((key, index) => [names.get(key) ?? '', values[index] ?? NaN] as const),
				);
				arriving.addMoment({ ...axes, values: named });
				counts.points += keys.length;
			}
			await breathe();
		}
		for (const tree of treesOfRun(from, source.texts, number)) {
			if (isForeign) checkTree(tree);
			arriving.addTrees([tree]);
			counts.trees++;
			await breathe();
		}
		arriving.finish((run) => copyRest(from, target.connection, number, run, pathOf));
		return { name: card.name, step: card.step, ...counts };
	} catch (error) {
		arriving.abandon();
		throw error;
	}
}

type Row = Record<string, string | number | null>;

function copyRest(
	from: Connection,
	to: Connection,
	source: number,
	target: number,
	pathOf: (checkpoint: CheckpointRecord) => string | null,
): void {
	const logs = from
		.prepare<[number], Row>('SELECT * FROM logs WHERE run = ? ORDER BY id')
		.all(source);
	const log = to.prepare<[Row], never>(
		'INSERT INTO logs (run, time_ms, level, source, step, text) VALUES (@target, @time_ms, @level, @source, @step, @text)',
	);
	for (const row of logs) log.run({ ...row, target });
	const annotations = from
		.prepare<[number], Row>('SELECT * FROM annotations WHERE run = ?')
		.all(source);
	const annotate = to.prepare<[Row], never>(
		`INSERT OR IGNORE INTO annotations (id, run, step, item_index, purpose, node, joint, bookmark, score, text, created_ms)
			VALUES (@id, @target, @step, @item_index, @purpose, @node, @joint, @bookmark, @score, @text, @created_ms)`,
	);
	for (const row of annotations) annotate.run({ ...row, target });
	for (const checkpoint of listCheckpoints(from, source)) {
		const path = pathOf(checkpoint);
		if (path !== null) writeCheckpoint(to, target, { ...checkpoint, path });
	}
}
