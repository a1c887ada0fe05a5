/**
 * `npm run test:gpu`: tries cuda and webgpu on this machine, each in a process of its own, against the
 * CPU backend. A device that cannot be used is skipped in one line that says why. `--software` tries an emulated
 * GPU too, which takes minutes. Ends with 1 where a device that can be used fails a check.
 */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { spawnNodeTrainer } from '../../src-main/runs/spawn-trainer.ts';
import { inspectDevices } from '../../src-main/services/devices.ts';

const script = fileURLToPath(new URL('./check-device.ts', import.meta.url));

function check(backend: string): Promise<number> {
	const child = spawn(process.execPath, [script, backend], {
		stdio: 'inherit',
		// Agreement to 1e-4 is asked of 32-bit products; cuBLAS would take 19 bits of them.
		env: { ...process.env, NVIDIA_TF32_OVERRIDE: '0' },
	});
	return new Promise((resolve) => {
		child.once('exit', (code) => resolve(code ?? 1));
	});
}

const triesSoftware = process.argv.includes('--software');
const { backends } = await inspectDevices(spawnNodeTrainer, false);
let failed = 0;
for (const { backend, usable, software, reason, advice } of backends) {
	if (backend === 'cpu') continue;
	if (!usable) console.log(`${backend}: skipped, ${reason}. To use it: ${advice}`);
	else if (software && !triesSoftware)
		console.log(`${backend}: skipped, ${reason} (--software tries it all the same)`);
	else failed += (await check(backend)) === 0 ? 0 : 1;
}
process.exitCode = failed === 0 ? 0 : 1;
