/** What a trial of a task showed, for a person who is writing it. */
import type { CheckedSample, TaskCheck } from '../tasks/index.ts';
import { formatNumber, safeForTerminal } from './format.ts';

/** Longer texts are cut: the person knows what they gave. */
const shownCharacters = 400;

function indented(text: string, indent: string): string {
	const characters = [...text];
	const shown =
		characters.length > shownCharacters
			? `${characters.slice(0, shownCharacters).join('')}… (${characters.length} characters)`
			: text;
	return safeForTerminal(shown).replaceAll(/^/gmu, indent);
}

function numbersText(numbers: Readonly<Record<string, number>>): string {
	return safeForTerminal(
		Object.entries(numbers)
			.map(([name, value]) => `${name} ${formatNumber(value, 4)}`)
			.join(', '),
	);
}

/** The first prompts of the example. */
export function promptsText({ prompts, item }: TaskCheck): string {
	const lines = [`Example ${safeForTerminal(item.id)}`];
	for (const { agent, prompt } of prompts)
		lines.push(`  ${safeForTerminal(agent)} is asked`, indented(prompt, '    '));
	return `${lines.join('\n')}\n`;
}

function rewardText({ reward, rewardMs }: CheckedSample): string {
	const spent = `(${formatNumber(rewardMs)} ms)`;
	if (reward.kind === 'error')
		return `  reward failed ${spent}\n${indented(reward.message, '    ')}`;
	const lines = [
		`  reward ${formatNumber(reward.total, 4)}${reward.done ? ', and the task is done' : ''} ${spent}`,
	];
	if (Object.keys(reward.parts).length > 0) lines.push(`    parts: ${numbersText(reward.parts)}`);
	if (Object.keys(reward.metrics).length > 0)
		lines.push(`    metrics: ${numbersText(reward.metrics)}`);
	return lines.join('\n');
}

function feedbackText(
	{ feedback, feedbackMs }: CheckedSample,
	agentNames: readonly string[],
): string[] {
	if (feedback === null) return [];
	const spent = `(${formatNumber(feedbackMs)} ms)`;
	switch (feedback.kind) {
		case 'error':
			return [`  feedback failed ${spent}`, indented(feedback.message, '    ')];
		case 'done':
			return [`  feedback ends this branch ${spent}`];
		case 'prompts':
			return [
				`  feedback ${spent}`,
				...feedback.rawPrompts.flatMap((prompt, agent) => [
					`    ${safeForTerminal(agentNames[agent] ?? '')} is asked`,
					indented(prompt, '      '),
				]),
			];
	}
}

export function taskCheckText(check: TaskCheck): string {
	const { name, summary, agentNames, turns, trainItems, evalItems, output, loadMs } = check;
	const lines = [
		safeForTerminal(`${name}: ${summary}`),
		safeForTerminal(
			`${agentNames.join(', ')}; ${turns === null ? 'any number of turns' : turns === 1 ? 'one turn' : `${turns} turns`}; ${trainItems} training and ${evalItems} evaluation examples; loaded in ${formatNumber(loadMs)} ms`,
		),
		'',
		promptsText(check).trimEnd(),
	];
	for (const [index, sample] of check.samples.entries()) {
		lines.push('', `Joint completion ${index + 1}`);
		for (const [agent, text] of sample.texts.entries())
			lines.push(
				`  ${safeForTerminal(agentNames[agent] ?? '')} answers`,
				indented(text === '' ? '(nothing)' : text, '    '),
			);
		lines.push(rewardText(sample), ...feedbackText(sample, agentNames));
	}
	if (output.length > 0) {
		lines.push('', 'Its code printed');
		for (const { level, text } of output) lines.push(indented(`${level}: ${text}`, '  '));
	}
	return `${lines.join('\n')}\n`;
}
