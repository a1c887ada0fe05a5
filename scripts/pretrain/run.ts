/**
 * Remakes the bundled models: `npm run pretrain`, or `npm run pretrain -- grove-tiny` for one of them.
 * Interrupted, it goes on where the last saved state left off; `--fresh` begins anew. `--steps 500` makes
 * a hasty one. The loss curves are logged as runs of Grove (`--db` chooses the database).
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { heldOut } from './batches.ts';
import { freshPolicy, type TrainedTokenizer } from './fresh-policy.ts';
import { modelCard } from './model-card.ts';
import { recipes, vocabularySize, type ModelRecipe } from './model-shapes.ts';
import { sampleAnswers, samplePage } from './samples.ts';
import { trainTokenizer } from './tokenizer/trained-tokenizer.ts';
import { openRunLog } from './run-log.ts';
import { crossEntropyOf, savedSteps, train, trainSeed } from './train.ts';

const root = join(import.meta.dirname, '..', '..');
const heldOutExamples = 1000;
const weightSeed = 1;

async function make(
	recipe: ModelRecipe,
	tokenizer: TrainedTokenizer,
	work: string,
	database: string | undefined,
): Promise<void> {
	const policy = freshPolicy(recipe, tokenizer, weightSeed);
	const evaluation = heldOut(
		'held-out',
		heldOutExamples,
		tokenizer.encode,
		trainSeed,
		recipe.steps * recipe.batch,
	);
	mkdirSync(work, { recursive: true });
	console.log(`${recipe.name}: ${policy.info.parameters} parameters, ${recipe.steps} steps`);
	const log = await openRunLog(recipe, work, savedSteps(work), database);
	console.log(`its curves: npm start -- --run ${log.runId} (${log.path})`);
	for await (const trained of train(policy, recipe, tokenizer.encode, evaluation, work)) {
		log.record(trained);
		const { step, loss, tokensPerSecond, evalLoss } = trained;
		if (step % 50 === 0 || evalLoss !== null) {
			const held =
				evalLoss === null ? '' : `, held-out perplexity ${Math.exp(evalLoss).toFixed(3)}`;
			console.log(
				`step ${step}: loss ${loss.toFixed(3)}${held}, ${tokensPerSecond.toFixed(0)} tokens/s`,
			);
		}
	}
	log.finish(recipe.steps);
	log.close();
	const folder = join(root, 'resources', 'models', recipe.name);
	const heldOutLoss = await crossEntropyOf(policy, evaluation);
	const samples = await sampleAnswers(policy);
	await policy.save(folder);
	const page = samplePage(recipe.name, samples);
	writeFileSync(join(folder, 'samples.md'), page);
	const sampleLines = samples
		.slice(0, 4)
		.map(({ text, completions }) => `> **${text}** ${completions[0]?.text.trim() ?? ''}\n>`);
	const { parameters } = policy.info;
	const facts = { parameters, heldOutLoss, heldOutExamples, sampleLines };
	writeFileSync(join(folder, 'README.md'), modelCard(recipe, facts));
	console.log(
		`\n${page}\nheld-out perplexity ${Math.exp(heldOutLoss).toFixed(3)}; written to ${folder}`,
	);
	policy.dispose();
}

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		fresh: { type: 'boolean', default: false },
		steps: { type: 'string' },
		work: { type: 'string' },
		db: { type: 'string' },
	},
});
const chosen =
	positionals.length === 0 ? recipes : recipes.filter(({ name }) => positionals.includes(name));
if (chosen.length < positionals.length || chosen.length === 0) {
	console.error(`known models: ${recipes.map(({ name }) => name).join(', ')}`);
	process.exit(2);
}
const work = values.work ?? join(root, 'runs', 'pretrain');
const tokenizer = trainTokenizer(vocabularySize);
for (const recipe of chosen) {
	const folder = join(work, recipe.name);
	if (values.fresh && existsSync(folder)) rmSync(folder, { recursive: true });
	const steps = values.steps === undefined ? recipe.steps : Number(values.steps);
	await make({ ...recipe, steps }, tokenizer, folder, values.db);
}
