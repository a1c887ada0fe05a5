/** Telling whether the process that drives a run is still there, so that a live run is never taken for dead. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
	host: string;
	pid: number;
	/** Tells a process from a later one with the same number; null where the platform does not say. */
	start: string | null;
}

/** What this machine says of a process: gone, or there with its start (null: unknown). */
export type LookAtProcess = (pid: number) => { isAlive: boolean; start: string | null };

/** Linux: boot and clock tick of the start. A reboot gives every process a new identity. */
function linuxStart(pid: number): string | null {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		// The name, in brackets, may hold spaces and brackets itself. Field 22 is the start time.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		const state = fields[0];
		const ticks = fields[19];
		if (ticks === undefined || state === 'Z' || state === 'X') return null;
		const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
		return `${boot}/${ticks}`;
	} catch {
		return null;
	}
}

/** How long an answer of the slow tools holds. */
const answerHoldsMs = 30_000;
const answers = new Map<number, { start: string | null; atMs: number }>();

/** Elsewhere the system's own tools tell, slowly. */
function otherStart(pid: number): string | null {
	const held = answers.get(pid);
	const nowMs = performance.now();
	if (held !== undefined && nowMs - held.atMs < answerHoldsMs) return held.start;
	const start = askForStart(pid);
	answers.set(pid, { start, atMs: nowMs });
	return start;
}

function ticksOf(pid: number): string {
	return `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().Ticks`;
}

function askForStart(pid: number): string | null {
	const [command, args] =
		process.platform === 'win32'
			? (['powershell', ['-NoProfile', '-Command', ticksOf(pid)]] as const)
			: (['ps', ['-o', 'lstart=', '-p', String(pid)]] as const);
	const result = spawnSync(command, args, { encoding: 'utf8', timeout: 5000 });
	const text = result.status === 0 ? result.stdout.trim() : '';
	return text === '' ? null : text;
}

export const lookAtProcess: LookAtProcess = (pid) => {
	if (process.platform === 'linux') {
		const start = linuxStart(pid);
		return { isAlive: start !== null, start };
	}
	try {
		process.kill(pid, 0);
	} catch (error) {
		// EPERM: there, but somebody else's.
		const isAlive = error instanceof Error && 'code' in error && error.code === 'EPERM';
		return { isAlive, start: null };
	}
	return { isAlive: true, start: otherStart(pid) };
};

/** This process, or another one of this machine. */
export function identify(pid: number = process.pid): ProcessIdentity {
	return { host: hostname(), pid, start: lookAtProcess(pid).start };
}

/** After this long without a heartbeat a run of another machine, which cannot be asked, counts as ended. */
const silenceMs = 15 * 60 * 1000;

/**
 * Whether a process still drives its run. On this machine the process itself decides, not the heartbeat:
 * a machine that slept, a stopped process or a changed clock must not end a run.
 */
export function isStillThere(
	driver: { host: string; pid: number | null; start: string | null; heartbeatAtMs: number | null },
	nowMs: number,
	look: LookAtProcess = lookAtProcess,
	here: string = hostname(),
): boolean {
	if (driver.host !== here) {
		return driver.heartbeatAtMs !== null && nowMs - driver.heartbeatAtMs < silenceMs;
	}
	if (driver.pid === null) return false;
	const found = look(driver.pid);
	if (!found.isAlive) return false;
	// Where a start is unknown, the number has to do.
	return driver.start === null || found.start === null || driver.start === found.start;
}
