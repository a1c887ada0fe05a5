import { afterEach, describe, expect, it, vi } from 'vitest';
import { GroveError } from '../../src-main/contract/errors.ts';
import type {
	FromTrainer,
	SpawnTrainer,
	ToTrainer,
	TrainerExit,
} from '../../src-main/runs/trainer-messages.ts';
import { spawnNodeTrainer } from '../../src-main/runs/spawn-trainer.ts';
import { inspectDevices } from '../../src-main/services/devices.ts';

/** A trainer process that does as it is told. */
function standIn(): {
	spawn: SpawnTrainer;
	asked: ToTrainer[];
	killed: () => boolean;
	say: (message: FromTrainer) => void;
	end: (exit: TrainerExit) => void;
} {
	const asked: ToTrainer[] = [];
	const listeners: ((message: FromTrainer) => void)[] = [];
	const exits: ((exit: TrainerExit) => void)[] = [];
	let isKilled = false;
	const end = (exit: TrainerExit): void => exits.forEach((listener) => listener(exit));
	return {
		asked,
		killed: () => isKilled,
		say: (message) => listeners.forEach((listener) => listener(message)),
		end,
		spawn: () => ({
			pid: 1,
			send: (message) => asked.push(message),
			onMessage: (listener) => listeners.push(listener),
			onExit: (listener) => exits.push(listener),
			kill: () => {
				isKilled = true;
				end({ code: null, signal: 'SIGKILL', lastOutput: '' });
			},
		}),
	};
}

afterEach(() => {
	vi.useRealTimers();
});

describe('looking at the devices', () => {
	it('asks a trainer process, and takes its answer', async () => {
		const { backends, chosen } = await inspectDevices(spawnNodeTrainer, false);
		expect(backends.map(({ backend }) => backend)).toEqual(['cuda', 'webgpu', 'cpu']);
		expect(backends.find(({ backend }) => backend === chosen)?.usable).toBe(true);
		expect(backends.every(({ gemmGflops }) => gemmGflops === null)).toBe(true);
	});

	it('passes on whether to measure', async () => {
		const { spawn, asked, say } = standIn();
		const answer = inspectDevices(spawn, true);
		say({ kind: 'ready' });
		say({ kind: 'devices', backends: [], chosen: 'cpu' });
		expect(await answer).toEqual({ backends: [], chosen: 'cpu' });
		expect(asked).toEqual([{ kind: 'inspect', measure: true }]);
	});

	it('survives a driver that takes the process down, and shows its last words', async () => {
		const { spawn, end } = standIn();
		const answer = inspectDevices(spawn, false);
		end({ code: null, signal: 'SIGSEGV', lastOutput: 'first\nvulkan: lost\n' });
		const error = await answer.catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(GroveError);
		expect(String(error)).toContain('SIGSEGV');
		expect(String(error)).toContain('vulkan: lost');
	});

	it('gives up a driver that hangs, and ends its process', async () => {
		vi.useFakeTimers();
		const { spawn, killed } = standIn();
		const answer = inspectDevices(spawn, false).catch((thrown: unknown) => thrown);
		await vi.advanceTimersByTimeAsync(59_000);
		expect(killed()).toBe(false);
		await vi.advanceTimersByTimeAsync(2_000);
		expect(String(await answer)).toContain('took longer than 60 s');
		expect(killed()).toBe(true);
	});
});
