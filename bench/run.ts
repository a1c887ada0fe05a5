/**
 * `npm run bench [-- PART...]`: runs the parts one after another, each in a process of its own, prints a
 * table and writes bench/results.json. `bench/README.md` says what each figure means.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { CannotMeasure, type Measure, type PartResult, reaches } from './part.ts';

const parts = ['machine', 'policy', 'step', 'reference', 'tasks', 'store'] as const;

function isPart(name: string): name is (typeof parts)[number] {
	return (parts as readonly string[]).includes(name);
}

/** Runs one part in this process and prints its result as one line of JSON. */
async function runPart(part: string): Promise<void> {
	const start = performance.now();
	const loaded = (await import(`./${part}.ts`)) as { measure: Measure };
	const result: PartResult = { part, figures: [], seconds: 0 };
	try {
		result.figures = await loaded.measure();
	} catch (error) {
		if (!(error instanceof CannotMeasure)) throw error;
		result.skipped = error.message;
	}
	result.seconds = (performance.now() - start) / 1000;
	process.stdout.write(`\n@result ${JSON.stringify(result)}\n`);
}

function startPart(part: string): Promise<PartResult> {
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--part', part], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		let output = '';
		child.stdout.on('data', (chunk: Buffer) => {
			output += chunk.toString('utf8');
		});
		child.on('error', reject);
		child.on('close', (code) => {
			const line = output.split('\n').findLast((text) => text.startsWith('@result '));
			if (line === undefined)
				reject(new Error(`bench part ${part} ended with code ${code ?? 'none'} and no result`));
			else resolve(JSON.parse(line.slice('@result '.length)) as PartResult);
		});
	});
}

function show(result: PartResult): string {
	const head = `\n${result.part} (${result.seconds.toFixed(0)} s)`;
	if (result.skipped !== undefined) return `${head}\n  skipped: ${result.skipped}\n`;
	const rows = result.figures.map((figure) => {
		const { atLeast, atMost } = figure.goal ?? {};
		const goal =
			atLeast !== undefined
				? `  goal ≥ ${atLeast}`
				: atMost !== undefined
					? `  goal ≤ ${atMost}`
					: '';
		const verdict =
			figure.goal === undefined ? '' : reaches(figure) ? '  reached' : '  NOT REACHED';
		return `  ${figure.name.padEnd(64)} ${figure.value.toPrecision(4).padStart(10)} ${figure.unit}${goal}${verdict}${figure.note === undefined ? '' : `  (${figure.note})`}`;
	});
	return `${head}\n${rows.join('\n')}\n`;
}

const [flag, part] = process.argv.slice(2);
if (flag === '--part' && part !== undefined) await runPart(part);
else {
	const wanted = process.argv.slice(2);
	const unknown = wanted.find((name) => !isPart(name));
	if (unknown !== undefined) {
		process.stderr.write(`bench: unknown part ${unknown}\n  expected: ${parts.join(', ')}\n`);
		process.exitCode = 2;
	} else {
		const results: PartResult[] = [];
		for (const name of wanted.length > 0 ? wanted : parts) {
			const result = await startPart(name);
			process.stdout.write(show(result));
			results.push(result);
		}
		const machine = {
			cpu: cpus()[0]?.model ?? 'unknown',
			cores: cpus().length,
			memoryBytes: totalmem(),
			node: process.version,
			platform: `${process.platform} ${process.arch}`,
		};
		if (wanted.length === 0)
			writeFileSync(
				new URL('./results.json', import.meta.url),
				`${JSON.stringify({ machine, results }, null, '\t')}\n`,
			);
	}
}
