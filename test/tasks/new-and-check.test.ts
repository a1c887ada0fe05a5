import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { checkTask, newTaskText, taskTypesText } from '../../src-main/tasks/index.ts';
import { writeFiles } from './task-files.ts';

describe('a new task', () => {
	it('runs as it is, and is found good', async () => {
		const folder = writeFiles({ 'my task.ts': newTaskText('my "own" task') });
		const check = await checkTask({ task: join(folder, 'my task.ts') });
		expect(check).toMatchObject({
			name: 'my "own" task',
			agentNames: ['brief', 'detailed'],
			turns: 2,
			trainItems: 2,
			output: [],
		});
		expect(check.prompts[0]).toEqual({
			agent: 'brief',
			prompt: 'In one sentence: Describe a city in the clouds:',
			raw: 'Describe a city in the clouds:',
		});
		const totals = check.samples.map(({ reward }) =>
			reward.kind === 'scored' ? reward.total : NaN,
		);
		expect(totals[0]).toBeGreaterThan(totals[1] ?? NaN);
		expect(totals[1]).toBeGreaterThan(totals[2] ?? NaN);
		expect(check.samples.every(({ feedback }) => feedback?.kind === 'prompts')).toBe(true);
	});

	it('has types in an editor, which know a mistake', async () => {
		const types = await taskTypesText();
		const folder = writeFiles({
			'grove-task.d.ts': types ?? '',
			'good.ts': newTaskText('good'),
			'bad.ts':
				"import { defineTask } from 'grove/task';\nexport default defineTask({ reward: () => 'much' });\n",
		});
		const problems = (file: string): string[] => {
			const program = ts.createProgram([join(folder, file), join(folder, 'grove-task.d.ts')], {
				noEmit: true,
				strict: true,
				target: ts.ScriptTarget.ES2024,
				module: ts.ModuleKind.ESNext,
				moduleResolution: ts.ModuleResolutionKind.Bundler,
				types: [],
			});
			return ts
				.getPreEmitDiagnostics(program)
				.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
		};
		expect(problems('good.ts')).toEqual([]);
		expect(problems('bad.ts').join('\n')).toContain("'string' is not assignable");
	});

	it('is described with every member that a task may have', () => {
		const source = readFileSync(
			fileURLToPath(new URL('../../src-main/tasks/define-task.ts', import.meta.url)),
			'utf8',
		);
		const body = /export interface TaskDefinition \{([^]*?)\n\}/u.exec(source)?.[1] ?? '';
		const members = [...body.matchAll(/^\t(\w+)\?:/gmu)].map((match) => match[1] ?? '');
		expect(members.length).toBeGreaterThan(10);
		for (const member of members) expect(newTaskText('x')).toContain(member);
	});
});

describe('checkTask', () => {
	it('scores given samples and keeps what goes wrong in the result', async () => {
		const folder = writeFiles({});
		const task = join(folder, 'task.mjs');
		writeFileSync(
			task,
			`export const reward = ({ texts }) => { console.log('scoring', texts[0]); if (texts[0] === 'bad') throw new Error('no'); return texts[0].length; };
			 export const feedback = () => ['only one'];`,
		);
		const check = await checkTask({
			task,
			samples: [
				['good', 'x'],
				['bad', 'x'],
			],
		});
		expect(check.trainItems).toBe(1);
		expect(check.samples).toMatchObject([
			{ reward: { total: 4 }, feedback: { kind: 'error' } },
			{ reward: { kind: 'error', message: expect.stringContaining('Error: no') as string } },
		]);
		expect(check.output.map(({ text }) => text)).toContain('scoring good');
	});

	it('has no feedback where the task has none, or is done', async () => {
		const folder = writeFiles({
			'done.mjs': 'export default { reward: () => 1, isDone: () => true, feedback: () => null };',
			'single.mjs': 'export default () => 1;',
		});
		for (const name of ['done.mjs', 'single.mjs']) {
			const check = await checkTask({ task: join(folder, name), samples: [['a', 'b']] });
			expect(check.samples).toMatchObject([{ reward: { kind: 'scored' }, feedback: null }]);
		}
	});
});
