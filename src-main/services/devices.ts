import { GroveError } from '../contract/errors.ts';
import type { RequestResults } from '../contract/requests.ts';
import type { SpawnTrainer } from '../runs/trainer-messages.ts';

/** Drivers that hang are given up after this time. */
const patienceMs = 60_000;

/**
 * What can train here, as a trainer sees it: in a process of its own, so that a driver's crash takes nothing
 * with it and the GPU is free again afterwards. `measure`: about a second of matrix products and reads on
 * each usable device. Throws 'device' where the process ends or hangs instead of answering.
 */
export function inspectDevices(
	spawn: SpawnTrainer,
	measure: boolean,
): Promise<RequestResults['doctor.run']> {
	const process = spawn();
	return new Promise<RequestResults['doctor.run']>((resolve, reject) => {
		const fail = (what: string, output: string): void => {
			reject(
				new GroveError('device', {
					what,
					given: output === '' ? undefined : output,
					fix: 'use device: cpu, and look for a newer driver of the GPU',
				}),
			);
		};
		const timer = setTimeout(() => {
			fail(`looking at the devices took longer than ${patienceMs / 1000} s`, '');
			process.kill();
		}, patienceMs);
		process.onMessage((message) => {
			if (message.kind !== 'devices') return;
			resolve({ backends: message.backends, chosen: message.chosen });
		});
		process.onExit(({ code, signal, lastOutput }) => {
			clearTimeout(timer);
			// After an answer this changes nothing any more.
			fail(
				`looking at the devices ended with ${signal ?? `exit code ${code ?? 'unknown'}`}`,
				lastOutput.trim().split('\n').slice(-12).join('\n'),
			);
		});
		process.send({ kind: 'inspect', measure });
	});
}
