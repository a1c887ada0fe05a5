import { GroveError } from '../../../contract/errors.ts';
import type { RunRow } from '../../../contract/requests.ts';
import type { RunStatus } from '../../../contract/run-record.ts';
import { type Arguments, type Command, oneOf } from '../../command.ts';
import { formatNumber, formatTable, formatTime } from '../../format.ts';
import { printJson } from '../../json.ts';
import { matchingKeys, rewardMeanKeys } from '../../metric-patterns.ts';
import { withStore } from '../../with-store.ts';

const statuses: readonly RunStatus[] = [
	'queued',
	'running',
	'paused',
	'finished',
	'stopped',
	'failed',
	'crashed',
];
/** Columns of reward means unless others are asked for; more would not fit a line. */
const usualColumns = 3;

function whichRuns(args: Arguments): 'live' | 'archived' | 'trash' | 'all' {
	const given = (['archived', 'trash', 'all'] as const).filter((name) => args.flag(name));
	const [first = 'live', second] = given;
	if (second !== undefined) {
		throw new GroveError('bad-input', {
			where: 'grove runs list',
			what: 'two options contradict each other',
			expected: 'one of --archived, --trash, --all',
			given: given.map((name) => `--${name}`).join(' '),
		});
	}
	return first;
}

/** What the options let through. */
function chosen(args: Arguments): (run: RunRow) => boolean {
	const status = oneOf(args, 'status', statuses);
	const project = args.text('project');
	const tags = args.list('tag');
	return (run) =>
		(status === undefined || run.status === status) &&
		(project === undefined || run.project === project) &&
		tags.every((tag) => run.tags.includes(tag));
}

export const list: Command = {
	name: 'runs list',
	usage: '',
	summary: 'Lists the runs, newest first, with the last values of their metrics.',
	options: {
		metric: {
			type: 'list',
			value: 'KEY',
			help: 'A column with the last value of this metric; * stands for any characters; may be repeated. Default: the reward mean of each turn.',
		},
		status: { type: 'text', value: 'STATUS', help: `Only these: ${statuses.join(', ')}.` },
		project: { type: 'text', value: 'NAME', help: 'Only runs of this project.' },
		tag: { type: 'list', value: 'TAG', help: 'Only runs with this tag; may be repeated.' },
		archived: { type: 'flag', help: 'The archived runs.' },
		trash: { type: 'flag', help: 'The runs in the trash.' },
		all: { type: 'flag', help: 'All runs, archived and in the trash too.' },
	},
	positionals: [0, 0],
	async run(args, terminal) {
		const include = whichRuns(args);
		const isChosen = chosen(args);
		return withStore(args, terminal, (store) => {
			const wanted = args.list('metric');
			const { metricKeys } = store.listRuns({ include, keys: [], ids: [] });
			const keys =
				wanted.length > 0
					? matchingKeys(metricKeys, wanted)
					: rewardMeanKeys(metricKeys).slice(0, usualColumns);
			const runs = store.listRuns({ include, keys }).runs.filter(isChosen);
			if (args.flag('json')) {
				const shown = runs.map(({ live: _live, sparkline: _sparkline, ...run }) => run);
				printJson(terminal, { database: store.path, runs: shown });
			} else if (runs.length === 0) terminal.out('No runs.\n');
			else
				terminal.out(
					formatTable(
						['id', 'name', 'status', 'step', 'created', ...keys, 'tags'],
						runs.map((run) => [
							run.id,
							run.name,
							run.status,
							`${run.step}/${run.totalSteps}`,
							formatTime(run.createdAtMs),
							...keys.map((key) => {
								const last = run.summaries[key]?.last ?? null;
								return last === null ? '—' : formatNumber(last);
							}),
							run.tags.join(', '),
						]),
					),
				);
			return 0;
		});
	},
};
