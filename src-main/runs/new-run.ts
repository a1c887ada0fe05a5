/** A prepared run as the store wants it. */
import { dirname } from 'node:path';
import type { NewRun } from '../store/index.ts';
import { gitState } from './git-state.ts';
import type { PreparedRun } from './prepare-run.ts';
import { groveVersion } from './version.ts';

export interface RunOrigin {
	configText: string;
	parentRunId: string | null;
	forkStep: number | null;
}

/** What several agents are called together in lists: one model, or several joined. */
export function modelLabel(models: readonly string[]): string {
	return [...new Set(models)].join(' + ');
}

export async function describeNewRun(
	{ config, agents, task, device, totalSteps }: PreparedRun,
	origin: RunOrigin,
): Promise<NewRun> {
	const { name, path, text, hash } = task.source;
	return {
		project: config.project,
		name: config.name,
		config,
		configText: origin.configText,
		task: { name, path, text, hash },
		model: modelLabel(agents.map(({ model }) => model)),
		agents: agents.map((agent, index) => ({
			name: agentName(config.agents?.[index]?.name, task.agentNames[index], agent.name),
			model: agent.model,
		})),
		device: device.name,
		totalSteps,
		seed: String(config.seed),
		groveVersion,
		git: path === null ? null : await gitState(dirname(path)),
		parentRunId: origin.parentRunId,
		forkStep: origin.forkStep,
		notes: config.notes,
		tags: config.tags,
	};
}

/** The configuration's own name wins, then the task's. */
export function agentName(
	configured: string | undefined,
	ofTask: string | undefined,
	fallback: string,
): string {
	return configured ?? ofTask ?? fallback;
}
