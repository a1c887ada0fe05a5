/** `grove models`: the models on this machine, and how another gets here. */
import type { ModelEntry } from '../../contract/requests.ts';
import { describeModel, downloadModel, listModels, resolveModel } from '../../policy/index.ts';
import type { Command, Terminal } from '../command.ts';
import type { CommandGroup } from '../command-group.ts';
import { formatBytes, formatTable, safeForTerminal } from '../format.ts';
import { printJson } from '../json.ts';

function parametersText(parameters: number | null): string {
	if (parameters === null) return '—';
	const [size, unit] = parameters < 1e6 ? [1e3, 'k'] : parameters < 1e9 ? [1e6, 'M'] : [1e9, 'B'];
	return `${(parameters / size).toPrecision(3)} ${unit}`;
}

function modelTable(models: readonly ModelEntry[]): string {
	return formatTable(
		['model', 'where', 'kind', 'parameters', 'size', 'training one agent', ''],
		models.map((model) => [
			model.ref,
			model.source,
			model.architecture,
			parametersText(model.parameters),
			formatBytes(model.bytes),
			model.trainingBytes === null ? '—' : formatBytes(model.trainingBytes),
			model.problem === null ? '' : `cannot be used: ${model.problem}`,
		]),
		80,
	);
}

const list: Command = {
	name: 'models list',
	usage: '',
	summary:
		'Lists the models on this machine: the bundled ones and those of the Hugging Face cache.',
	options: {},
	positionals: [0, 0],
	async run(args, terminal) {
		const models = await listModels();
		if (args.flag('json')) printJson(terminal, { models });
		else terminal.out(modelTable(models));
		return 0;
	},
};

/** Tells how far a download is: one line redrawn at a terminal, else a line for each file. */
function progressTo(terminal: Terminal): (done: number, total: number, file: string) => void {
	let shownFile = '';
	return (done, total, file) => {
		const text = `${formatBytes(done)} of ${formatBytes(total)}  ${safeForTerminal(file)}`;
		if (terminal.interactive)
			terminal.err(`\r\u001b[2K${text.slice(0, Math.max(20, terminal.columns - 1))}`);
		else if (file !== shownFile) terminal.err(`${text}\n`);
		shownFile = file;
	};
}

const download: Command = {
	name: 'models download',
	usage: 'MODEL',
	summary:
		'Downloads a model of the Hugging Face Hub into the cache that Python uses too; what is there is not downloaded again.',
	details:
		'MODEL is a Hub id such as Qwen/Qwen2.5-0.5B. HF_HOME, HF_HUB_CACHE, HF_TOKEN, HF_ENDPOINT and HF_HUB_OFFLINE are honoured.',
	options: {
		revision: { type: 'text', value: 'REVISION', help: 'A branch, tag or commit (default: main).' },
	},
	positionals: [1, 1],
	async run(args, terminal) {
		const ref = args.positionals[0] ?? '';
		const path = await resolveModel(ref, {
			revision: args.text('revision') ?? null,
			onProgress: progressTo(terminal),
			download: downloadModel,
		});
		if (terminal.interactive) terminal.err('\r\u001b[2K');
		const model = await describeModel(ref, 'cache', path);
		if (args.flag('json')) printJson(terminal, { model });
		else terminal.out(`${modelTable([model])}\nIt is in ${safeForTerminal(path)}\n`);
		return 0;
	},
};

export const models: CommandGroup = {
	name: 'models',
	summary: 'The models on this machine, and how another gets here.',
	commands: [list, download],
};
