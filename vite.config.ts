import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

const configFile = fileURLToPath(new URL('svelte.config.js', import.meta.url));

/** The renderer's build, as the browser shell serves it, and the test projects. */
export default defineConfig({
	root: 'src-renderer',
	plugins: [svelte({ configFile })],
	build: { outDir: '../dist/renderer', emptyOutDir: true, target: 'es2023' },
	test: {
		root: '.',
		reporters: ['default', ['json', { outputFile: 'dist/test-results.json' }]],
		projects: [
			{
				root: '.',
				test: {
					name: 'node',
					environment: 'node',
					include: ['test/**/*.test.ts'],
					exclude: ['test/**/*.dom.test.ts', 'test/e2e/**', 'test/electron/**'],
					testTimeout: 60_000,
					hookTimeout: 60_000,
					pool: 'forks',
				},
			},
			{
				root: '.',
				plugins: [svelte({ configFile }), svelteTesting()],
				test: { name: 'dom', environment: 'happy-dom', include: ['test/**/*.dom.test.ts'] },
			},
			{
				root: '.',
				test: {
					name: 'browser',
					environment: 'node',
					include: ['test/e2e/**/*.test.ts'],
					globalSetup: ['test/support/browser-setup.ts'],
					testTimeout: 180_000,
					hookTimeout: 180_000,
					pool: 'forks',
					fileParallelism: false,
				},
			},
		],
	},
});
