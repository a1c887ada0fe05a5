import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	configFields,
	configGroups,
	configKeys,
	defaultConfig,
	parseConfig,
	resolveAgents,
} from '../../src-main/contract/config.ts';

function complaintsOf(
	input: unknown,
): { where: string | undefined; expected: string | undefined; given: string | undefined }[] {
	const result = parseConfig(input);
	if (result.ok) throw new Error('accepted');
	return result.complaints.map(({ where, expected, given }) => ({ where, expected, given }));
}

describe('the configuration schema', () => {
	it('has a legal default, a group, a help sentence and an expectation for every key', () => {
		for (const key of configKeys) {
			const field = configFields[key];
			expect(field.schema.safeParse(field.default).success, key).toBe(true);
			expect(Object.keys(configGroups)).toContain(field.group);
			expect(field.help, key).toMatch(/[.:]/u);
			expect(field.expected.length, key).toBeGreaterThan(3);
		}
	});

	it('accepts an empty configuration as all defaults', () => {
		const result = parseConfig({});
		expect(result.ok && result.config).toEqual(defaultConfig());
	});

	it('names the nearest key for a typo and for what others call it', () => {
		expect(complaintsOf({ num_generation: 4 })).toEqual([
			{ where: 'num_generation', expected: 'perhaps num_generations', given: 'num_generation' },
		]);
		expect(complaintsOf({ steps: 4 })[0]?.expected).toBe('perhaps max_steps');
		expect(complaintsOf({ lr: 4 })[0]?.expected).toBe('perhaps agent_learning_rate');
	});

	it('reports all that is wrong at once, with path, expectation and what was given', () => {
		expect(
			complaintsOf({
				num_turns: '4',
				temperature: -1,
				agents: [{ name: 'a' }, { learning_rate: 'x' }],
			}),
		).toEqual([
			{ where: 'num_turns', expected: 'a whole number from 1 to 64', given: '"4" (text)' },
			{ where: 'temperature', expected: 'a number from 0', given: '-1' },
			{
				where: 'agents[1].learning_rate',
				expected: configFields.agents.expected,
				given: '"x" (text)',
			},
		]);
	});

	// A group of one has nothing to be compared with; the reason must be said in those words.
	it.each([1, 0, -2, 2.5, '4', null, Number.NaN])(
		'refuses %s generations in words about groups',
		(value) => {
			expect(complaintsOf({ num_generations: value })[0]?.expected).toContain(
				'a group needs two answers',
			);
		},
	);

	it.each([
		['temperature', 0, true],
		['temperature', 1e-9, true],
		['temperature', 1e9, true],
		['temperature', -1, false],
		['temperature', null, false],
		['temperature', '0.7', false],
		['top_p', 0.0001, true],
		['top_p', 1, true],
		['top_p', 0, false],
		['top_p', 1.5, false],
		['top_k', 0, true],
		['top_k', null, true],
		['top_k', 1_000_000_000, true],
		['top_k', -1, false],
		['top_k', 1.5, false],
		['seed', 9007199254740991, true],
		['seed', 9007199254740993n, false],
		['agent_learning_rate', Infinity, false],
		['agent_learning_rate', 0, false],
		['discount', 1.01, false],
	])('%s: %s is legal: %s', (key, value, legal) => {
		expect(parseConfig({ [key]: value }).ok).toBe(legal);
	});

	it('treats names of Object.prototype as unknown keys and changes nothing', () => {
		const hostile: unknown = JSON.parse(
			'{"__proto__": {"polluted": 1}, "constructor": 2, "toString": 3}',
		);
		expect(complaintsOf(hostile).map((complaint) => complaint.where)).toEqual([
			'__proto__',
			'constructor',
			'toString',
		]);
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});

	it('refuses contradictions between keys', () => {
		expect(complaintsOf({ num_agents: 3, agents: [{}, {}] })[0]?.where).toBe('agents');
		expect(complaintsOf({ preset: 'marloo', advantage_mode: 'max' })[0]?.where).toBe(
			'advantage_mode',
		);
		expect(complaintsOf({ rollout_buffer_size: 2, train_batch_size: 4 })[0]?.where).toBe(
			'train_batch_size',
		);
		expect(complaintsOf({ prompts: ['a'], train_data: 'b.jsonl' })[0]?.where).toBe('prompts');
		expect(complaintsOf({ reward_processor: { clip: [1, 0] } })[0]?.where).toBe(
			'reward_processor.clip',
		);
	});

	it('settles presets and the compat profile without overriding what was given', () => {
		const preset = parseConfig({ preset: 'maremax' });
		expect(preset.ok && preset.config.advantage_mode).toBe('max');
		const compat = parseConfig({ compat: 'comlrl' });
		expect(compat.ok && [compat.config.rollout_buffer_size, compat.config.max_grad_norm]).toEqual([
			2,
			null,
		]);
		const given = parseConfig({ compat: 'comlrl', rollout_buffer_size: 5 });
		expect(given.ok && given.config.rollout_buffer_size).toBe(5);
	});

	it('warns of a threshold that ends every tree at turn one, of two generations, of greedy sampling', () => {
		const warned = (input: unknown): string[] => {
			const result = parseConfig(input);
			return result.ok ? result.warnings.map((warning) => warning.key) : [];
		};
		expect(warned({})).toEqual(['early_termination_threshold']);
		expect(warned({ early_termination_threshold: 0.9 })).toEqual([]);
		expect(warned({ early_termination_threshold: 0.9, num_generations: 2 })).toEqual([
			'num_generations',
		]);
		expect(warned({ early_termination_threshold: null, temperature: 0 })).toEqual(['temperature']);
	});

	it('fills in agents from the run', () => {
		const result = parseConfig({
			model: 'm',
			agents: [
				{ name: 'helper', frozen: true },
				{ model: 'other', learning_rate: 1 },
			],
		});
		if (!result.ok) throw new Error('refused');
		expect(resolveAgents(result.config)).toEqual([
			{
				name: 'helper',
				model: 'm',
				revision: null,
				learningRate: 5e-6,
				maxNewTokens: 256,
				frozen: true,
			},
			{
				name: 'agent_2',
				model: 'other',
				revision: null,
				learningRate: 1,
				maxNewTokens: 256,
				frozen: false,
			},
		]);
	});

	it('never throws, whatever it is given', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					fc.anything(),
					fc.dictionary(fc.oneof(fc.constantFrom(...configKeys), fc.string()), fc.anything()),
				),
				(input) => {
					const result = parseConfig(input);
					if (!result.ok) expect(result.complaints.length).toBeGreaterThan(0);
				},
			),
		);
	});
});
