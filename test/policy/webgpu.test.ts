/**
 * The decoder on WebGPU against PyTorch transformers, with the smallest models: here the adapter is Chromium's
 * emulation, which takes its time. Where there is none, the test says so and is skipped; `npm run test:gpu` tries real ones.
 */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { findChromium } from '../support/chromium.ts';

const script = fileURLToPath(new URL('../support/golden-on-webgpu.ts', import.meta.url));
/** Biases and an untied head; norms of queries and keys and a tied one. */
const models = ['qwen2-small-heads', 'qwen3-small-heads'];

const answer = z.union([
	z.strictObject({ missing: z.string() }),
	z.strictObject({
		adapter: z.string(),
		models: z.record(z.string(), z.record(z.string(), z.number())),
	}),
]);

/** The folders where Chromium may have its own Vulkan loader and SwiftShader. */
function emulationFolder(): string | null {
	const chromium = findChromium();
	const folders = ['/usr/lib/chromium'];
	if (chromium !== null) folders.unshift(dirname(realpathSync(chromium)));
	return folders.find((folder) => existsSync(join(folder, 'vk_swiftshader_icd.json'))) ?? null;
}

async function onWebgpu(): Promise<z.infer<typeof answer>> {
	const folder = emulationFolder();
	const emulation =
		folder === null
			? {}
			: { LD_LIBRARY_PATH: folder, VK_DRIVER_FILES: join(folder, 'vk_swiftshader_icd.json') };
	const child = spawn(process.execPath, [script, ...models], {
		env: { ...process.env, ...emulation },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let text = '';
	child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
	await new Promise((resolve) => child.once('close', resolve));
	return answer.parse(JSON.parse(text));
}

test('agrees with transformers: logits, log-probabilities, gradient, three AdamW steps', async (context) => {
	const found = await onWebgpu();
	if ('missing' in found) {
		console.log(`WebGPU is not tested here: ${found.missing}`);
		context.skip(found.missing);
		return;
	}
	expect(Object.keys(found.models)).toEqual(models);
	for (const [name, differences] of Object.entries(found.models))
		for (const [what, difference] of Object.entries(differences))
			expect(difference, `${what} of ${name} on ${found.adapter}`).toBeLessThan(1e-4);
}, 300_000);
