/** `grove metrics`: what a run measured. */
import { explainMetric } from '../../contract/metrics.ts';
import type { Store } from '../../store/index.ts';
import type { Command, Terminal } from '../command.ts';
import { findRunId } from '../find-run.ts';
import { formatNumber, formatTable } from '../format.ts';
import { printJson, printJsonList } from '../json.ts';
import { matchingKeys } from '../metric-patterns.ts';
import { withStore } from '../with-store.ts';

interface Point {
	key: string;
	step: number;
	envStep: number;
	epoch: number;
	wallTimeMs: number;
	value: number;
}

/** All points of the keys, key by key, each ascending by step. */
function* pointsOf(store: Store, runId: string, keys: readonly string[]): Generator<Point> {
	for (const key of keys) {
		const { step, envStep, epoch, wallTimeMs, value } = store.metricPoints(runId, key);
		for (let i = 0; i < step.length; i++) {
			yield {
				key,
				step: step[i] ?? NaN,
				envStep: envStep[i] ?? NaN,
				epoch: epoch[i] ?? NaN,
				wallTimeMs: wallTimeMs[i] ?? NaN,
				value: value[i] ?? NaN,
			};
		}
	}
}

function printPoints(points: Iterable<Point>, terminal: Terminal): void {
	let shown: string | undefined;
	const line = (cells: readonly string[]): string =>
		cells
			.map((cell, column) => cell.padEnd(column === 3 ? 26 : 10))
			.join('')
			.trimEnd();
	for (const { key, step, envStep, epoch, wallTimeMs, value } of points) {
		if (key !== shown) {
			const head = line(['step', 'env_step', 'epoch', 'time', 'value']);
			terminal.out(`${shown === undefined ? '' : '\n'}${key}\n${head}\n`);
			shown = key;
		}
		const time = Number.isFinite(wallTimeMs) ? new Date(wallTimeMs).toISOString() : '—';
		const numbers = [step, envStep, epoch].map((number) => formatNumber(number, 4));
		// As many digits as the value has: this is what a person copies elsewhere.
		terminal.out(`${line([...numbers, time, String(value)])}\n`);
	}
}

export const metrics: Command = {
	name: 'metrics',
	usage: 'RUN [KEY...]',
	summary:
		'Prints the metrics of a run: a line for each, or every point of the keys that are named.',
	details:
		'In a KEY, * stands for any characters: `grove metrics RUN "turn_*"`. `grove runs export` writes files.',
	options: {},
	positionals: [1, 1000],
	run: (args, terminal) =>
		withStore(args, terminal, (store) => {
			const [wanted = '', ...patterns] = args.positionals;
			const run = findRunId(store, wanted);
			const { keys } = store.metricKeys([run]);
			if (patterns.length > 0) {
				const names = matchingKeys(
					keys.map(({ key }) => key),
					patterns,
				);
				const points = pointsOf(store, run, names);
				if (args.flag('json')) printJsonList(terminal, { run }, 'points', points);
				else printPoints(points, terminal);
				return 0;
			}
			const summaries = keys.flatMap((entry) => entry.summaries[run] ?? []);
			if (args.flag('json')) {
				const explained = summaries.map((summary) => ({
					...summary,
					help: explainMetric(summary.key)?.help ?? null,
				}));
				printJson(terminal, { run, metrics: explained });
				return 0;
			}
			const show = (value: number | null): string => (value === null ? '—' : formatNumber(value));
			const rows = summaries.map(({ key, count, nonFinite, last, mean, min, max }) => [
				key,
				String(count),
				...[last, mean, min, max].map(show),
				nonFinite === 0 ? '' : `${nonFinite} not finite`,
			]);
			terminal.out(
				rows.length === 0
					? 'The run has no metrics yet.\n'
					: formatTable(['metric', 'points', 'last', 'mean', 'least', 'most', ''], rows, 60),
			);
			return 0;
		}),
};
