/** One contract, two shells: every request and every push through both, compared. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pushes, Reply, RequestName } from '../../src-main/contract/requests.ts';
import { requestParams } from '../../src-main/contract/requests.ts';
import type { Publisher } from '../../src-main/services/publisher.ts';
import { startBrowserShell } from '../../src-main/shell/browser/start.ts';
import type { BrowserShell } from '../../src-main/shell/browser/start.ts';
import { openSocket, signIn, SocketClient, until } from '../support/browser-shell-client.ts';
import type { DesktopForTest } from '../support/desktop.ts';
import { desktopForTest } from '../support/desktop.ts';
import { sampleRequests } from '../support/sample-requests.ts';
import type { StandIn } from '../support/stand-in-context.ts';
import { standInContext } from '../support/stand-in-context.ts';

const names = Object.keys(requestParams) as RequestName[];

let rendererFolder: string;
let made: StandIn;
let shell: BrowserShell;
let browser: SocketClient;
let desktop: DesktopForTest;

beforeAll(async () => {
	rendererFolder = mkdtempSync(join(tmpdir(), 'grove-renderer-'));
	writeFileSync(join(rendererFolder, 'index.html'), '<!doctype html>');
	made = standInContext({ importAnyFile: true });
	shell = await startBrowserShell({ context: made.context, rendererFolder, port: 0 });
	browser = new SocketClient(await openSocket(shell.port, await signIn(shell.url)));
	desktop = await desktopForTest();
});

afterAll(async () => {
	browser.close();
	await shell.close();
	made.close();
	desktop.dispose();
	rmSync(rendererFolder, { recursive: true, force: true });
});

/** What differs by nature: which shell it is, folders of this test, and tickets that are drawn at random. */
function comparable(reply: unknown): unknown {
	if (typeof reply !== 'object' || reply === null || !('result' in reply)) return reply;
	const own = ['shell', 'path', 'download'];
	const rest = Object.entries(reply.result as Record<string, unknown>).filter(
		([name]) => !own.includes(name),
	);
	return { ...reply, result: Object.fromEntries(rest) };
}

async function throughBoth(name: string, params: unknown): Promise<[unknown, unknown]> {
	const viaSocket: unknown = await browser.request(name, params);
	const viaIpc = await desktop.invoke(desktop.window().webContents, name, params);
	return [comparable(viaSocket), comparable(viaIpc)];
}

describe('both shells', () => {
	it.each(names)('answer %s alike', async (name) => {
		const [socket, ipc] = await throughBoth(name, sampleRequests[name]);
		expect(socket).toMatchObject({ ok: true });
		expect(socket).toEqual(ipc);
	});

	it.each(names)('refuse wrong parameters of %s alike', async (name) => {
		for (const params of [null, [], 'text', { nonsense: 1 }, { id: NaN }, { ids: ['a', 7] }]) {
			const [socket, ipc] = await throughBoth(name, params);
			expect(socket).toMatchObject({ ok: false, error: { kind: 'bad-input' } });
			expect(socket).toEqual(ipc);
		}
	});

	it('keep what JSON loses: NaN, infinities, −0, typed arrays, odd keys', async () => {
		for (const via of await throughBoth('metrics.series', {
			...sampleRequests['metrics.series'],
			smoothing: { kind: 'none' },
			x: 'step',
		})) {
			const { result } = via as Extract<Reply<'metrics.series'>, { ok: true }>;
			const y = result.series[0]?.y;
			expect(y).toBeInstanceOf(Float64Array);
			expect([...(y ?? [])]).toEqual([0.5, NaN, -0, Infinity, 1]);
		}
		for (const via of await throughBoth('trees.node', sampleRequests['trees.node'])) {
			const { result } = via as Extract<Reply<'trees.node'>, { ok: true }>;
			expect(result.node.joints[0]?.rewardParts).toEqual({ length: 1, $number: 2 });
			expect(result.node.agents[0]?.completions[0]?.logProbs).toEqual([-0.5, -Infinity]);
		}
	});

	it('answer generated requests alike', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(fc.constantFrom(...names), fc.string()),
				fc.oneof(
					fc.constantFrom(...names).map((name): unknown => sampleRequests[name]),
					fc.jsonValue(),
					fc.dictionary(
						fc.constantFrom('id', 'ids', 'runId', 'runIds', 'keys', 'text', '$number', '__proto__'),
						fc.jsonValue(),
					),
				),
				async (name, params) => {
					const [socket, ipc] = await throughBoth(name, params);
					expect(socket).toEqual(ipc);
				},
			),
			{ numRuns: 200 },
		);
	});

	it('carry every push', async () => {
		const pushes: Pushes = {
			'runs.changed': { ids: ['a'], revision: 99 },
			'run.progress': {
				runId: 'a',
				phase: 'updating',
				step: 1,
				totalSteps: 2,
				detail: 'x',
				done: 1,
				total: 2,
				sinceMs: 3,
				secondsLeft: null,
				tokensPerSecond: 1.5,
			},
			'run.step': {
				runId: 'a',
				step: 1,
				envStep: 8,
				epoch: 0.1,
				wallTimeMs: 5,
				purpose: 'train',
				values: [{ key: 'loss', value: NaN }],
			},
			'run.log': {
				runId: 'a',
				line: { id: 1, timeMs: 1, level: 'info', source: 'task', step: 1, text: '\u0000' },
			},
			notice: { level: 'warning', text: 'careful' },
		};
		const { webContents } = desktop.window();
		browser.pushes.length = 0;
		webContents.sent.length = 0;
		webContents.emit('dom-ready');
		await until(() => webContents.sent.length > 0, 'a first list');
		webContents.sent.length = 0;
		desktop.electron.ipcMain.emit('grove:taken', {
			sender: webContents,
			senderFrame: { url: webContents.url, parent: null },
		});
		const publish = (publisher: Publisher): void => {
			for (const name of Object.keys(pushes) as (keyof Pushes)[])
				publisher.publish(name, pushes[name]);
		};
		publish(made.context.publisher);
		publish(desktop.context.publisher);
		await until(() => browser.pushes.length === 5, 'all pushes over the socket');
		await until(() => webContents.sent.length === 1, 'all pushes over IPC');
		const viaSocket = browser.pushes.map(({ name, payload }) => ({ name, payload }));
		expect(viaSocket).toEqual(webContents.sent[0]?.values[0]);
		expect(Object.fromEntries(viaSocket.map(({ name, payload }) => [name, payload]))).toEqual(
			pushes,
		);
	});
});
