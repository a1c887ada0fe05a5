/** Task files made for a test, opened with small limits, and contexts to call them with. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { type OpenedTask, openTask, type OpenTaskOptions } from '../../src-main/tasks/index.ts';
import type { TaskItem, TurnContext } from '../../src-main/tasks/task.ts';

const folders: string[] = [];
const opened: OpenedTask[] = [];

afterEach(async () => {
	await Promise.all(opened.splice(0).map((task) => task.dispose()));
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that is removed after the test. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'grove-test-task-'));
	folders.push(folder);
	return folder;
}

export function writeFiles(files: Readonly<Record<string, string | Uint8Array>>): string {
	const folder = temporaryFolder();
	for (const [name, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, name)), { recursive: true });
		writeFileSync(join(folder, name), content);
	}
	return folder;
}

/** Opens a task with two prompts and one turn, unless `options` say otherwise. */
export async function open(
	options: Partial<OpenTaskOptions> & { task: string },
): Promise<OpenedTask> {
	const task = await openTask({
		numAgents: 2,
		numTurns: 1,
		seed: 7,
		timeLimitMs: 20_000,
		memoryLimitMb: 256,
		prompts: ['First prompt', 'Second prompt'],
		...options,
	});
	opened.push(task);
	return task;
}

/** Opens a file of this text. */
export async function openText(
	text: string,
	options: Partial<OpenTaskOptions> = {},
	name = 'task.mjs',
): Promise<OpenedTask> {
	return open({ task: join(writeFiles({ [name]: text }), name), ...options });
}

const standIn: TaskItem = { index: 0, id: 'a', prompt: 'Say a.', fields: { prompt: 'Say a.' } };

export function contextOf(texts: readonly string[], more: Partial<TurnContext> = {}): TurnContext {
	return {
		item: standIn,
		turn: 1,
		numTurns: 2,
		completions: texts.map((text) => ({ text, tokenCount: text.length, finishReason: 'eos' })),
		promptHistory: texts.map(() => ['Say a.']),
		responseHistory: texts.map((text) => [text]),
		joint: 0,
		step: 1,
		purpose: 'train',
		...more,
	};
}

/** `count` joint completions of two agents. */
export function contexts(count: number): TurnContext[] {
	return Array.from({ length: count }, (_, joint) =>
		contextOf([`first ${joint}`, `second ${joint}`], { joint }),
	);
}

/** The message of whatever `work` throws. */
export async function messageOf(work: () => Promise<unknown>): Promise<string> {
	try {
		await work();
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
	throw new Error('nothing was thrown');
}
