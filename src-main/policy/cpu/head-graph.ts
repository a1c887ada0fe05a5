/**
 * The end of the model as ONNX graphs: final norm, logits, and log-probabilities of chosen tokens.
 * M rows, D hidden, V output vocabulary.
 */
import { OnnxGraph } from '../../compute/onnx-graph.ts';
import type { ModelConfig } from '../model-config.ts';

function normedRows(graph: OnnxGraph, config: ModelConfig): string {
	const x = graph.input('x', 'float32', ['M', config.hiddenSize]);
	const weight = graph.input('norm', 'float32', [config.hiddenSize]);
	graph.apply('SimplifiedLayerNormalization', [x, weight], ['normed', 'scale'], {
		axis: -1,
		epsilon: { float: config.rmsNormEps },
	});
	return 'normed';
}

/** `x` `[M, D]` → `logits` and `logProbs` `[M, V]`. */
export function logitsGraph(config: ModelConfig): OnnxGraph {
	const graph = new OnnxGraph();
	const normed = normedRows(graph, config);
	const head = graph.input('head', 'float32', ['V', config.hiddenSize]);
	graph.op('FusedMatMul', [normed, head], { transB: 1 }, 'logits');
	graph.op('LogSoftmax', ['logits'], { axis: -1 }, 'logProbs');
	graph.declareOutput('logits');
	graph.declareOutput('logProbs');
	return graph;
}

/**
 * `x` `[M, D]`, `targets` `[M, 1]` → `probabilities` `[M, V]`, and per row what its target's
 * log-probability is made of: `targetLogit`, `topLogit`, `topProbability` (all `[M, 1]`). The most likely
 * token gives the log of the softmax's sum without loss of precision: topLogit − log(topProbability).
 */
export function headForwardGraph(config: ModelConfig): OnnxGraph {
	const graph = new OnnxGraph();
	const normed = normedRows(graph, config);
	const head = graph.input('head', 'float32', ['V', config.hiddenSize]);
	const targets = graph.input('targets', 'int64', ['M', 1]);
	const logits = graph.op('FusedMatMul', [normed, head], { transB: 1 });
	const lastAxis = graph.integers([-1]);
	graph.op('Softmax', [logits], { axis: -1 }, 'probabilities');
	graph.op('GatherElements', [logits, targets], { axis: 1 }, 'targetLogit');
	graph.op('ReduceMax', [logits, lastAxis], {}, 'topLogit');
	graph.op('ReduceMax', ['probabilities', lastAxis], {}, 'topProbability');
	for (const name of [
		'probabilities',
		'targetLogit',
		'topLogit',
		'topProbability',
		'normed',
		'scale',
	])
		graph.declareOutput(name);
	return graph;
}

/**
 * Gradient of Σ coefficient · log-probability. `errors` `[M, V]` is probabilities with 1 taken off at each
 * target, `negated` `[M, 1]` is −coefficient: that way no pass over `[M, V]` is needed but the products.
 * Gives `dx` `[M, D]`, `headGradient` and `normGradient` (sums so far in `headSum` and `normSum`).
 */
export function headBackwardGraph(config: ModelConfig): OnnxGraph {
	const graph = new OnnxGraph();
	const { hiddenSize } = config;
	const errors = graph.input('errors', 'float32', ['M', 'V']);
	const negated = graph.input('negated', 'float32', ['M', 1]);
	const x = graph.input('x', 'float32', ['M', hiddenSize]);
	const scale = graph.input('scale', 'float32', ['M', 1]);
	const normed = graph.input('normed', 'float32', ['M', hiddenSize]);
	const norm = graph.input('norm', 'float32', [hiddenSize]);
	const head = graph.input('head', 'float32', ['V', hiddenSize]);
	const headSum = graph.input('headSum', 'float32', ['V', hiddenSize]);
	const normSum = graph.input('normSum', 'float32', [hiddenSize]);
	const weighted = graph.op('Mul', [normed, negated]);
	graph.op('Gemm', [errors, weighted, headSum], { transA: 1 }, 'headGradient');
	const dNormed = graph.op('Mul', [graph.op('MatMul', [errors, head]), negated]);
	const unit = graph.op('Mul', [x, scale]);
	const byWeight = graph.op('Mul', [dNormed, unit]);
	const total = graph.op('ReduceSum', [byWeight, graph.integers([0])], { keepdims: 0 });
	graph.op('Add', [normSum, total], {}, 'normGradient');
	const mean = graph.op('ReduceMean', [graph.op('Mul', [byWeight, norm]), graph.integers([-1])]);
	const centred = graph.op('Sub', [
		graph.op('Mul', [dNormed, norm]),
		graph.op('Mul', [unit, mean]),
	]);
	graph.op('Mul', [centred, scale], {}, 'dx');
	for (const name of ['dx', 'headGradient', 'normGradient']) graph.declareOutput(name);
	return graph;
}
