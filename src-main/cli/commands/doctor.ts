/** `grove doctor`: what can train here, and why the rest cannot. */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import type { BackendReport } from '../../contract/requests.ts';
import { groveVersion } from '../../runs/version.ts';
import { spawnNodeTrainer } from '../../runs/spawn-trainer.ts';
import { inspectDevices } from '../../services/devices.ts';
import { defaultDatabasePath, openStore } from '../../store/index.ts';
import type { Command } from '../command.ts';
import { formatBytes, formatNumber, safeForTerminal } from '../format.ts';
import { printJson } from '../json.ts';

interface Workspace {
	database: string;
	/** Null where there is no database yet. */
	databaseBytes: number | null;
	runs: number;
	checkpointBytes: number;
	trashBytes: number;
	/** Free space of its disk; null where the system does not say. */
	diskFreeBytes: number | null;
	/** Why it cannot be used, or only be read; null as a rule. */
	problem: string | null;
}

/** The folder itself, or the nearest one above it that is there. */
function existingFolder(path: string): string {
	let folder = dirname(path);
	while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
	return folder;
}

async function freeBytes(path: string): Promise<number | null> {
	try {
		const { bavail, bsize } = await statfs(existingFolder(path));
		return bavail * bsize;
	} catch {
		return null;
	}
}

/** Never throws for a database that cannot be opened: that is what a doctor is asked about. */
async function lookAtWorkspace(path: string): Promise<Workspace> {
	const workspace: Workspace = {
		database: path,
		databaseBytes: null,
		runs: 0,
		checkpointBytes: 0,
		trashBytes: 0,
		diskFreeBytes: await freeBytes(path),
		problem: null,
	};
	if (!existsSync(path)) return workspace;
	try {
		const store = await openStore({ path, mustExist: true });
		try {
			const usage = store.usage();
			return {
				...workspace,
				databaseBytes: usage.databaseBytes + usage.walBytes,
				runs: usage.byRun.length,
				checkpointBytes: usage.checkpoints,
				trashBytes: usage.trash,
				problem: store.readOnly,
			};
		} finally {
			store.close();
		}
	} catch (error) {
		return { ...workspace, problem: error instanceof Error ? error.message : String(error) };
	}
}

function backendText(report: BackendReport, isChosen: boolean): string {
	const { backend, usable, reason, adapter, driver, memoryBytes, gemmGflops, readGBs, advice } =
		report;
	const verdict = usable ? (isChosen ? 'usable, taken by auto' : 'usable') : 'not usable';
	const lines = [`${backend.padEnd(7)} ${verdict}: ${reason}`];
	if (adapter !== '') lines.push(`${adapter}${driver === '' ? '' : `, ${driver}`}`);
	if (memoryBytes !== null) lines.push(`memory ${formatBytes(memoryBytes)}`);
	if (gemmGflops !== null && readGBs !== null)
		lines.push(`measured ${formatNumber(gemmGflops)} GFLOP/s, reads ${formatNumber(readGBs)} GB/s`);
	if (advice !== '') lines.push(`to use it: ${advice}`);
	return safeForTerminal(lines.join(`\n${' '.repeat(8)}`));
}

function workspaceText(workspace: Workspace): string {
	const { database, databaseBytes, runs, checkpointBytes, trashBytes, diskFreeBytes, problem } =
		workspace;
	const lines = [safeForTerminal(database)];
	lines.push(
		databaseBytes === null
			? 'not there yet: the first run makes it'
			: `${formatBytes(databaseBytes)}, ${runs} runs, checkpoints ${formatBytes(checkpointBytes)}, trash ${formatBytes(trashBytes)}`,
	);
	if (diskFreeBytes !== null) lines.push(`${formatBytes(diskFreeBytes)} free on its disk`);
	if (problem !== null) lines.push(safeForTerminal(problem));
	return lines.join('\n  ');
}

export const doctor: Command = {
	name: 'doctor',
	usage: '',
	summary:
		'Says which devices can train here, how fast they are, and what to do about those that cannot; and where everything is stored.',
	options: { quick: { type: 'flag', help: 'Do not measure speeds.' } },
	positionals: [0, 0],
	async run(args, terminal) {
		const path = resolve(args.text('db') ?? defaultDatabasePath());
		const workspace = await lookAtWorkspace(path);
		const { backends, chosen } = await inspectDevices(spawnNodeTrainer, !args.flag('quick'));
		const program = {
			grove: groveVersion,
			node: process.versions.node,
			platform: `${process.platform} ${process.arch}`,
		};
		if (args.flag('json')) printJson(terminal, { ...program, backends, chosen, workspace });
		else
			terminal.out(
				[
					`Grove ${program.grove}, Node ${program.node}, ${program.platform}`,
					'',
					'Devices',
					...backends.map((report) => backendText(report, report.backend === chosen)),
					'',
					`Workspace\n  ${workspaceText(workspace)}`,
					'',
				].join('\n'),
			);
		return 0;
	},
};
