/** The main thread of the task's process: answers requests, one at a time, until the trainer goes away. */
import { Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Complaint } from '../../contract/errors.ts';
import { nearestName } from '../../contract/nearest-name.ts';
import { readDatasetSpec } from './dataset-spec.ts';
import { TimeLimitError } from './call-limits.ts';
import { describeValue } from './describe-value.ts';
import { explainLoadFailure } from './explain-load-failure.ts';
import { explainThrown } from './explain-thrown.ts';
import { JournalWriter, phases } from './journal.ts';
import { loadTaskFile } from './load-task-file.ts';
import { type NormalTask, normaliseDefinition } from './normalise-definition.ts';
import {
	encodeFrame,
	type Envelope,
	FrameReader,
	type HostReply,
	type HostRequest,
	journalDescriptor,
	type LoadedTask,
	type LoadRequest,
	socketDescriptor,
	type StrayReport,
} from './protocol.ts';
import { CallError, RunningTask } from './running-task.ts';
import { TaskRandomness } from './task-randomness.ts';

const ownFolder = new URL('.', new URL('..', import.meta.url)).href.replace(/tasks\/$/u, '');
const stringify = JSON.stringify.bind(JSON);
const kill = process.kill.bind(process, process.pid, 'SIGKILL');

export function serveTask(): void {
	const socket = new Socket({ fd: socketDescriptor, readable: true, writable: true });
	const reader = new FrameReader(JSON.parse.bind(JSON));
	const host = new Host();
	const write = socket.write.bind(socket);
	let queue: Promise<void> = Promise.resolve();
	host.onStray = (report) => {
		write(encodeFrame(report, stringify));
	};
	socket.on('data', (chunk: Buffer) => {
		const frames = reader.push(chunk);
		for (let i = 0; i < frames.length; i++) {
			// The other end is our own code; the socket is not reachable by name from the task's.
			const request = frames[i] as Envelope<HostRequest>;
			queue = queue.then(async () => {
				const reply = await host.answer(request);
				write(encodeFrame({ ...reply, id: request.id }, stringify));
			});
		}
	});
	// The trainer is gone. Not process.exit: the task's own exit listeners could hold it up.
	socket.on('close', kill);
	socket.on('error', kill);
}

class Host {
	onStray: (report: StrayReport) => void = () => {};
	readonly #journal = new JournalWriter(journalDescriptor);
	#task: RunningTask | null = null;
	#folder = process.cwd();

	constructor() {
		this.#guardProcess();
	}

	async answer(request: HostRequest): Promise<HostReply> {
		this.#journal.begin();
		try {
			return await this.#answer(request);
		} catch (error) {
			const message = error instanceof CallError ? error.message : faultText(error);
			return { kind: 'failed', message, replace: this.#task?.limits.struck ?? false };
		} finally {
			this.#journal.mark(phases.indexOf('idle'), -1);
		}
	}

	async #answer(request: HostRequest): Promise<HostReply> {
		if (request.kind === 'load') return this.#load(request);
		const task = this.#task;
		if (task === null) throw new Error('no task is loaded');
		const seal = (index: number, outcome: unknown): void => {
			this.#journal.line(stringify({ index, outcome }));
		};
		switch (request.kind) {
			case 'prompts':
				return { kind: 'prompts', outcome: await task.prompts(request.item) };
			case 'rewards': {
				const outcomes = await task.rewards(request.items, request.contexts, seal);
				return { kind: 'rewards', outcomes, replace: task.limits.struck };
			}
			case 'feedback': {
				const outcomes = await task.feedback(request.items, request.contexts, seal);
				return { kind: 'feedback', outcomes, replace: task.limits.struck };
			}
			case 'evaluate':
				return { kind: 'evaluate', values: await task.evaluate(request.items, request.contexts) };
		}
	}

