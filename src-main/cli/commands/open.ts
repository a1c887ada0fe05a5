/** `grove open` (what `npm start` runs) and `grove serve`: the application. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { openContext } from '../../services/open-context.ts';
import { startBrowserShell } from '../../shell/browser/start.ts';
import { buildRenderer, rendererFolder } from '../build-renderer.ts';
import { type Command, type OptionSpec, type Terminal, wholeNumber } from '../command.ts';
import { safeForTerminal } from '../format.ts';

const rootFolder = fileURLToPath(new URL('../../../', import.meta.url));

interface ServeOptions {
	database: string | null;
	port: number | undefined;
	host: string | undefined;
	tls: { cert: string; key: string } | undefined;
	allowUnencrypted: boolean;
	/** `app`: a window of its own where a Chromium is installed, else the browser. */
	show: 'app' | 'browser' | 'none';
	/** Where in the application, e.g. `#/run/ID`. */
	hash: string;
}

/** Serves until Ctrl-C; then stops the trainers started here, each with a checkpoint. */
async function serveUntilInterrupted(options: ServeOptions, terminal: Terminal): Promise<number> {
	await buildRenderer(terminal);
	const { context, close } = await openContext({
		shell: 'browser',
		database: options.database,
		log: (level, text) => {
			terminal.err(`${level}: ${safeForTerminal(text)}\n`);
		},
	});
	for (const notice of context.app.notices) terminal.err(`warning: ${notice}\n`);
	const shell = await startBrowserShell({
		context,
		rendererFolder,
		port: options.port,
		host: options.host,
		tls: options.tls,
		allowUnencrypted: options.allowUnencrypted,
		open: false,
	}).catch(async (error: unknown) => {
		await close();
		throw error;
	});
	const address = shell.url + options.hash;
	terminal.out(`Grove is at ${address}\nDatabase: ${context.records.path}\nCtrl-C ends it.\n`);
	if (
		options.show !== 'none' &&
		!(options.show === 'app' && openAppWindow(address)) &&
		!(await openInBrowser(address))
	) {
		terminal.out('No browser could be opened: open the address yourself.\n');
	}
	await new Promise<void>((resolve) => {
		process.once('SIGINT', resolve);
		process.once('SIGTERM', resolve);
	});
	await shell.close();
	await close();
	return 0;
}

/** Opens the address in the person's browser; false where there is none (no display, no opener). */
async function openInBrowser(address: string): Promise<boolean> {
	if (
		process.platform === 'linux' &&
		process.env.DISPLAY === undefined &&
		process.env.WAYLAND_DISPLAY === undefined
	)
		return false;
	const { openBrowser } = await import('../../shell/browser/open-browser.ts');
	return openBrowser(address);
}

const chromiums = [
	'chromium',
	'chromium-browser',
	'google-chrome',
	'google-chrome-stable',
	'microsoft-edge',
];

/** An app window of an installed Chromium; false where there is none, or no display. */
function openAppWindow(address: string): boolean {
	if (
		process.platform === 'linux' &&
		process.env.DISPLAY === undefined &&
		process.env.WAYLAND_DISPLAY === undefined
	)
		return false;
	const folders = (process.env.PATH ?? '').split(delimiter);
	const found = folders
		.flatMap((folder) => chromiums.map((name) => join(folder, name)))
		.find((path) => existsSync(path));
	if (found === undefined) return false;
	spawn(found, [`--app=${address}`], { stdio: 'ignore', detached: true }).unref();
	return true;
}

/** The Electron program of this installation; null where its binary was not fetched. */
function electronProgram(): string | null {
	try {
		const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
		const name =
			process.platform === 'win32'
				? 'electron.exe'
				: process.platform === 'darwin'
					? 'Electron.app/Contents/MacOS/Electron'
					: 'electron';
		const program = join(folder, 'dist', name);
		return existsSync(program) ? program : null;
	} catch {
		return null;
	}
}

async function openDesktop(
	program: string,
	database: string | null,
	terminal: Terminal,
): Promise<number> {
	await buildRenderer(terminal);
	const build = spawn(
		process.execPath,
		[join(rootFolder, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js'), 'build'],
		{ cwd: rootFolder, stdio: ['ignore', 'ignore', 'inherit'] },
	);
	const built = await new Promise<number>((resolve) =>
		build.once('exit', (code) => resolve(code ?? 1)),
	);
	if (built !== 0) return built;
	const child = spawn(program, [rootFolder, ...(database === null ? [] : ['--db', database])], {
		stdio: 'inherit',
	});
	return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

const runOption: Record<string, OptionSpec> = {
	run: { type: 'text', value: 'RUN', help: 'Show this run at once.' },
};

export const open: Command = {
	name: 'open',
	usage: '',
	summary:
		'Opens the application: a desktop window where Electron is installed, else a browser window on this machine.',
	options: runOption,
	positionals: [0, 0],
	async run(args, terminal) {
		const program = electronProgram();
		const run = args.text('run');
		if (program !== null) return openDesktop(program, args.text('db') ?? null, terminal);
		terminal.err(
			'The Electron binary is not installed (`npx install-electron` fetches it): opening in the browser instead.\n',
		);
		return serveUntilInterrupted(
			{
				database: args.text('db') ?? null,
				port: undefined,
				host: undefined,
				tls: undefined,
				allowUnencrypted: false,
				show: 'app',
				hash: run === undefined ? '' : `#/run/${encodeURIComponent(run)}`,
			},
			terminal,
		);
	},
};

export const serve: Command = {
	name: 'serve',
	usage: '',
	summary:
		'Serves the application to a browser, on 127.0.0.1 behind a random token unless told otherwise.',
	details: 'From another machine: ssh -L 7420:127.0.0.1:7420 HOST, then open the printed address.',
	options: {
		port: {
			type: 'text',
			value: 'NUMBER',
			help: 'Port to use; refused where it is taken. 0: any free one. Default: the first free one from 7420 on.',
		},
		host: {
			type: 'text',
			value: 'ADDRESS',
			help: 'Address to bind. Beyond 127.0.0.1 this needs TLS files or --allow-unencrypted.',
		},
		cert: { type: 'text', value: 'FILE', help: 'TLS certificate (PEM).' },
		key: { type: 'text', value: 'FILE', help: 'TLS key (PEM).' },
		'allow-unencrypted': {
			type: 'flag',
			help: 'Serve beyond this machine without TLS: everything, the token too, can be read on the way.',
		},
		open: { type: 'flag', help: 'Open the browser.' },
		...runOption,
	},
	positionals: [0, 0],
	async run(args, terminal) {
		const [cert, key, run] = [args.text('cert'), args.text('key'), args.text('run')];
		return serveUntilInterrupted(
			{
				database: args.text('db') ?? null,
				port: wholeNumber(args, 'port', 0),
				host: args.text('host'),
				tls: cert === undefined || key === undefined ? undefined : { cert, key },
				allowUnencrypted: args.flag('allow-unencrypted'),
				show: args.flag('open') ? 'browser' : 'none',
				hash: run === undefined ? '' : `#/run/${encodeURIComponent(run)}`,
			},
			terminal,
		);
	},
};
