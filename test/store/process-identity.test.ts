/** A run that says it runs: believed while its process is there, and never ended by a slow clock or a sleeping machine. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { identify, isStillThere } from '../../src-main/store/index.ts';
import type { LookAtProcess } from '../../src-main/store/process-identity.ts';
import { newRun, started } from '../support/new-run.ts';
import { temporaryStore } from '../support/temporary-store.ts';

const minute = 60_000;

describe('a process of this machine', () => {
	it('is itself only as long as it lives', async () => {
		const script = fileURLToPath(new URL('./processes/waiting.ts', import.meta.url));
		const child = fork(script, { stdio: 'ignore' });
		await once(child, 'message');
		const { pid = 0 } = child;
		const driver = { ...identify(pid), heartbeatAtMs: 0 };
		expect(driver.host).toBe(hostname());
		expect(isStillThere(driver, Date.now())).toBe(true);
		child.kill('SIGKILL');
		await once(child, 'exit');
		expect(isStillThere(driver, Date.now())).toBe(false);
	});

	it.each<[string, ReturnType<LookAtProcess>, boolean]>([
		['the same start', { isAlive: true, start: 'boot/1' }, true],
		['a later process of the same number', { isAlive: true, start: 'boot/2' }, false],
		['the same number after a restart of the machine', { isAlive: true, start: 'other/1' }, false],
		['a start that cannot be told', { isAlive: true, start: null }, true],
		['no process', { isAlive: false, start: null }, false],
	])('is told by %s', (_, found, isThere) => {
		// A heartbeat of long ago: the machine slept, or the process was stopped for a while.
		const driver = { host: 'here', pid: 7, start: 'boot/1', heartbeatAtMs: 0 };
		expect(isStillThere(driver, 1e12, () => found, 'here')).toBe(isThere);
	});

	it('that never began drives nothing', () => {
		const driver = { host: 'here', pid: null, start: null, heartbeatAtMs: 1 };
		expect(isStillThere(driver, 2, () => ({ isAlive: true, start: null }), 'here')).toBe(false);
	});
});

describe('a process of another machine', () => {
	it('counts as there while its heartbeats come', () => {
		const driver = { host: 'there', pid: 7, start: 'x', heartbeatAtMs: 100 * minute };
		const gone: LookAtProcess = () => ({ isAlive: false, start: null });
		expect(isStillThere(driver, 101 * minute, gone, 'here')).toBe(true);
		expect(isStillThere(driver, 99 * minute, gone, 'here')).toBe(true);
		expect(isStillThere(driver, 120 * minute, gone, 'here')).toBe(false);
		expect(isStillThere({ ...driver, heartbeatAtMs: null }, 0, gone, 'here')).toBe(false);
	});
});

describe('the status of a run', () => {
	it('is crashed where its process is gone, and as it says otherwise', async () => {
		const store = await temporaryStore();
		const id = store.createRun(newRun());
		const recorder = store.recorder(id);
		recorder.record(started());
		const status = (): string => store.getRun(id).run.status;
		recorder.claim(identify());
		expect(status()).toBe('running');
		recorder.claim({ ...identify(), start: 'another boot/1' });
		expect(status()).toBe(process.platform === 'linux' ? 'crashed' : 'running');
		recorder.record({ kind: 'finished', step: 1 });
		expect(status()).toBe('finished');
	});
});
