import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunProgress } from '../../../src-main/contract/requests.ts';
import { until } from '../../support/browser-shell-client.ts';
import type { DesktopForTest } from '../../support/desktop.ts';
import { desktopForTest } from '../../support/desktop.ts';
import { StandInEvent } from '../../support/stand-in-electron.ts';

let open: DesktopForTest[] = [];
async function start(...options: Parameters<typeof desktopForTest>): Promise<DesktopForTest> {
	const made = await desktopForTest(...options);
	open.push(made);
	return made;
}
afterEach(() => {
	for (const made of open) made.dispose();
	open = [];
});

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe('starting', () => {
	it('opens one confined window on our own page and shows it when it is drawn', async () => {
		const { window } = await start();
		expect(window().loaded).toEqual(['app://grove/index.html']);
		expect(window().shown).toBe(false);
		window().emit('ready-to-show');
		expect(window().shown).toBe(true);
		expect(window().options.webPreferences).toMatchObject({
			sandbox: true,
			contextIsolation: true,
			nodeIntegration: false,
			webSecurity: true,
			webviewTag: false,
			navigateOnDragDrop: false,
		});
	});

	it('a second time touches nothing', async () => {
		const second = await start({ first: false });
		expect(second.started).toBe(false);
		expect(second.workspace.opened()).toBe(0);
		expect(second.windows).toEqual([]);
		expect(second.app.quits).toBe(1);
	});

	it('a second time brings the first to the front, and opens what it was given', async () => {
		const { app, window, windows, folder, context } = await start();
		window().minimized = true;
		app.emit('second-instance', {}, ['grove', '--flag'], folder, {});
		await settled();
		expect(window().minimized).toBe(false);
		expect(window().focused).toBeGreaterThan(0);
		writeFileSync(join(folder, 'my run.yaml'), 'task: story\n');
		app.emit('second-instance', {}, ['grove', 'my run.yaml'], folder, {});
		await until(() => window().loaded.length > 1, 'the form');
		expect(window().loaded.at(-1)).toBe('app://grove/index.html#/new?opened=my%20run.yaml');
		expect(windows).toHaveLength(1);
		const [entry] = context.records.listSaved('opened').entries;
		expect(JSON.parse(entry?.value ?? '')).toEqual({ text: 'task: story\n', baseFolder: folder });
	});

	it('with a bundle imports it and shows the runs', async () => {
		const told: string[] = [];
		const { window } = await start({ argv: ['grove', '/elsewhere/a.grove'] });
		expect(window().loaded.at(-1)).toContain('#/runs');
		const second = await start();
		second.context.publisher.listen((push) => {
			if (push.name === 'notice') told.push(push.payload.text);
		});
		const event = new StandInEvent();
		second.app.emit('open-file', event, '/elsewhere/b.grove');
		await until(() => told.length > 0, 'a notice');
		expect(event.prevented).toBe(true);
		expect(told).toEqual(['b.grove was imported.']);
	});

	it('with a file that cannot be read says so', async () => {
		const { context, app, folder } = await start();
		const told: string[] = [];
		context.publisher.listen((push) => {
			if (push.name === 'notice') told.push(push.payload.text);
		});
		app.emit('second-instance', {}, ['grove', 'gone.yaml'], folder, {});
		await until(() => told.length > 0, 'a notice');
		expect(told[0]).toContain('gone.yaml');
	});
});

describe('the window', () => {
	it('opens again where it was, unless that is off every screen', async () => {
		const { window, folder } = await start();
		window().bounds = { x: 100, y: 50, width: 900, height: 700 };
		window().close();
		const state: unknown = JSON.parse(readFileSync(join(folder, 'window-state.json'), 'utf8'));
		expect(state).toEqual({ x: 100, y: 50, width: 900, height: 700, maximized: false });
	});

	it('comes back after a crash, and asks after the fourth', async () => {
		const { window, questions, answers, log } = await start();
		const { webContents } = window();
		const crash = () =>
			webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
		for (let i = 0; i < 3; i++) crash();
		expect(webContents.reloads).toBe(3);
		expect(questions).toEqual([]);
		answers.push(0);
		crash();
		await settled();
		expect(questions).toHaveLength(1);
		expect(webContents.reloads).toBe(4);
		expect(log.last(9).map((entry) => entry.text)).toContain('window-crashed crashed 5');
		webContents.emit('render-process-gone', {}, { reason: 'clean-exit', exitCode: 0 });
		expect(webContents.reloads).toBe(4);
	});

	it('that hangs can be loaded again, and the question goes when it answers', async () => {
		const { window, questions, answers } = await start();
		answers.push(1);
		window().emit('unresponsive');
		await settled();
		expect(window().webContents.crashed).toBe(1);
		window().emit('unresponsive');
		const { signal } = questions.at(-1) ?? {};
		window().emit('responsive');
		expect(signal?.aborted).toBe(true);
	});

	it('is told what it missed after it was loaded again, and no more while it hangs', async () => {
		const { window, context, electron } = await start();
		const { webContents } = window();
		webContents.emit('dom-ready');
		await until(() => webContents.sent.length === 1, 'the first pushes');
		expect(webContents.sent[0]?.values).toEqual([
			[{ name: 'runs.changed', payload: { ids: [], revision: 1 } }],
		]);
		for (let i = 0; i < 1000; i++)
			context.publisher.publish('notice', { level: 'info', text: `${i}` });
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(webContents.sent).toHaveLength(1);
		electron.ipcMain.emit('grove:taken', {
			sender: webContents,
			senderFrame: { url: webContents.url, parent: null },
		});
		await until(() => webContents.sent.length === 2, 'the rest');
		expect(webContents.sent[1]?.values[0]).toHaveLength(50);
	});

	it('follows the menu', async () => {
		const { menu, window } = await start();
		const file = menu().find(({ label }) => label === '&File');
		const [first] = Array.isArray(file?.submenu) ? file.submenu : [];
		const click = first?.click as (() => void) | undefined;
		click?.();
		expect(window().loaded.at(-1)).toBe('app://grove/index.html#/new');
	});
});

