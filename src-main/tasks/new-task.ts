/** The starting file of `grove task new`, and the types that go beside it for an editor. */
import { readFile } from 'node:fs/promises';

/** A task that runs as it is: commented, two agents, two turns. `name` becomes the task's. */
export function newTaskText(name: string): string {
	return `/**
 * A task for Grove: what is asked, what is rewarded, and what is said before the next turn.
 *
 *     grove task check FILE     runs all of this on sample completions
 *     grove train run.yaml      with the line "task: ./FILE" in run.yaml
 *
 * The code runs in a process of its own, in the folder of this file, with the time and memory limits of the run
 * (task_time_limit, task_memory_limit). What it prints goes to the run's log. TypeScript is run by
 * removing its types: no enum, namespace, parameter property or decorator. Files beside this one can be
 * imported; their texts are stored with the run too. Math.random is seeded by the run.
 */
import { defineTask } from 'grove/task';

export default defineTask({
	name: ${JSON.stringify(name)},
	summary: 'The second agent should write two to three times as much as the first.',

	// How many agents, or their names.
	agents: ['brief', 'detailed'],
	turns: 2,

	// Defaults of what a run may change with "task_options: { low: 1.5 }".
	options: { low: 2, high: 3 },

	// Prompts; or rows { prompt, id, anything else }; or the path of a .jsonl, .json or .csv file from here;
	// or { train, eval } of these. A run's own prompts or train_data come before it.
	dataset: ['Describe a city in the clouds:', 'Write a bedtime story for a dragon:'],

	// Each agent's first prompt. Without this function all get the row's prompt.
	prompts(item, agent) {
		return agent.name === 'brief' ? \`In one sentence: \${item.prompt}\` : \`At length: \${item.prompt}\`;
	},

	// Called for one joint completion: one text of each agent. A number, or { parts: { name: number }, weights },
	// whose weighted parts add up to the reward; every part is charted. May be async.
	reward({ texts, options }) {
		const [first = '', second = ''] = texts;
		const ratio = second.length / Math.max(first.length, 1);
		const low = Number(options.low);
		const high = Number(options.high);
		const distance = ratio < low ? low - ratio : ratio > high ? ratio - high : 0;
		return { parts: { length: Math.exp(-distance), ending: second.endsWith('.') ? 0.1 : 0 } };
	},

	// The prompts of the next turn, one per agent; null ends this branch. Leave it out for a single turn.
	// The context also has turn, numTurns, completions (with token counts), promptHistory and responseHistory.
	feedback({ item, texts }) {
		return texts.map(
			(text) => \`\${item.prompt}\\nYour last answer had \${text.length} characters. Try again:\`,
		);
	},

	// Further numbers to chart for each joint completion.
	metrics({ texts }) {
		return { characters: texts.join('').length };
	},

	// Also possible: formatters, isDone(context), evaluate(contexts), weights, requires, and
	// rewards(contexts) instead of reward, which scores a whole turn in one call.
});
`;
}

const contract = {
	'../contract/tree.ts': ['FinishReason'],
	'../policy/policy.ts': ['ChatMessage', 'Prompt'],
	'./task.ts': ['TaskItem', 'CompletionView', 'TurnContext'],
	'./define-task.ts': [
		'TaskContext',
		'AgentView',
		'FormatterView',
		'Formatter',
		'DataRow',
		'DataSource',
		'Dataset',
		'RewardParts',
		'RewardValue',
		'RewardFunction',
		'RewardPart',
		'FeedbackValue',
		'TaskDefinition',
	],
};

/** One declaration with its comment, up to the closing brace or semicolon at the margin. */
function declaration(source: string, name: string): string {
	const found = new RegExp(
		`(?:/\\*\\*(?:(?!\\*/)[^])*\\*/\\n)?export (?:interface ${name}\\b[^]*?\\n\\}|type ${name}\\b[^]*?;)\\n`,
		'u',
	).exec(source);
	if (found === null) throw new Error(`the declaration of ${name} was not found`);
	return found[0];
}

/**
 * Text of a declaration file that gives `grove/task` its types in an editor, taken from the sources
 * themselves. Null where Grove runs without its sources.
 */
export async function taskTypesText(): Promise<string | null> {
	const parts: string[] = ['type Awaitable<T> = T | Promise<T>;\n'];
	for (const [file, names] of Object.entries(contract)) {
		let source: string;
		try {
			source = await readFile(new URL(file, import.meta.url), 'utf8');
		} catch {
			return null;
		}
		parts.push(...names.map((name) => declaration(source, name)));
	}
	parts.push(
		"/** Returns its argument: it is there for an editor's completion and checks. */\n" +
			'export function defineTask(task: TaskDefinition): TaskDefinition;\n',
	);
	const body = parts.join('\n').replaceAll(/^(?=.)/gmu, '\t');
	return `// Types of the import 'grove/task', for editors. Grove itself does not need this file.\ndeclare module 'grove/task' {\n${body}}\n`;
}
