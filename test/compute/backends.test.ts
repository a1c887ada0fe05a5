import { describe, expect, it } from 'vitest';
import { chooseDevice, inspectBackends } from '../../src-main/compute/index.ts';
import { GroveError } from '../../src-main/contract/errors.ts';

describe('the backends of this machine', () => {
	it('are all told of; auto takes the first usable one that is no emulation', async () => {
		const { backends, chosen } = await inspectBackends({ measure: false });
		expect(backends.map(({ backend }) => backend)).toEqual(['cuda', 'webgpu', 'cpu']);
		const [first] = backends.filter(({ usable, software }) => usable && !software);
		expect(chosen).toBe(first?.backend);
		const device = await chooseDevice('auto');
		expect(device.backend).toBe(chosen);
		expect(device.caution).toBeNull();
	});

	it('the processor is always there, without tfjs', async () => {
		expect(await chooseDevice('cpu')).toMatchObject({ backend: 'cpu', name: 'cpu', tf: null });
	});

	it('one that is named is taken, or refused with the reason that the report gives', async () => {
		const { backends } = await inspectBackends({ measure: false });
		for (const { backend, usable, software, reason, advice } of backends) {
			const outcome = await chooseDevice(backend).catch((error: unknown) => error);
			if (usable) {
				expect(outcome).toMatchObject({ backend });
				const hasCaution =
					outcome instanceof Object && 'caution' in outcome && outcome.caution !== null;
				expect(hasCaution).toBe(software);
			} else {
				if (!(outcome instanceof GroveError)) throw new Error(`${backend} was taken`);
				expect(outcome.kind).toBe('bad-input');
				expect(outcome.message).toContain(reason);
				expect(outcome.message).toContain(advice);
			}
		}
	});
});
