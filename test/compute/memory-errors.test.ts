import { describe, expect, it, vi } from 'vitest';
import type { WatchedDevice } from '../../src-main/compute/device-errors.ts';

const need = { what: 'the weights of a model', bytes: 3 * 2 ** 30 };

/** The parts afresh: the first error of a device stays with the process. */
async function fresh(): Promise<
	typeof import('../../src-main/compute/memory-errors.ts') &
		typeof import('../../src-main/compute/device-errors.ts')
> {
	vi.resetModules();
	return {
		...(await import('../../src-main/compute/memory-errors.ts')),
		...(await import('../../src-main/compute/device-errors.ts')),
	};
}

async function failure(work: Promise<unknown>): Promise<Error & { kind: string }> {
	const thrown = await work.then(
		() => null,
		(error: unknown) => error,
	);
	// Not instanceof: modules loaded afresh have a class of their own.
	if (thrown instanceof Error && 'kind' in thrown && typeof thrown.kind === 'string')
		return Object.assign(thrown, { kind: thrown.kind });
	throw new Error(`no failure of a kind: ${String(thrown)}`);
}

describe('a failed allocation', () => {
	it.each([
		['V8', new RangeError('Array buffer allocation failed')],
		['ONNX Runtime', new Error('Failed to allocate memory for requested buffer of size 1024')],
		['TensorFlow', new Error('OOM when allocating tensor with shape[8,1024]')],
		['Dawn', new RangeError('createBuffer failed to allocate a buffer mapped at creation.')],
	])('of %s names the need and the three settings', async (_, error) => {
		const { tellingMemory } = await fresh();
		const told = await failure(tellingMemory(need, () => Promise.reject(error)));
		expect(told.kind).toBe('device');
		expect(told.message).toContain('not enough memory for the weights of a model');
		expect(told.message).toContain('about 3.0 GiB');
		for (const setting of ['micro_batch_tokens', 'num_generations', 'max_new_tokens'])
			expect(told.message).toContain(setting);
		expect(told.cause).toBe(error);
	});

	it('is told from every other error, which stays itself', async () => {
		const { tellingMemory } = await fresh();
		const bug = new TypeError('x is not a function');
		await expect(tellingMemory(need, () => Promise.reject(bug))).rejects.toBe(bug);
		await expect(tellingMemory(need, () => 7)).resolves.toBe(7);
	});
});

/** A device that says what it is told to. */
function fakeDevice(): WatchedDevice & { report: (message: string) => void; lose: () => void } {
	let listener: Parameters<WatchedDevice['addEventListener']>[1] | undefined;
	let lose: () => void = () => undefined;
	const lost = new Promise<{ reason: string; message: string }>((resolve) => {
		lose = () => resolve({ reason: 'unknown', message: 'driver reset' });
	});
	return {
		lost,
		lose,
		addEventListener: (_, own) => {
			listener = own;
		},
		report: (message) => listener?.({ error: { message }, preventDefault: () => undefined }),
	};
}

describe('what a device reports beside its results', () => {
	it('makes them unusable, now and later', async () => {
		const { tellingMemory, watchDevice } = await fresh();
		const device = fakeDevice();
		watchDevice(device);
		await expect(tellingMemory(need, () => 1)).resolves.toBe(1);
		const wrong = tellingMemory(need, () => {
			device.report('vkAllocateMemory failed with VK_ERROR_OUT_OF_DEVICE_MEMORY');
			return 2;
		});
		expect((await failure(wrong)).message).toContain('not enough memory');
		expect((await failure(tellingMemory(need, () => 3))).message).toContain('not enough memory');
	});

	it('is the cause of what fails afterwards', async () => {
		const { tellingMemory, watchDevice } = await fresh();
		const device = fakeDevice();
		watchDevice(device);
		device.report('Buffer size (2147483648) exceeds the max buffer size limit (1073741824).');
		device.report('[Invalid Buffer] is invalid due to a previous error.');
		const told = await failure(
			tellingMemory(need, () => Promise.reject(new Error('mapAsync failed'))),
		);
		expect(told.message).toContain('not enough memory');
	});

	it('is told as it is where it is not about memory', async () => {
		const { tellingMemory, watchDevice } = await fresh();
		const device = fakeDevice();
		watchDevice(device);
		device.lose();
		await device.lost;
		const told = await failure(tellingMemory(need, () => 1));
		expect(told.kind).toBe('device');
		expect(told.message).toContain('the GPU was lost: driver reset');
		expect(told.message).toContain('resume');
	});
});
