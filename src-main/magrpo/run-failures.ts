/** The failures of a run as a whole, in words that a person can act on. */
import type { ResolvedAgent, RunConfig } from '../contract/config.ts';
import { GroveError } from '../contract/errors.ts';
import type { Task } from '../tasks/task.ts';
import { element } from './element.ts';

/** Throws GroveError 'bad-input' for a task without training examples. */
export function requireExamples(task: Task): void {
	if (task.train.length > 0) return;
	throw new GroveError('bad-input', {
		where: `task ${task.name}`,
		what: 'there are no training examples',
		expected: 'at least one',
		given: '0',
		fix: 'check train_data and train_slice, or give prompts',
	});
}

export function divergence(
	agents: readonly ResolvedAgent[],
	agent: number,
	step: number,
	config: RunConfig,
): GroveError {
	return new GroveError('diverged', {
		where: `step ${step}, ${element(agents, agent).name}`,
		what: `loss or gradient was not finite in ${config.max_bad_updates} updates in a row; none of them was applied`,
		fix: 'lower agent_learning_rate, set max_grad_norm, or go on from an earlier checkpoint',
	});
}

/** A run in which every example is skipped would go on to the end without learning anything. */
export function nothingRolledOut(task: Task, epoch: number): GroveError {
	return new GroveError('task', {
		where: `task ${task.name}, epoch ${epoch + 1}`,
		what: 'not one example could be rolled out, all were skipped',
		fix: 'the log says why for each; correct the task or its data',
	});
}
