import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GroveError } from '../contract/errors.ts';
import type { RequestParams, RequestResults } from '../contract/requests.ts';
import { writeMetricsCsv, writeRolloutsCsv } from './export-csv.ts';
import { writeMetricsJsonl, writeRolloutsJsonl } from './export-jsonl.ts';
import { type ExportSource, exportSource } from './export-source.ts';
import { type FileWriter, writeFileInPieces } from './file-writer.ts';
import { giveName } from './give-name.ts';
import { toStoreError } from './store-error.ts';
import { writeBundle } from './write-bundle.ts';

export type ExportResult = Omit<RequestResults['export.create'], 'download'>;

const writers: Record<string, (source: ExportSource, file: FileWriter) => Promise<number>> = {
	'csv/metrics': writeMetricsCsv,
	'csv/rollouts': writeRolloutsCsv,
	'jsonl/metrics': writeMetricsJsonl,
	'jsonl/rollouts': writeRolloutsJsonl,
};

/** Writes a new file into `folder`, named after the runs. Throws 'not-found' for a run that is not there, 'store' where the disk fails. */
export async function exportRuns(
	parts: Omit<ExportSource, 'runs'>,
	{ runIds, format, what, checkpoints }: RequestParams<'export.create'>,
	folder: string,
): Promise<ExportResult> {
	if (runIds.length === 0) {
		throw new GroveError('bad-input', {
			what: 'nothing to export',
			expected: 'at least one run',
			given: 'none',
		});
	}
	const source = exportSource(parts, runIds);
	try {
		await mkdir(folder, { recursive: true });
		// Beside the target: the same disk, so that the finished file only gets its name.
		const work = mkdtempSync(join(folder, '.grove-export-'));
		try {
			const draft = join(work, 'draft');
			if (format === 'bundle') {
				const written = await writeBundle(parts, runIds, checkpoints, draft);
				return { ...place(draft, folder, nameOf(source), '.grove'), ...written, complete: true };
			}
			let rows = 0;
			const bytes = await writeFileInPieces(draft, async (file) => {
				rows = (await writers[`${format}/${what}`]?.(source, file)) ?? 0;
			});
			const placed = place(draft, folder, nameOf(source), `-${what}.${format}`);
			return { ...placed, bytes, rows, complete: true };
		} finally {
			rmSync(work, { recursive: true, force: true });
		}
	} catch (error) {
		throw toStoreError(error, folder);
	}
}

/** Of the run's name what no file system takes amiss; never empty, never a path. */
function nameOf({ runs }: ExportSource): string {
	const [first] = runs;
	if (first === undefined || runs.length > 1) return `${runs.length}-runs`;
	const plain = first.name
		.normalize('NFC')
		.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')
		.replaceAll(/^-+|-+$/gu, '')
		.slice(0, 60);
	const id = first.id.replaceAll(/[^\w-]+/gu, '-').slice(0, 40);
	return plain === '' ? `run-${id}` : `${plain}-${id}`;
}

/** Under the first free name of name.end, name-2.end and so on. */
function place(
	draft: string,
	folder: string,
	name: string,
	end: string,
): { path: string; fileName: string } {
	for (let i = 1; ; i++) {
		const fileName = i === 1 ? `${name}${end}` : `${name}-${i}${end}`;
		const path = join(folder, fileName);
		if (giveName(draft, path)) return { path, fileName };
	}
}
