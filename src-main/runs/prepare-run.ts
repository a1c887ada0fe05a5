/**
 * Everything that a run needs before its first step: task, data, models, device. Nothing is stored here, so
 * that what a person got wrong is told before anything is written.
 */
import { chooseDevice, type Device } from '../compute/index.ts';
import { resolveAgents, type ResolvedAgent, type RunConfig } from '../contract/config.ts';
import { GroveError } from '../contract/errors.ts';
import type { TrainingEvent } from '../contract/events.ts';
import { plannedSteps } from '../magrpo/index.ts';
import { loadPolicy, type Policy } from '../policy/index.ts';
import { openTask, type OpenedTask, type SpawnHost } from '../tasks/index.ts';

export interface PreparedRun {
	config: RunConfig;
	agents: ResolvedAgent[];
	policies: Policy[];
	task: OpenedTask;
	device: Pick<Device, 'name' | 'detail' | 'usedBytes'>;
	totalSteps: number;
	/** Ends the task's process and frees the models. */
	dispose(): Promise<void>;
}

export interface PrepareOptions {
	/** With absolute paths (`withAbsolutePaths`). */
	config: RunConfig;
	/** Phases of loading, and what task code prints. */
	onEvent: (event: TrainingEvent) => void;
	/**
	 * Only to see that everything loads, in a process that goes on afterwards: on the CPU, since what a GPU
	 * backend takes is not given back before the process ends.
	 */
	isTrial?: boolean;
	spawnHost?: SpawnHost;
}

/** Throws GroveError for anything that keeps the run from starting; nothing stays open then. */
export async function prepareRun(options: PrepareOptions): Promise<PreparedRun> {
	const { config, onEvent } = options;
	const agents = resolveAgents(config);
	const device = options.isTrial === true ? null : await chooseDevice(config.device);
	tellCautions(device, onEvent);
	const task = await openRunTask(options);
	const policies: Policy[] = [];
	const dispose = async (): Promise<void> => {
		for (const policy of policies) policy.dispose();
		await task.dispose();
	};
	try {
		requireFeedback(config, task);
		for (const [index, agent] of agents.entries()) {
			const label = `${agent.name}: ${agent.model}`;
			onEvent({
				kind: 'phase',
				phase: 'loading',
				step: 0,
				detail: label,
				done: index,
				total: agents.length,
			});
			const policy = await loadPolicy({
				model: agent.model,
				revision: agent.revision,
				keepReference: config.reference_kl_enabled,
				prompts: config,
				device: device ?? undefined,
				onProgress: (done, total, file) => {
					onEvent({
						kind: 'phase',
						phase: 'loading',
						step: 0,
						detail: `${label}: ${file}`,
						done,
						total,
					});
				},
			});
			policies.push(policy);
			for (const note of policy.info.notes) {
				onEvent({
					kind: 'log',
					level: 'warning',
					source: 'model',
					text: `${label}: ${note}`,
					step: 0,
				});
			}
		}
	} catch (error) {
		await dispose();
		throw error;
	}
	return {
		config,
		agents,
		policies,
		task,
		device: device ?? { name: config.device, detail: '', usedBytes: () => null },
		totalSteps: plannedSteps(config, task),
		dispose,
	};
}

/** A person who names a device gets it, and is told where it will be slow. */
function tellCautions(device: Device | null, onEvent: PrepareOptions['onEvent']): void {
	if (device === null || device.caution === null) return;
	onEvent({ kind: 'log', level: 'warning', source: 'grove', text: device.caution, step: 0 });
}

async function openRunTask({ config, onEvent, spawnHost }: PrepareOptions): Promise<OpenedTask> {
	return openTask({
		task: config.task,
		options: config.task_options,
		prompts: config.prompts,
		train_data: config.train_data,
		train_slice: config.train_slice,
		eval_data: config.eval_data,
		eval_slice: config.eval_slice,
		columns: config.columns,
		numAgents: config.num_agents,
		agentNames: config.agents?.map((agent, index) => agent.name ?? `agent_${index + 1}`) ?? null,
		numTurns: config.num_turns,
		seed: config.seed,
		timeLimitMs: config.task_time_limit * 1000,
		memoryLimitMb: config.task_memory_limit,
		failFast: config.on_reward_error === 'fail',
		onLog: (level, text) => {
			onEvent({ kind: 'log', level, source: 'task', text, step: 0 });
		},
		onWait: (notice) => {
			if (notice === null) return;
			const { call, context, seconds, limitSeconds } = notice;
			const place =
				context === null
					? ''
					: ` of example ${context.itemId}, turn ${context.turn}, joint completion ${context.joint}`;
			onEvent({
				kind: 'phase',
				phase: 'rewarding',
				step: context?.step ?? 0,
				detail: `waiting for ${call}${place}: ${Math.round(seconds)} s of at most ${limitSeconds} s`,
				done: 0,
				total: 0,
			});
		},
		...(spawnHost === undefined ? {} : { spawn: spawnHost }),
	});
}

/** More than one turn needs feedback that leads to the next. */
function requireFeedback(config: RunConfig, task: OpenedTask): void {
	if (config.num_turns === 1 || task.hasFeedback) return;
	throw new GroveError('bad-input', {
		where: 'num_turns',
		what: `the task ${task.name} gives no feedback, so there is no second turn (the reference calls it external_transition)`,
		expected: '1, or a task with a feedback function',
		given: String(config.num_turns),
	});
}
