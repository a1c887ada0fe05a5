import { mkdirSync, mkdtempSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../src-main/contract/config.ts';
import { withAbsolutePaths } from '../../src-main/runs/config-paths.ts';

describe('paths of a configuration', () => {
	const folder = mkdtempSync(join(tmpdir(), "grove o'neil & 实验 #1 100% "));
	mkdirSync(join(folder, 'my-model'));

	it.each([
		['bundled:grove-small', 'bundled:grove-small'],
		['Qwen/Qwen2.5-0.5B', 'Qwen/Qwen2.5-0.5B'],
		['./other', join(folder, 'other')],
		['my-model', join(folder, 'my-model')],
		['my-model/', join(folder, 'my-model')],
		['~/models/a', join(homedir(), 'models/a')],
	])('model %s is %s', (given, expected) => {
		expect(
			withAbsolutePaths(
				{ ...defaultConfig(), model: given, agents: [{ model: given }, {}] },
				folder,
			),
		).toMatchObject({ model: expected, agents: [{ model: expected }, {}] });
	});

	it('of tasks and data start at the configuration file', () => {
		const config = {
			...defaultConfig(),
			task: 'my task.ts',
			train_data: 'rows.jsonl',
			output_dir: '../out',
		};
		expect(withAbsolutePaths(config, folder)).toMatchObject({
			task: join(folder, 'my task.ts'),
			train_data: join(folder, 'rows.jsonl'),
			eval_data: null,
			output_dir: join(folder, '../out'),
		});
		expect(withAbsolutePaths({ ...config, task: 'story' }, folder).task).toBe('story');
	});
});
