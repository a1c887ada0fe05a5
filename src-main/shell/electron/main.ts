/** Entry of the desktop application's main process. */
import { existsSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as electron from 'electron';
import { openContext } from '../../services/open-context.ts';
import { startDesktop } from './desktop.ts';
import { LogFile } from './log-file.ts';
import { makeSpawnTrainer } from './spawn-trainer.ts';

const { app } = electron;

/** The application's folder: this file is bundled to dist/main. */
const root = fileURLToPath(new URL('../../', import.meta.url));

/** `--db FILE` or GROVE_DB; null for the usual database. */
function chosenDatabase(argv: readonly string[]): string | null {
	const at = argv.indexOf('--db');
	const named = at >= 0 ? argv[at + 1] : process.env.GROVE_DB;
	return named === undefined || named === '' ? null : resolve(named);
}

/**
 * What starts a task's process: a Node program, since Electron does not stand in for one (its fuse is off),
 * and the sources of the task host, which Node cannot read from the archive. Beside it when packaged.
 */
function taskHostFiles(): { node: string; taskHost: string } {
	const program = process.platform === 'win32' ? 'node.exe' : 'node';
	const beside = join(process.resourcesPath, 'task-host');
	const entry = join('src-main', 'tasks', 'host', 'host-process.ts');
	return app.isPackaged
		? { node: join(beside, program), taskHost: join(beside, entry) }
		: { node: join(root, 'node_modules', 'node', 'bin', program), taskHost: join(root, entry) };
}

app.setName('Grove');
app.setAppUserModelId('app.grove.desktop');
const database = chosenDatabase(process.argv);
if (database !== null) {
	// One instance per workspace: the lock goes by this folder, so a database of its own gets one of its own.
	const name = createHash('sha256').update(database).digest('hex').slice(0, 12);
	app.setPath('userData', join(app.getPath('appData'), 'Grove workspaces', name));
}

// For this process, which opens tasks to check them, and for its trainers.
const { node, taskHost } = taskHostFiles();
process.env.GROVE_NODE = node;
process.env.GROVE_TASK_HOST = taskHost;

const userData = app.getPath('userData');
const logFile = join(userData, 'logs', 'grove.log');
const log = new LogFile(logFile);
const fault = (what: string) => (error: unknown) => {
	log.write(
		'error',
		`${what} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
	);
};
process.on('uncaughtException', fault('main'));
process.on('unhandledRejection', fault('main'));

startDesktop({
	electron,
	argv: process.argv,
	folder: process.cwd(),
	openContext: () =>
		openContext({
			shell: 'electron',
			database,
			spawnTrainer: makeSpawnTrainer(
				electron.utilityProcess,
				fileURLToPath(new URL('./utility-trainer.js', import.meta.url)),
			),
			exportsFolder: app.getPath('downloads'),
			log: (level, text) => {
				log.write(level, text);
			},
		}),
	rendererFolder: join(root, 'dist', 'renderer'),
	places: {
		preload: join(root, 'dist', 'preload', 'preload.cjs'),
		icon: join(root, 'resources', 'icons', 'icon.png'),
		stateFile: join(userData, 'window-state.json'),
	},
	logFile,
	log,
}).catch((error: unknown) => {
	fault('start')(error);
	const message = error instanceof Error ? error.message : String(error);
	electron.dialog.showErrorBox(
		'Grove cannot start',
		`${message}\n\nLog: ${existsSync(logFile) ? logFile : dirname(logFile)}`,
	);
	app.exit(1);
});
