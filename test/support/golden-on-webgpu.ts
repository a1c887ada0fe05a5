/**
 * Runs the named golden decoders on WebGPU in a process of its own (test/policy/webgpu.test.ts), since Dawn looks for
 * drivers where the environment says so at the start. Prints one line of JSON: why WebGPU cannot be had, or how far its results are off.
 */
import process from 'node:process';
import type { Tfjs } from '../../src-main/compute/index.ts';
import { loadWebgpu } from '../../src-main/compute/tensorflow.ts';
import {
	byName,
	expectedWeights,
	golden,
	openEngine,
	scoreSequences,
	takeGoldenSteps,
	worst,
} from './golden-decoder.ts';

async function differences(tf: Tfjs, name: string): Promise<Record<string, number>> {
	const expected = golden.models[name];
	if (expected === undefined) throw new Error(`no golden data of ${name}`);
	const engine = await openEngine(name, tf);
	const found: Record<string, number> = {};
	const worstWeight = async (flat: Float32Array, kind: 'gradient' | 'trained'): Promise<number> => {
		const given = await byName(name, flat);
		let most = 0;
		for (const [weight, { data }] of await expectedWeights(name, kind))
			most = Math.max(most, worst(given.get(weight)?.data ?? [], data));
		return most;
	};
	const prompt = golden.sequences[0]?.prompt ?? [];
	const decoding = await engine.decode([prompt.slice(0, -1)], [1], 1);
	await decoding.advance(Int32Array.of(prompt.at(-1) ?? 0));
	found['logits'] = worst(decoding.logits, expected.logits.at(-1) ?? []);
	decoding.dispose();
	const logProbs = await scoreSequences(engine, 1000, true);
	found['log-probabilities'] = worst(logProbs.flat(), expected.log_probs.flat());
	found['gradient'] = await worstWeight(await engine.readGradient(), 'gradient');
	const norms = await takeGoldenSteps(engine);
	found['gradient norms'] = worst(norms, expected.step_grad_norms);
	found['trained weights'] = await worstWeight(await engine.readWeights(), 'trained');
	engine.dispose();
	return found;
}

async function main(): Promise<object> {
	let loaded: Awaited<ReturnType<typeof loadWebgpu>>;
	try {
		loaded = await loadWebgpu();
	} catch (error) {
		return { missing: error instanceof Error ? error.message : String(error) };
	}
	const found: Record<string, unknown> = {};
	for (const name of process.argv.slice(2)) found[name] = await differences(loaded.tf, name);
	return { adapter: loaded.facts.adapter, models: found };
}

const result = await main();
// Dawn keeps the process alive.
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());