describe('closing while a run trains', () => {
	it('asks, and keeps training behind a tray icon', async () => {
		const { window, own, answers, questions, trays, app, workspace } = await start();
		own.add('a');
		answers.push(0);
		window().close();
		await settled();
		expect(questions[0]?.buttons).toEqual([
			'Keep Training in the Background',
			'Pause',
			'Stop',
			'Cancel',
		]);
		expect(window().destroyed).toBe(false);
		expect(window().shown).toBe(false);
		expect(own.size).toBe(1);
		expect(trays).toHaveLength(1);
		trays[0]?.emit('click');
		expect(window().shown).toBe(true);
		expect(trays[0]?.destroyed).toBe(true);
		expect(app.quits).toBe(0);
		expect(workspace.closed()).toBe(0);
	});

	it.each([
		[1, 'Pause'],
		[2, 'Stop'],
	])('ends after answer %d (%s), when the runs have ended', async (answer) => {
		const { window, own, answers, workspace, app } = await start();
		own.add('a').add('b');
		answers.push(answer);
		app.quit();
		await until(() => app.quits === 1, 'the end');
		expect(own.size).toBe(0);
		expect(window().destroyed).toBe(true);
		expect(workspace.closed()).toBe(1);
	});

	it('stays on Cancel, and asks once at a time', async () => {
		const { window, own, app, questions } = await start();
		own.add('a');
		app.quit();
		window().close();
		await settled();
		expect(questions).toHaveLength(1);
		expect(window().destroyed).toBe(false);
		expect(app.quits).toBe(0);
	});

	it('asks nothing where nothing trains', async () => {
		const { app, questions, workspace } = await start();
		app.quit();
		await until(() => app.quits === 1, 'the end');
		expect(questions).toEqual([]);
		expect(workspace.closed()).toBe(1);
	});

	it('saves checkpoints when the session ends, without asking', async () => {
		const { own, electron, questions, app } = await start();
		own.add('a');
		electron.powerMonitor.emit('shutdown');
		await until(() => app.quits === 1, 'the end');
		expect(own.size).toBe(0);
		expect(questions).toEqual([]);
	});

	it('holds up the end of a Windows session until they are saved', async () => {
		const { own, window, app } = await start();
		own.add('a');
		const event = new StandInEvent();
		window().emit('query-session-end', event);
		expect(event.prevented).toBe(true);
		await until(() => app.quits === 1, 'the end');
	});
});

describe('while runs train', () => {
	const progress = (runId: string, step: number): RunProgress => ({
		runId,
		phase: 'generating',
		step,
		totalSteps: 100,
		detail: '',
		done: 0,
		total: 1,
		sinceMs: 0,
		secondsLeft: null,
		tokensPerSecond: null,
	});

	it('the progress shows, and the machine stays awake unless the person said otherwise', async () => {
		const { own, context, window, blockers } = await start();
		context.runs.live = () =>
			new Map([
				['a', progress('a', 50)],
				['b', progress('b', 100)],
			]);
		own.add('a');
		context.publisher.publish('run.progress', progress('a', 50));
		expect(window().progress).toBe(0.75);
		expect(blockers.size).toBe(1);
		context.records.putSaved({ kind: 'setting', name: 'keep-awake', value: 'false' });
		context.publisher.publish('run.progress', progress('a', 51));
		expect(blockers.size).toBe(0);
		own.clear();
		context.runs.live = () => new Map();
		context.publisher.publish('runs.changed', { ids: ['a'], revision: 2 });
		expect(window().progress).toBe(-1);
	});

	it('waking up reads everything again', async () => {
		const { context, electron } = await start();
		const told: string[] = [];
		context.publisher.listen((push) => told.push(push.name));
		electron.powerMonitor.emit('suspend');
		electron.powerMonitor.emit('resume');
		expect(told).toEqual(['runs.changed']);
	});

	it('a crash of the graphics process is logged, and that is all', async () => {
		const { app, log, window } = await start();
		app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed', exitCode: 9 });
		expect(log.last(1)[0]?.text).toBe('process-gone GPU crashed 9');
		expect(window().destroyed).toBe(false);
	});
});

it('diagnostics hold no text of the person', async () => {
	const { menu, copied, log, logFile } = await start();
	log.write(
		'error',
		'"runs.get" failed: TypeError: my secret prompt /home/me/secret.yaml\n    at read (/home/me/grove/main.js:10:5)\n    at async /home/me/x.js:1:2\nsecret',
	);
	const help = menu().find(({ role }) => role === 'help');
	const [copy] = Array.isArray(help?.submenu) ? help.submenu : [];
	(copy?.click as (() => void) | undefined)?.();
	expect(existsSync(logFile)).toBe(true);
	expect(copied()).toContain(
		'error runs.get TypeError\n    at read (main.js:10)\n    at ? (x.js:1)',
	);
	expect(copied()).not.toContain('secret');
	expect(copied()).not.toContain('/home/me');
});