	async #load(request: LoadRequest): Promise<HostReply> {
		const path = 'url' in request.task ? fileURLToPath(request.task.url) : null;
		const file =
			path === null
				? `task ${'builtIn' in request.task ? request.task.builtIn : ''}`
				: basename(path);
		if (path !== null) this.#folder = dirname(path);
		const randomness = new TaskRandomness(request.seed);
		randomness.begin('load');
		this.#journal.mark(phases.indexOf('load'), -1);
		const urls = new Set<string>();
		let loaded;
		try {
			loaded = await loadTaskFile(request.task, request.snapshot, urls);
		} catch (thrown) {
			const { complaint, code } = explainLoadFailure(thrown, file, this.#folder, ownFolder, urls);
			return { kind: 'refused', complaints: [complaint], code };
		}
		const definition = normaliseDefinition(loaded.exports, file);
		if (!definition.ok) return { kind: 'refused', complaints: definition.complaints, code: false };
		const { task } = definition;
		const complaints = [
			...agentComplaints(task, agentCount(task, request), file),
			...optionComplaints(task, request.options),
		];
		if (complaints.length > 0) return { kind: 'refused', complaints, code: false };
		const options = Object.freeze({ ...task.options, ...request.options });
		const agentNames = Object.freeze(namesOf(task, request));
		this.#task = new RunningTask({
			task,
			file,
			folder: this.#folder,
			ownFolder,
			agentNames,
			options,
			timeLimitMs: request.timeLimitMs,
			journal: this.#journal,
			randomness,
		});
		const data = request.wantsDataset
			? await this.#dataset(task, options, file)
			: { train: null, eval: null };
		if ('complaint' in data) {
			return { kind: 'refused', complaints: [data.complaint], code: data.code };
		}
		const described: LoadedTask = {
			name: task.name ?? file.replace(/\.[cm]?[jt]s$/u, '').replace(/^task /u, ''),
			summary: task.summary,
			agentNames: [...agentNames],
			agents:
				task.agents === null
					? null
					: { count: task.agents.count, named: task.agents.names !== null },
			turns: task.turns,
			optionNames: task.options === null ? null : Object.keys(task.options),
			requires: task.requires,
			hasOwnPrompts: task.prompts !== null,
			hasFeedback: task.feedback !== null,
			hasEvaluate: task.evaluate !== null,
			train: data.train,
			eval: data.eval,
			sources: loaded.sources,
		};
		return { kind: 'loaded', task: described };
	}

	async #dataset(
		task: NormalTask,
		options: Readonly<Record<string, unknown>>,
		file: string,
	): Promise<
		| Extract<ReturnType<typeof readDatasetSpec>, { ok: true }>
		| { complaint: Complaint; code: boolean }
	> {
		let value = task.dataset;
		if (typeof value === 'function') {
			this.#journal.mark(phases.indexOf('dataset'), -1);
			try {
				const made = (value as (given: unknown) => unknown)(options);
				value = await this.#task?.limits.settle(Promise.resolve(made), 'dataset', -1);
			} catch (thrown) {
				const explained = explainThrown(thrown, this.#folder, ownFolder);
				const what =
					thrown instanceof TimeLimitError
						? 'dataset took longer than the time limit'
						: `dataset threw ${explained.message}`;
				return { complaint: { where: explained.where ?? file, what }, code: true };
			}
		}
		const spec = readDatasetSpec(value, this.#folder);
		return spec.ok ? spec : { complaint: { where: file, what: spec.problem }, code: false };
	}

	/** What the task does to the process outside of its calls, told instead of suffered. */
	#guardProcess(): void {
		const stray = (kind: string) => (thrown: unknown) => {
			const { message, where } = explainThrown(thrown, this.#folder, ownFolder);
			const place = where === null ? '' : `${where}: `;
			this.onStray({
				kind: 'stray',
				message: `${place}${message} (${kind} outside of every call)`,
			});
		};
		process.on('uncaughtException', stray('thrown'));
		process.on('unhandledRejection', stray('a rejected promise that nothing waited for,'));
		const leave = (call: string) => (code?: unknown) => {
			const shown = code === undefined ? '' : describeValue(code);
			const { where } = explainThrown(new Error('left'), this.#folder, ownFolder);
			const place = where === null ? '' : ` at ${where}`;
			this.#journal.note(stringify({ note: `called process.${call}(${shown})${place}` }));
			kill();
			// Dead by now; a signal that is not yet delivered must not let the caller go on.
			for (;;);
		};
		process.exit = leave('exit');
		process.abort = leave('abort');
		Object.assign(process, { reallyExit: leave('reallyExit') });
	}
}

function faultText(error: unknown): string {
	return `the task's process failed: ${explainThrown(error, '', '').message}`;
}

function agentCount(task: NormalTask, request: LoadRequest): number {
	return request.numAgents ?? task.agents?.count ?? 2;
}

function namesOf(task: NormalTask, request: LoadRequest): string[] {
	const names: string[] = [];
	for (let agent = 0; agent < agentCount(task, request); agent++) {
		names[agent] =
			request.agentNames?.[agent] ?? task.agents?.names?.[agent] ?? `agent_${agent + 1}`;
	}
	return names;
}

function agentComplaints(task: NormalTask, numAgents: number, file: string): Complaint[] {
	const found: Complaint[] = [];
	if (task.agents !== null && task.agents.count !== numAgents) {
		found.push({
			where: file,
			what: `the task is written for ${task.agents.count} agents`,
			expected: `num_agents: ${task.agents.count}`,
			given: `num_agents: ${numAgents}`,
		});
	}
	if (task.formatters.length > 1 && task.formatters.length !== numAgents) {
		found.push({
			where: `${file}: formatters`,
			what: 'there must be one for all agents, or one each',
			expected: `1 or ${numAgents}`,
			given: String(task.formatters.length),
		});
	}
	return found;
}

function optionComplaints(task: NormalTask, given: Record<string, unknown>): Complaint[] {
	const known = Object.keys(task.options ?? {});
	if (task.options === null) return [];
	return Object.keys(given)
		.filter((name) => !known.includes(name))
		.map((name) => {
			const near = nearestName(name, known);
			return {
				where: `task_options.${name}`,
				what: 'the task has no such option',
				expected: near === undefined ? known.join(', ') || 'no options' : `perhaps ${near}`,
				given: name,
			};
		});
}
