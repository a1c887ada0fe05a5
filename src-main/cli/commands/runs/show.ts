import { configFields, configKeys, showValue } from '../../../contract/config.ts';
import type { RunRow } from '../../../contract/requests.ts';
import type { MetricSummary, RunRecord } from '../../../contract/run-record.ts';
import type { Store } from '../../../store/index.ts';
import type { Command } from '../../command.ts';
import { findRunId } from '../../find-run.ts';
import {
	formatBytes,
	formatDuration,
	formatNumber,
	formatTable,
	formatTime,
	safeForTerminal,
} from '../../format.ts';
import { printJson } from '../../json.ts';
import { headlineKeys } from '../../metric-patterns.ts';
import { withStore } from '../../with-store.ts';

/** The run without what only the runs table shows. */
function recordOf({ live: _live, sparkline: _curve, summaries: _some, ...run }: RunRow): RunRecord {
	return run;
}

/** The settings of a run that are not the defaults of this version. */
function changedSettings(run: RunRecord): [string, unknown][] {
	return configKeys.flatMap((key): [string, unknown][] => {
		const value = run.config[key];
		const isDefault = JSON.stringify(value) === JSON.stringify(configFields[key].default);
		return value === undefined || isDefault ? [] : [[key, value]];
	});
}

function factsOf(run: RunRecord): [string, string][] {
	const { startedAtMs, endedAtMs } = run;
	const time = (ms: number | null): string => (ms === null ? '' : formatTime(ms));
	return [
		['id', run.id],
		['name', run.name],
		['status', run.status],
		['step', `${run.step} of ${run.totalSteps}, ${run.envStep} joint completions scored`],
		['created', time(run.createdAtMs)],
		['ended', time(endedAtMs)],
		[
			'lasted',
			startedAtMs === null || endedAtMs === null ? '' : formatDuration(endedAtMs - startedAtMs),
		],
		['project', run.project],
		['tags', run.tags.join(', ')],
		['notes', run.notes],
		['task', run.taskName],
		['model', run.model],
		['device', run.device],
		['seed', run.seed],
		['made with', `Grove ${run.groveVersion}`],
		['git', run.git ?? ''],
		[
			'forked from',
			run.parentRunId === null ? '' : `${run.parentRunId} at step ${run.forkStep ?? 0}`,
		],
		['archived', run.archived ? 'yes' : ''],
		['in the trash', time(run.deletedAtMs)],
		['error', run.error?.message ?? ''],
	];
}

function metricTable(summaries: readonly MetricSummary[]): string {
	const show = (value: number | null): string => (value === null ? '—' : formatNumber(value));
	return formatTable(
		['metric', 'last', 'mean', 'least', 'most'],
		summaries.map(({ key, last, mean, min, max }) => [key, ...[last, mean, min, max].map(show)]),
	);
}

function describe(
	store: Store,
	id: string,
): {
	run: RunRecord;
	children: string[];
	configText: string;
	summaries: MetricSummary[];
	checkpoints: ReturnType<Store['listCheckpoints']>['checkpoints'];
} {
	const { run, configText, children } = store.getRun(id);
	const summaries = store.metricKeys([id]).keys.flatMap((entry) => entry.summaries[id] ?? []);
	return {
		run: recordOf(run),
		children,
		configText,
		summaries,
		checkpoints: store.listCheckpoints(id).checkpoints,
	};
}

export const show: Command = {
	name: 'runs show',
	usage: 'RUN',
	summary: 'Shows one run: its facts, settings other than the defaults, metrics and checkpoints.',
	details: 'RUN is an id, the beginning of one, or a name that only one run has.',
	options: {},
	positionals: [1, 1],
	run: (args, terminal) =>
		withStore(args, terminal, (store) => {
			const described = describe(store, findRunId(store, args.positionals[0] ?? ''));
			const { run, children, summaries, checkpoints } = described;
			if (args.flag('json')) {
				printJson(terminal, described);
				return 0;
			}
			const facts = factsOf(run).filter(([, value]) => value !== '');
			for (const [name, value] of facts)
				terminal.out(`${name.padEnd(13)} ${safeForTerminal(value)}\n`);
			if (children.length > 0) terminal.out(`${'forks'.padEnd(13)} ${children.join(', ')}\n`);
			terminal.out('\nSettings other than the defaults\n');
			for (const [key, value] of changedSettings(run))
				terminal.out(`  ${key}: ${safeForTerminal(showValue(value))}\n`);
			const headline = new Set(headlineKeys(summaries.map(({ key }) => key)));
			if (headline.size > 0)
				terminal.out(`\n${metricTable(summaries.filter(({ key }) => headline.has(key)))}`);
			if (checkpoints.length > 0) {
				const rows = checkpoints.map(({ step, bytes, wallTimeMs, isBest, path }) => [
					String(step),
					formatBytes(bytes),
					formatTime(wallTimeMs),
					isBest ? 'best' : '',
					path,
				]);
				terminal.out(`\n${formatTable(['checkpoint', 'size', 'saved', '', 'folder'], rows, 200)}`);
			}
			return 0;
		}),
};
