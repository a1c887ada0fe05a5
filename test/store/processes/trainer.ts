/** A process that records steps of one run, as fast as it can, until it is killed: DATABASE RUN RECORD [STEPS]. */
import { readFileSync } from 'node:fs';
import type { StepRecord } from '../../../src-main/contract/events.ts';
import { decode } from '../../../src-main/contract/wire.ts';
import { identify, openStore } from '../../../src-main/store/index.ts';

const [path = '', runId = '', recordFile = '', steps = '1000000'] = process.argv.slice(2);
// Written by the test that starts this process.
const pattern = decode(readFileSync(recordFile, 'utf8')) as StepRecord;
const store = await openStore({ path, patienceMs: 120_000 });
const recorder = store.recorder(runId);
const resumedFromStep = Math.max(0, store.getRun(runId).run.step - 1);
recorder.claim(identify());
recorder.record({
	kind: 'started',
	totalSteps: 0,
	device: 'cpu',
	deviceDetail: '',
	resumedFromStep,
});
for (let step = resumedFromStep + 1; step <= Number(steps); step++) {
	const trees = pattern.trees.map((tree) => ({
		...tree,
		step,
		nodes: tree.nodes.map((node) => ({
			...node,
			agents: node.agents.map((agent) => ({
				...agent,
				completions: agent.completions.map((completion) => ({
					...completion,
					// New ones each step, beside the prompts that stay.
					text: `${completion.text} ${runId} ${step}`,
				})),
			})),
		})),
	}));
	const metrics = pattern.metrics.map(({ key }) => ({ key, value: step }));
	recorder.record({
		kind: 'step',
		record: { ...pattern, step, envStep: 2 * step, trees, metrics },
	});
	// Two steps on from where it was, whenever it is killed.
	if (step === resumedFromStep + 3) process.send?.('ready');
	if (step % 5 === 0) {
		recorder.record({ kind: 'log', level: 'info', source: 'grove', text: `step ${step}`, step });
	}
}
recorder.record({ kind: 'finished', step: Number(steps) });
store.close();
process.disconnect();
