import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src-main/contract/config.ts';
import { importComlrlConfig, isComlrlConfig } from '../../src-main/tasks/index.ts';

const writing = {
	agent_model: {
		name: 'some/model',
		type: 'qwen',
		temperature: 0.7,
		top_p: 0.9,
		top_k: null,
		torch_dtype: 'auto',
	},
	agents: null,
	critic_model: null,
	dataset: {
		name: 'some/posts',
		type: 'tldr',
		train_split: 'train[:1100]',
		eval_split: 'test[:100]',
	},
	tokenizer: { padding_side: 'left' },
	output: { base_dir: 'out', verbose: false, save_final_model: true, save_path: 'out' },
	magrpo: {
		parallel_training: 'none',
		agent_devices: ['cuda:0'],
		num_turns: 1,
		num_train_epochs: 2,
		agent_learning_rate: 5e-6,
		num_generations: 4,
		joint_mode: 'align',
		rollout_buffer_size: 1,
		train_batch_size: 1,
		early_termination_threshold: null,
		eval_batch_size: 1,
	},
	reward_processor: { enabled: true, scale_factor: 2, shift: -4 },
	wandb: { project: 'p', entity: 'e', name: 'n', tags: ['a', 'b'] },
};

describe('a configuration of the reference library', () => {
	it('is told from one of ours', () => {
		expect(isComlrlConfig(writing)).toBe(true);
		expect(isComlrlConfig({ task: 'story', num_turns: 1 })).toBe(false);
		expect(isComlrlConfig([])).toBe(false);
		expect(isComlrlConfig(null)).toBe(false);
	});

	it('becomes a valid one of ours', () => {
		const { config, mapped, ignored, needsTaskFile } = importComlrlConfig(writing);
		expect(config).toEqual({
			model: 'some/model',
			temperature: 0.7,
			top_p: 0.9,
			top_k: 50,
			task: 'tldr',
			train_slice: '[:1100]',
			eval_slice: '[:100]',
			output_dir: 'out',
			num_turns: 1,
			num_train_epochs: 2,
			agent_learning_rate: 5e-6,
			num_generations: 4,
			joint_mode: 'aligned',
			rollout_buffer_size: 1,
			train_batch_size: 1,
			early_termination_threshold: null,
			reward_processor: { scale: 2, shift: -4 },
			project: 'p',
			name: 'n',
			tags: ['a', 'b'],
		});
		expect(parseConfig(config).ok).toBe(true);
		expect(mapped.map(({ to }) => to).sort()).toEqual(Object.keys(config).sort());
		const notes = ignored.map(({ from }) => from);
		expect(notes).toContain('magrpo.agent_devices');
		expect(notes).toContain('dataset.name');
		expect(notes).toContain('dataset.eval_split');
		expect(notes).toContain('wandb.entity');
		expect(needsTaskFile).toEqual([]);
	});

	it('says what a task file is needed for', () => {
		const { config, needsTaskFile } = importComlrlConfig({
			dataset: { type: 'coophumaneval', train_split: 'train[16:]', eval_split: 'train[:16]' },
			external: { mode: 'level_feedback', sandbox_slice: 1, external_prompt_passthrough: true },
			magrpo: { num_turns: 2, crossed: 1 },
			seed: 42,
		});
		expect(needsTaskFile.map(({ from }) => from)).toEqual([
			'dataset.type',
			'external.mode',
			'external.sandbox_slice',
		]);
		expect(config).toMatchObject({
			external_prompt_passthrough: true,
			train_slice: '[16:]',
			eval_slice: '[:16]',
			seed: 42,
		});
	});

	it('accounts for every key, known or not', () => {
		const source = {
			agents: ['a/b', 'c/d'],
			grpo: { num_turns: 1, learning_rate: 1e-5, wholly_new: true },
			reward_processor: { enabled: false, shift: 1 },
			odd: { key: 1 },
		};
		const { config, ignored } = importComlrlConfig(source);
		expect(config).toEqual({
			agents: [{ model: 'a/b' }, { model: 'c/d' }],
			num_agents: 1,
			num_turns: 1,
			agent_learning_rate: 1e-5,
		});
		expect(ignored.map(({ from }) => from)).toEqual(['reward_processor', 'odd', 'grpo.wholly_new']);
	});

	it('lets the trainer section decide over the model section', () => {
		const { config } = importComlrlConfig({
			magrpo: { temperature: 0.1 },
			agent_model: { temperature: 0.9 },
		});
		expect(config.temperature).toBe(0.1);
	});
});
