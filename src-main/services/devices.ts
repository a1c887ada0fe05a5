import type { BackendReport } from '../contract/requests.ts';
import { cpus, totalmem } from 'node:os';

/** What can train here. `measure`: a second of matrix products and reads on each usable device. */
export function devices(_measure: boolean): Promise<{ backends: BackendReport[]; chosen: string }> {
	const cpu: BackendReport = {
		backend: 'cpu',
		usable: true,
		reason: 'always there',
		adapter: cpus()[0]?.model ?? 'processor',
		memoryBytes: totalmem(),
		driver: 'ONNX Runtime',
		gemmGflops: null,
		readGBs: null,
		advice: '',
		software: false,
	};
	return Promise.resolve({ backends: [cpu], chosen: 'cpu' });
}
