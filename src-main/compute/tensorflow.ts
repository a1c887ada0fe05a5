/**
 * tfjs and its GPU backends, loaded only when wanted. One copy of tfjs-core serves them all: a tensor of one
 * copy means nothing to another, so everything is required from here.
 */
import { createRequire } from 'node:module';
import util from 'node:util';
import type * as Tensorflow from '@tensorflow/tfjs';
import { watchDevice, type WatchedDevice } from './device-errors.ts';
import { nvidiaFacts } from './nvidia.ts';

export type Tfjs = typeof Tensorflow;

export interface GpuFacts {
	adapter: string;
	driver: string;
	memoryBytes: number | null;
	/** An emulation on the CPU: right for tests, never chosen by itself. */
	software: boolean;
}

const require = createRequire(import.meta.url);

/** tfjs itself with its plain CPU backend; the package's main entry registers all gradients. */
export function loadTfjs(): Tfjs {
	return require('@tensorflow/tfjs') as Tfjs;
}

/** Loads tfjs-node-gpu. Throws Error with the reason if it is not installed, cannot load, or sees no GPU. */
export async function loadCuda(): Promise<{ tf: Tfjs; facts: GpuFacts }> {
	// First whether it is there: tfjs itself takes a while to load.
	require.resolve('@tensorflow/tfjs-node-gpu');
	const tf = loadTfjs();
	withOldUtil(() => require('@tensorflow/tfjs-node-gpu') as unknown);
	if (!(await tf.setBackend('tensorflow'))) throw new Error('its backend did not start');
	const backend = tf.backend() as { isUsingGpuDevice?: boolean };
	if (backend.isUsingGpuDevice !== true) {
		await tf.setBackend('cpu');
		throw new Error(
			'libtensorflow loaded but sees no NVIDIA GPU (driver, CUDA 11 or cuDNN 8 missing)',
		);
	}
	const nvidia = await nvidiaFacts();
	const library = `TensorFlow ${tf.version['tfjs-core']}`;
	return {
		tf,
		facts: {
			adapter: nvidia?.name ?? 'NVIDIA GPU',
			driver: nvidia === null ? library : `driver ${nvidia.driver}, ${library}`,
			memoryBytes: nvidia?.memoryBytes ?? null,
			software: false,
		},
	};
}

interface ModuleLoader {
	_load: (request: string, ...rest: unknown[]) => unknown;
}

/**
 * tfjs-node calls `util.isNullOrUndefined`, gone since Node 23. What is loaded meanwhile gets a `util` of its own
 * that has it; the real one stays as it is for everybody else.
 */
export function withOldUtil<T>(load: () => T): T {
	const loader = require('node:module') as ModuleLoader;
	const original = loader._load;
	const oldUtil = {
		...util,
		isNullOrUndefined: (value: unknown) => value === null || value === undefined,
	};
	loader._load = function (request, ...rest) {
		return request === 'util' ? oldUtil : original.call(this, request, ...rest);
	};
	try {
		return load();
	} finally {
		loader._load = original;
	}
}

interface WebgpuModule {
	create: (options: string[]) => { requestAdapter: () => Promise<WebgpuAdapter | null> };
	globals: Record<string, unknown>;
}

interface WebgpuAdapter {
	info: {
		vendor: string;
		architecture: string;
		device: string;
		description: string;
		isFallbackAdapter?: boolean;
	};
	limits: { maxBufferSize: number };
}

const softwareAdapters = /swiftshader|llvmpipe|lavapipe|softpipe|basic render|warp/i;

/**
 * Whether the system's Vulkan loader is there. Dawn would complain of a missing one on standard error, past
 * everybody, on every machine without a GPU.
 */
function hasVulkanLoader(): boolean {
	try {
		process.dlopen({ exports: {} }, 'libvulkan.so.1');
		return true;
	} catch (error) {
		// What Node says of a library that it found and that is no addon.
		return /self-register/i.test(String(error));
	}
}

/** Dawn's first adapter, without making it tfjs's backend. Throws Error with the reason if there is none. */
export async function findWebgpu(): Promise<GpuFacts> {
	if (process.platform === 'linux' && !hasVulkanLoader())
		throw new Error('no Vulkan loader was found (libvulkan.so.1)');
	const module = require('webgpu') as WebgpuModule;
	Object.assign(globalThis, module.globals);
	if (!('gpu' in navigator)) {
		Object.defineProperty(navigator, 'gpu', { value: module.create([]), configurable: true });
	}
	const { gpu } = navigator as unknown as { gpu: ReturnType<WebgpuModule['create']> };
	const adapter = await gpu.requestAdapter();
	if (adapter === null)
		throw new Error('no GPU adapter was found (no Vulkan, Metal or D3D12 driver)');
	const { info, limits } = adapter;
	const nvidia = /nvidia/i.test(info.vendor) ? await nvidiaFacts() : null;
	const names = [info.vendor, info.architecture, info.device].filter((name) => name !== '');
	const adapterName = info.description === '' ? names.join(' ') : info.description;
	return {
		adapter: adapterName,
		driver: `Dawn, ${names.join(' ')}, buffers up to ${Math.round(limits.maxBufferSize / 2 ** 20)} MiB`,
		// WebGPU keeps it to itself.
		memoryBytes: nvidia?.memoryBytes ?? null,
		software:
			info.isFallbackAdapter === true || softwareAdapters.test([...names, adapterName].join(' ')),
	};
}

/** Makes WebGPU tfjs's backend. Throws Error with the reason if it cannot. */
export async function loadWebgpu(): Promise<{ tf: Tfjs; facts: GpuFacts }> {
	const facts = await findWebgpu();
	const tf = loadTfjs();
	require('@tensorflow/tfjs-backend-webgpu');
	if (!(await tf.setBackend('webgpu'))) throw new Error('its backend did not start');
	const { device } = tf.backend() as unknown as { device: WatchedDevice };
	watchDevice(device);
	return { tf, facts };
}
