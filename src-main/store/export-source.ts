import type { Connection } from './connection.ts';
import type { MetricKeys } from './metric-keys.ts';
import { needRun } from './run-rows.ts';
import type { Texts } from './texts.ts';
import { agentsOf } from './tree-queries.ts';

/** What is exported, and from where. */
export interface ExportSource {
	connection: Connection;
	texts: Texts;
	keys: MetricKeys;
	runs: readonly { run: number; id: string; name: string; agentNames: string[] }[];
}

/** Throws 'not-found' where a run is not there. */
export function exportSource(
	parts: Omit<ExportSource, 'runs'>,
	runIds: readonly string[],
): ExportSource {
	const { connection } = parts;
	const runs = connection.read(() =>
		[...new Set(runIds)].map((id) => {
			const { run, name } = needRun(connection, id);
			return { run, id, name, agentNames: agentsOf(connection, run).map((agent) => agent.name) };
		}),
	);
	return { ...parts, runs };
}
