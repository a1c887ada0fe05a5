import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FromTrainer, TrainerExit } from '../../../src-main/runs/trainer-messages.ts';
import { LogFile } from '../../../src-main/shell/electron/log-file.ts';
import { menuTemplate } from '../../../src-main/shell/electron/menu.ts';
import { makeSpawnTrainer } from '../../../src-main/shell/electron/spawn-trainer.ts';
import {
	readWindowState,
	writeWindowState,
} from '../../../src-main/shell/electron/window-state.ts';
import { standInElectron } from '../../support/stand-in-electron.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'grove-parts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the place of the window', () => {
	const screen = { x: 0, y: 0, width: 1920, height: 1080 };
	const state = { x: 100, y: 100, width: 800, height: 600, maximized: true };

	it('is kept', () => {
		const path = join(folder, 'state.json');
		writeWindowState(path, state);
		expect(readWindowState(path, [screen])).toEqual(state);
		expect(readWindowState(path, [{ ...screen, x: 3000 }])).toBeNull();
	});

	it.each([
		'',
		'{',
		'null',
		'[]',
		'{"x":1}',
		'{"x":1e99,"y":0,"width":800,"height":600,"maximized":false}',
		'{"x":0,"y":0,"width":1,"height":1,"maximized":false}',
	])('is forgotten where the file holds %j', (text) => {
		const path = join(folder, 'state.json');
		writeFileSync(path, text);
		expect(readWindowState(path, [screen])).toBeNull();
	});

	it('that cannot be kept harms nothing', () => {
		expect(() => writeWindowState(join(folder, 'no', 'such', 'folder'), state)).not.toThrow();
	});
});

describe('the log', () => {
	it('rotates and stays bounded', () => {
		const log = new LogFile(join(folder, 'logs', 'grove.log'));
		for (let i = 0; i < 1200; i++) log.write('info', `entry ${i} ${'x'.repeat(9000)}`);
		expect(readdirSync(join(folder, 'logs')).sort()).toEqual([
			'grove.log',
			'grove.log.1',
			'grove.log.2',
		]);
		expect(log.last(1)[0]?.text).toContain('entry 1199');
	});

	it('survives a damaged line and a folder that cannot be written', () => {
		writeFileSync(join(folder, 'grove.log'), '{"time":"t","level":"info","text":"a"}\n{"cut\n');
		expect(new LogFile(join(folder, 'grove.log')).last(9)).toEqual([
			{ time: 't', level: 'info', text: 'a' },
		]);
		writeFileSync(join(folder, 'file'), '');
		expect(() => new LogFile(join(folder, 'file', 'grove.log')).write('info', 'x')).not.toThrow();
	});
});

describe('a trainer', () => {
	const spawn = () => {
		const { electron, children } = standInElectron();
		const trainer = makeSpawnTrainer(electron.utilityProcess, '/app/trainer.js')();
		const child = children[0];
		if (child === undefined) throw new Error('nothing was started');
		return { trainer, child };
	};

	it('is a utility process that is talked to in messages', () => {
		const { trainer, child } = spawn();
		const heard: FromTrainer[] = [];
		trainer.onMessage((message) => heard.push(message));
		trainer.send({ kind: 'pause' });
		child.emit('message', { kind: 'ready' });
		expect(child.sent).toEqual([{ kind: 'pause' }]);
		expect(heard).toEqual([{ kind: 'ready' }]);
	});

	it('that crashes is told of once, with its last words', async () => {
		const { trainer, child } = spawn();
		const exits: TrainerExit[] = [];
		trainer.onExit((exit) => exits.push(exit));
		child.stderr.write(`${'x'.repeat(40_000)}out of memory`);
		await new Promise((resolve) => setTimeout(resolve, 0));
		child.emit('exit', 134);
		expect(exits).toHaveLength(1);
		expect(exits[0]).toMatchObject({ code: 134, signal: null });
		expect(exits[0]?.lastOutput).toMatch(/^x+out of memory$/u);
		expect(exits[0]?.lastOutput.length).toBeLessThanOrEqual(16 * 1024);
	});
});

describe('the menu', () => {
	const actions = {
		go: () => undefined,
		openFile: () => undefined,
		copyDiagnostics: () => undefined,
		showLogs: () => undefined,
	};

	it.each(['darwin', 'linux', 'win32'] as const)(
		'on %s has no shortcut twice, and a way to quit',
		(platform) => {
			const items = menuTemplate(actions, platform).flatMap(({ submenu }) =>
				Array.isArray(submenu) ? submenu : [],
			);
			const shortcuts = items
				.map(({ accelerator }) => accelerator)
				.filter((text) => text !== undefined);
			expect(new Set(shortcuts).size).toBe(shortcuts.length);
			expect(items.some(({ role }) => role === 'quit')).toBe(true);
		},
	);
});
