/**
 * Errors that a device reports by itself, outside of any call: WebGPU answers a failed allocation with a
 * buffer that computes nonsense, and tells of it in an event. tfjs has one device a process, so there is
 * one first error, after which nothing that the device computes can be believed.
 */

let first: Error | null = null;

export function reportDeviceError(error: Error): void {
	first ??= error;
}

/** The error to which all results since are owed; null as a rule. */
export function deviceError(): Error | null {
	return first;
}

/** What is of use here of a GPUDevice. */
export interface WatchedDevice {
	addEventListener(
		name: 'uncapturederror',
		listener: (event: { error: { message: string }; preventDefault(): void }) => void,
	): void;
	readonly lost: Promise<{ reason: string; message: string }>;
}

export function watchDevice(device: WatchedDevice): void {
	device.addEventListener('uncapturederror', (event) => {
		event.preventDefault();
		reportDeviceError(new Error(event.error.message));
	});
	void device.lost.then(({ reason, message }) => {
		if (reason !== 'destroyed') reportDeviceError(new Error(`the GPU was lost: ${message}`));
	});
}
