/**
 * The application on made-up runs in a browser, to look at it while working on it:
 * `node test/support/dev-shell.ts [PORT] [RUNS] [STEPS]` after `npm run build`. The database is temporary.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openContext } from '../../src-main/services/open-context.ts';
import { startBrowserShell } from '../../src-main/shell/browser/start.ts';
import { openStore } from '../../src-main/store/index.ts';
import { fillStore, smallFill } from './fill-store.ts';

const [port = '4690', runs = '8', steps = '60'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'grove-dev-'));
const database = join(folder, 'grove.db');
const store = await openStore({ path: database });
fillStore(store, { ...smallFill, runs: Number(runs), steps: Number(steps) });
store.close();

const opened = await openContext({
	shell: 'browser',
	database,
	exportsFolder: join(folder, 'exports'),
	log: (level, text) => {
		process.stderr.write(`${level}: ${text}\n`);
	},
});
const shell = await startBrowserShell({
	context: opened.context,
	rendererFolder: fileURLToPath(new URL('../../dist/renderer', import.meta.url)),
	port: Number(port),
	// The same at every start, so that an open page goes on after a restart.
	token: 'grove-dev-shell-token',
});
process.stdout.write(`${shell.url}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => {
		void (async () => {
			await shell.close();
			await opened.close();
			rmSync(folder, { recursive: true, force: true });
			process.exit(0);
		})();
	});
}
