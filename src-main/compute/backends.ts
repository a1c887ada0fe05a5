/** Which backends work here, which one is taken, and why the others are not. */
import { cpus, totalmem } from 'node:os';
import { GroveError } from '../contract/errors.ts';
import type { BackendReport } from '../contract/requests.ts';
import { measureCpu, measureTfjs, type Rates } from './measure.ts';
import { findWebgpu, type GpuFacts, loadCuda, loadWebgpu, type Tfjs } from './tensorflow.ts';

export type BackendName = BackendReport['backend'];

/** What a run is computed on. */
export interface Device {
	backend: BackendName;
	/** Shown as the device of the run. */
	name: string;
	detail: string;
	/** tfjs with its GPU backend set; null on the CPU, which needs none. */
	tf: Tfjs | null;
	/** Bytes of the tensors that it holds at present; null where they are the memory of the process itself. */
	usedBytes: () => number | null;
	/** Why another device would be better; null as a rule. */
	caution: string | null;
}

const advice = {
	cuda: 'for an NVIDIA GPU: install the driver with CUDA 11 and cuDNN 8, then `npm install @tensorflow/tfjs-node-gpu`',
	webgpu:
		'install the GPU driver with Vulkan (Linux: libvulkan1 and the vendor’s driver), and the npm package `webgpu`',
	cpu: '',
} as const;

const softwareReason = 'a software adapter: an emulation on the CPU, slower than the cpu backend';

/**
 * Takes the named backend, or for `auto` the first usable of cuda, webgpu, cpu.
 * Throws GroveError 'bad-input' with reason and advice if the named one cannot be used.
 */
export async function chooseDevice(wanted: 'auto' | BackendName): Promise<Device> {
	if (wanted === 'cpu') return cpuDevice();
	if (wanted === 'cuda') return await named('cuda', loadCuda);
	if (wanted === 'webgpu') return await named('webgpu', loadWebgpu);
	try {
		return gpuDevice('cuda', await loadCuda());
	} catch {
		// The next one; `inspectBackends` tells the reasons.
	}
	try {
		const { software } = await findWebgpu();
		if (!software) return gpuDevice('webgpu', await loadWebgpu());
	} catch {
		// As above.
	}
	return cpuDevice();
}

async function named(
	backend: 'cuda' | 'webgpu',
	load: () => Promise<{ tf: Tfjs; facts: GpuFacts }>,
): Promise<Device> {
	try {
		return gpuDevice(backend, await load());
	} catch (cause) {
		throw new GroveError(
			'bad-input',
			{
				what: `the backend ${backend} cannot be used: ${reasonOf(cause)}`,
				where: 'device',
				given: backend,
				fix: `${advice[backend]}; or set device: auto`,
			},
			{ cause },
		);
	}
}

function gpuDevice(backend: BackendName, loaded: { tf: Tfjs; facts: GpuFacts }): Device {
	const { adapter, driver, software } = loaded.facts;
	return {
		backend,
		name: `${backend}: ${adapter}`,
		detail: `${driver}, fp32`,
		tf: loaded.tf,
		caution: software ? `${adapter} is ${softwareReason}` : null,
		usedBytes: () => loaded.tf.memory().numBytes,
	};
}

function cpuDevice(): Device {
	const detail = `${cpuName()}, ONNX Runtime, fp32`;
	return { backend: 'cpu', name: 'cpu', detail, tf: null, caution: null, usedBytes: () => null };
}

function cpuName(): string {
	const cores = cpus();
	return `${cores[0]?.model.trim() ?? 'processor'}, ${cores.length} cores`;
}

/** First line of whatever was thrown: native loaders print whole pages. */
function reasonOf(thrown: unknown): string {
	const text = thrown instanceof Error ? thrown.message : String(thrown);
	if (/Cannot find (module|package)/.test(text)) return 'its npm package is not installed';
	return text.split('\n')[0] ?? '';
}

/** All three backends, and the one that `auto` takes. `measure`: about a second on each usable one. */
export async function inspectBackends(options: {
	measure: boolean;
}): Promise<{ backends: BackendReport[]; chosen: BackendName }> {
	const { measure } = options;
	const cuda = await inspectGpu('cuda', loadCuda, measure);
	const webgpu = await inspectGpu('webgpu', loadWebgpu, measure);
	const cpu: BackendReport = {
		backend: 'cpu',
		usable: true,
		reason: 'always there',
		adapter: cpuName(),
		memoryBytes: totalmem(),
		driver: 'ONNX Runtime',
		...rates(measure ? measureCpu() : null),
		advice: '',
		software: false,
	};
	const backends = [cuda, webgpu, cpu];
	const chosen = backends.find(({ usable, software }) => usable && !software) ?? cpu;
	return { backends, chosen: chosen.backend };
}

async function inspectGpu(
	backend: 'cuda' | 'webgpu',
	load: () => Promise<{ tf: Tfjs; facts: GpuFacts }>,
	measure: boolean,
): Promise<BackendReport> {
	try {
		const { tf, facts } = await load();
		// Measuring an emulation takes long and tells nothing.
		const measured = measure && !facts.software ? await measureTfjs(tf) : null;
		return {
			backend,
			usable: true,
			reason: facts.software ? softwareReason : 'found and working',
			adapter: facts.adapter,
			memoryBytes: facts.memoryBytes,
			driver: facts.driver,
			...rates(measured),
			advice: facts.software ? advice[backend] : '',
			software: facts.software,
		};
	} catch (error) {
		return {
			backend,
			usable: false,
			reason: reasonOf(error),
			adapter: '',
			memoryBytes: null,
			driver: '',
			...rates(null),
			advice: advice[backend],
			software: false,
		};
	}
}

function rates(measured: Rates | null): { gemmGflops: number | null; readGBs: number | null } {
	return measured ?? { gemmGflops: null, readGBs: null };
}
