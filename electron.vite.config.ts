import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';
import manifest from './package.json' with { type: 'json' };

// Optional packages may be absent; they are looked for when a device is chosen, never bundled.
const optional = Object.keys(manifest.optionalDependencies);

/**
 * The desktop build: main process and trainer as ES modules side by side in dist/main (so that `../../`
 * leads to the application's folder from every file, as it does from src-main/*), the preload script as
 * one CommonJS file (a sandboxed one can be nothing else), and the renderer as the browser shell has it.
 */
export default defineConfig({
	main: {
		build: {
			outDir: 'dist/main',
			target: 'node24',
			externalizeDeps: { include: optional },
			rollupOptions: {
				input: {
					main: 'src-main/shell/electron/main.ts',
					'utility-trainer': 'src-main/shell/electron/utility-trainer.ts',
				},
				output: {
					format: 'es',
					entryFileNames: '[name].js',
					chunkFileNames: '[name]-[hash].js',
				},
			},
		},
	},
	preload: {
		build: {
			outDir: 'dist/preload',
			externalizeDeps: false,
			rollupOptions: {
				input: { preload: 'src-main/shell/electron/preload.ts' },
				output: { format: 'cjs', entryFileNames: '[name].cjs' },
			},
		},
	},
	renderer: {
		root: 'src-renderer',
		plugins: [svelte({ configFile: '../svelte.config.js' })],
		build: {
			outDir: 'dist/renderer',
			target: 'es2023',
			rollupOptions: { input: 'src-renderer/index.html' },
		},
	},
});
