/** `npm run bench:check`: measures again and fails where a ratio is more than 25 % worse than in bench/results.json. For people; not part of `npm test`. */
import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Figure, PartResult } from './part.ts';

const file = new URL('./results.json', import.meta.url);
const tolerance = 0.25;

function ratios(text: string): Map<string, Figure> {
	const { results } = JSON.parse(text) as { results: PartResult[] };
	return new Map(
		results.flatMap(({ part, figures }) =>
			figures
				.filter((figure) => figure.kind === 'ratio')
				.map((figure) => [`${part}: ${figure.name}`, figure] as const),
		),
	);
}

const before = ratios(readFileSync(file, 'utf8'));
const run = spawnSync(process.execPath, [fileURLToPath(new URL('./run.ts', import.meta.url))], {
	stdio: 'inherit',
});
const after = ratios(readFileSync(file, 'utf8'));
let worse = 0;
for (const [name, old] of before) {
	const now = after.get(name);
	if (now === undefined) continue;
	// A ratio with an upper goal is better when smaller.
	const change = old.goal?.atMost === undefined ? now.value / old.value : old.value / now.value;
	if (change < 1 - tolerance) {
		worse++;
		process.stdout.write(`${name}: ${old.value.toPrecision(3)} → ${now.value.toPrecision(3)}\n`);
	}
}
process.stdout.write(
	worse === 0
		? 'No ratio is more than 25 % worse.\n'
		: `${worse} ratios are more than 25 % worse.\n`,
);
process.exitCode = run.status !== 0 || worse > 0 ? 1 : 0;
