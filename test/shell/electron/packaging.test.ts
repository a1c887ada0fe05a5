import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Resource {
	from: string;
	to: string;
}

interface Configuration {
	files: string[];
	asarUnpack: string[];
	extraResources: Resource[];
	electronFuses: Record<string, boolean>;
	fileAssociations: { ext: string }[];
	publish: null;
	icon: string;
	linux: { target: string[]; icon: string; extraResources: Resource[] };
	mac: { target: { target: string; arch: string }[] };
	win: { target: string[] };
}

// Judged by the builder's own schema in the first test.
const configuration = parse(
	readFileSync(join(root, 'electron-builder.yml'), 'utf8'),
) as Configuration;

/** Whether the list of patterns ships a file: the last pattern that matches decides. */
function ships(path: string): boolean {
	let shipped = path.startsWith('node_modules/');
	for (const pattern of configuration.files) {
		if (pattern.startsWith('!')) {
			if (matchesGlob(path, pattern.slice(1))) shipped = false;
		} else if (matchesGlob(path, pattern)) shipped = true;
	}
	return shipped;
}

/** Files that a module loads, directly and indirectly, and the packages among them. */
function loadedBy(entry: string): { files: Set<string>; packages: Set<string> } {
	const files = new Set<string>();
	const packages = new Set<string>();
	const visit = (path: string): void => {
		if (files.has(path)) return;
		files.add(path);
		const text = readFileSync(path, 'utf8').replaceAll(/^\s*(?:import|export) type .*?;$/gmsu, '');
		for (const [, name = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'([^'\n]+)'/gu)) {
			if (name.startsWith('.')) visit(resolve(dirname(path), name));
			else if (!name.startsWith('node:')) packages.add(name);
		}
	};
	visit(entry);
	return { files, packages };
}

describe('electron-builder.yml', () => {
	it("is right by the builder's own schema", () => {
		const path = join(root, 'node_modules/app-builder-lib/scheme.json');
		const schema = z.fromJSONSchema(
			JSON.parse(readFileSync(path, 'utf8')) as z.core.JSONSchema.JSONSchema,
		);
		expect(schema.safeParse(configuration).error).toBeUndefined();
		expect(schema.safeParse({ ...configuration, linux: { tagret: 'deb' } }).success).toBe(false);
	});

	it('makes the packages of every platform, and takes icons that are there', () => {
		expect(configuration.linux.target).toEqual(['AppImage', 'deb']);
		expect(configuration.mac.target).toEqual([{ target: 'dmg', arch: 'universal' }]);
		expect(configuration.win.target).toEqual(['nsis']);
		expect(configuration.fileAssociations.map(({ ext }) => ext)).toEqual(['grove']);
		const png = readFileSync(join(root, configuration.icon));
		expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([512, 512]);
		for (const size of [16, 32, 48, 64, 128, 256]) {
			const icon = readFileSync(join(root, configuration.linux.icon, `${size}x${size}.png`));
			expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([size, size]);
		}
	});

	it('leaves no way to run foreign code in our name, and asks no server', () => {
		expect(configuration.electronFuses).toEqual({
			runAsNode: false,
			enableCookieEncryption: true,
			enableNodeOptionsEnvironmentVariable: false,
			enableNodeCliInspectArguments: false,
			enableEmbeddedAsarIntegrityValidation: true,
			onlyLoadAppFromAsar: true,
			grantFileProtocolExtraPrivileges: false,
		});
		expect(configuration.publish).toBeNull();
	});

	it('ships what runs, and only that', () => {
		for (const path of [
			'dist/main/main.js',
			'dist/main/utility-trainer.js',
			'dist/preload/preload.cjs',
			'dist/renderer/index.html',
			'dist/renderer/assets/main-abc.js',
			'resources/icons/icon.png',
			'package.json',
			'node_modules/better-sqlite3/lib/index.js',
			'node_modules/ws/lib/websocket.js',
			'node_modules/@tensorflow/tfjs-core/dist/index.js',
			'node_modules/@tensorflow/tfjs/dist/tf.node.js',
		])
			expect([path, ships(path)]).toEqual([path, true]);
		for (const path of [
			'src-main/shell/electron/main.ts',
			'src-renderer/main.ts',
			'test/shell/transports.test.ts',
			'bench/run.ts',
			'dist/main/main.js.map',
			'dist/test-results.json',
			'node_modules/chart.js/dist/chart.js',
			'node_modules/zod/README.md',
			'node_modules/zod/index.d.ts',
			'node_modules/better-sqlite3/deps/sqlite3.c',
		])
			expect([path, ships(path)]).toEqual([path, false]);
	});

	it('unpacks what the system loads by path', () => {
		const unpacked = (path: string): boolean =>
			configuration.asarUnpack.some((pattern) => matchesGlob(path, pattern));
		for (const path of [
			'node_modules/better-sqlite3/prebuilds/linux-x64/better-sqlite3.node',
			'node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1',
			'node_modules/onnxruntime-node/bin/napi-v6/darwin/arm64/libonnxruntime.dylib',
		])
			expect([path, unpacked(path)]).toEqual([path, true]);
		expect(unpacked('dist/main/main.js')).toBe(false);
	});

	it('lays everything that a task process loads beside the Node that runs it', () => {
		const { files, packages } = loadedBy(join(root, 'src-main/tasks/host/host-process.ts'));
		expect([...packages].filter((name) => name !== 'grove/task')).toEqual([]);
		const folders = configuration.extraResources.map(({ from }) => `${from}/`);
		for (const file of files) {
			const path = relative(root, file).replaceAll('\\', '/');
			expect([path, folders.some((folder) => path.startsWith(folder))]).toEqual([path, true]);
		}
		for (const { from, to } of configuration.extraResources) {
			expect(existsSync(join(root, from))).toBe(true);
			expect(to).toBe(`task-host/${from}`);
		}
		expect(configuration.linux.extraResources).toEqual([
			{ from: 'node_modules/node/bin/node', to: 'task-host/node' },
		]);
	});
});

describe('the entry files', () => {
	it('are where package.json and the configuration of the build say', () => {
		const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
			main: string;
		};
		expect(manifest.main).toBe('dist/main/main.js');
		for (const entry of [
			'src-main/shell/electron/main.ts',
			'src-main/shell/electron/preload.ts',
			'src-main/shell/electron/utility-trainer.ts',
		])
			expect([entry, existsSync(join(root, entry))]).toEqual([entry, true]);
	});
});
