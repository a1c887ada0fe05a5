import { configKeys, showValue } from '../../../contract/config.ts';
import { GroveError } from '../../../contract/errors.ts';
import type { MetricSummary, RunRecord } from '../../../contract/run-record.ts';
import type { Store } from '../../../store/index.ts';
import type { Command } from '../../command.ts';
import { findRunIds } from '../../find-run.ts';
import { formatNumber, formatTable } from '../../format.ts';
import { printJson } from '../../json.ts';
import { headlineKeys, matchingKeys } from '../../metric-patterns.ts';
import { withStore } from '../../with-store.ts';

/** One line of the comparison: a value for each run, in the order asked for. */
interface Difference {
	key: string;
	values: unknown[];
}

/** What is no setting and yet explains results. */
const facts = {
	status: (run) => run.status,
	step: (run) => run.step,
	'joint completions': (run) => run.envStep,
	task: (run) => run.taskName,
	'task code': (run) => run.taskHash,
	model: (run) => run.model,
	device: (run) => run.device,
	'made with': (run) => run.groveVersion,
	git: (run) => run.git,
} satisfies Record<string, (run: RunRecord) => string | number | null>;

function differing(lines: readonly Difference[]): Difference[] {
	return lines.filter(
		({ values }) => new Set(values.map((value) => JSON.stringify(value))).size > 1,
	);
}

function compare(
	store: Store,
	ids: readonly string[],
	patterns: readonly string[],
): {
	runs: { id: string; name: string }[];
	facts: Difference[];
	config: Difference[];
	metrics: { key: string; summaries: (MetricSummary | null)[] }[];
} {
	const runs = ids.map((id) => store.getRun(id).run);
	const { keys } = store.metricKeys(ids);
	const known = keys.map(({ key }) => key);
	const wanted = new Set(patterns.length > 0 ? matchingKeys(known, patterns) : headlineKeys(known));
	return {
		runs: runs.map(({ id, name }) => ({ id, name })),
		facts: differing(
			Object.entries(facts).map(([key, of]) => ({ key, values: runs.map((run) => of(run)) })),
		),
		config: differing(
			configKeys.map((key) => ({ key, values: runs.map((run) => run.config[key] ?? null) })),
		),
		metrics: keys
			.filter(({ key }) => wanted.has(key))
			.map(({ key, summaries }) => ({ key, summaries: ids.map((id) => summaries[id] ?? null) })),
	};
}

export const diff: Command = {
	name: 'runs diff',
	usage: 'RUN RUN [RUN...]',
	summary:
		'Compares runs: the settings and facts that differ, and the last values of their metrics.',
	options: {
		metric: {
			type: 'list',
			value: 'KEY',
			help: 'Compare this metric; * stands for any characters; may be repeated. Default: reward means and expected returns of the turns.',
		},
	},
	positionals: [2, 50],
	run: (args, terminal) =>
		withStore(args, terminal, (store) => {
			const ids = findRunIds(store, args.positionals);
			if (ids.length < 2) {
				throw new GroveError('bad-input', {
					where: 'grove runs diff',
					what: 'all arguments mean the same run',
					expected: 'two runs or more',
					given: args.positionals.join(' '),
				});
			}
			const compared = compare(store, ids, args.list('metric'));
			if (args.flag('json')) {
				printJson(terminal, compared);
				return 0;
			}
			const table = (title: string, lines: readonly Difference[]): void => {
				if (lines.length === 0) return;
				const rows = lines.map(({ key, values }) => [
					key,
					...values.map((value) => (value === null ? '—' : showValue(value))),
				]);
				terminal.out(`\n${formatTable([title, ...ids], rows)}`);
			};
			terminal.out(
				formatTable(
					['run', 'name'],
					compared.runs.map(({ id, name }) => [id, name]),
				),
			);
			table('fact', compared.facts);
			table('setting', compared.config);
			if (compared.config.length === 0) terminal.out('\nThe settings are the same.\n');
			const rows = compared.metrics.map(({ key, summaries }) => [
				key,
				...summaries.map((summary) =>
					summary?.last == null ? '—' : formatNumber(summary.last, 4),
				),
			]);
			if (rows.length > 0) terminal.out(`\n${formatTable(['last value', ...ids], rows)}`);
			return 0;
		}),
};
