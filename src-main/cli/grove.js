#!/usr/bin/env node
// The `grove` command. Plain JavaScript that any Node can parse: Grove itself needs Node 22.18 or newer
// (type stripping), so an older one hands over to the Node that came with the npm packages.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
const capable = major > 22 || (major === 22 && minor >= 18);

if (capable) {
	// A closed pipe (`grove … | head`) is no fault.
	process.stdout.on('error', (error) => {
		if (error.code === 'EPIPE') process.exit(0);
	});
	const { main } = await import('./main.ts');
	process.exitCode = await main(process.argv.slice(2));
} else {
	const file = process.platform === 'win32' ? 'node.exe' : 'node';
	const bundled = fileURLToPath(new URL(`../../node_modules/node/bin/${file}`, import.meta.url));
	if (existsSync(bundled) && process.env.GROVE_NODE_HANDOVER === undefined) {
		// Asynchronous, so that Ctrl-C reaches the child (same terminal) while this process waits for its answer.
		const child = spawn(bundled, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
			stdio: 'inherit',
			env: { ...process.env, GROVE_NODE_HANDOVER: '1' },
		});
		process.on('SIGINT', () => {});
		process.on('SIGTERM', () => child.kill('SIGTERM'));
		child.on('exit', (code, signal) => {
			process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
		});
	} else {
		process.stderr.write(
			`grove: Node ${process.versions.node} is too old.\n  expected: Node 22.18 or newer\n  to fix:   run \`npm ci\` in Grove's folder (it brings Node 24), or install a newer Node\n`,
		);
		process.exitCode = 2;
	}
}
