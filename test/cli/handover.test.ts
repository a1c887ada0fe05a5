/** The `grove` command started by a Node that is too old for it. */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { groveVersion } from '../../src-main/runs/version.ts';

const command = fileURLToPath(new URL('../../src-main/cli/grove.js', import.meta.url));

/** A Node older than 22 on the PATH, beside the one that npm's scripts put in front; null where there is none. */
function findOldNode(): string | null {
	const name = process.platform === 'win32' ? 'node.exe' : 'node';
	for (const folder of (process.env.PATH ?? '').split(delimiter)) {
		const path = join(folder, name);
		if (folder.includes('node_modules') || !existsSync(path)) continue;
		const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout;
		const major = Number(/^v(\d+)\./u.exec(version)?.[1]);
		if (major < 22) return path;
	}
	return null;
}

const oldNode = findOldNode();
if (oldNode === null)
	console.log('handover: skipped, there is no Node older than 22 on the PATH to start grove with');

describe.skipIf(oldNode === null)('started by an old Node', () => {
	const run = (args: string[], env: NodeJS.ProcessEnv = {}): SpawnSyncReturns<string> =>
		spawnSync(oldNode ?? '', [command, ...args], {
			encoding: 'utf8',
			env: { ...process.env, ...env },
		});

	it('goes on with the Node of the npm packages', () => {
		const { status, stdout, stderr } = run(['--version']);
		expect({ status, stdout, stderr }).toEqual({
			status: 0,
			stdout: `${groveVersion}\n`,
			stderr: '',
		});
		const doctor = JSON.parse(run(['doctor', '--quick', '--json']).stdout) as { node: string };
		expect(doctor.node).toBe(process.versions.node);
	});

	it('hands the exit code back', () => {
		const { status, stderr } = run(['trian']);
		expect(status).toBe(2);
		expect(stderr).toContain('perhaps train');
	});

	it('says what to do where there is no other Node', () => {
		// As in the process that has been handed over to, if it were too old itself.
		const { status, stdout, stderr } = run(['--version'], { GROVE_NODE_HANDOVER: '1' });
		expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
		expect(stderr).toContain('is too old');
		expect(stderr).toContain('npm ci');
	});
});
