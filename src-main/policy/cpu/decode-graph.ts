/**
 * One decoding step of the whole model as one ONNX graph: B rows, one new token each, keys and values
 * written in place into the caches `[B, K, S, E]` (ONNX Runtime's GroupQueryAttention does that where its
 * past and present share memory). Weights are graph inputs, so an update needs no new session.
 */
import { OnnxGraph, type Value } from '../../compute/onnx-graph.ts';
import type { ModelConfig } from '../model-config.ts';

/** GroupQueryAttention takes only these head sizes; others decode by `forwardGraph` with the cache as prefix. */
export function canFuseDecoding(config: ModelConfig): boolean {
	return config.headDim % 16 === 0;
}

/**
 * Inputs: `x` `[B, D]` (embedded tokens), `pastLength` int32 `[B]`, `totalLength` int32 `[1]` (longest row with its
 * new token), `cos`, `sin`, per layer `…N` weights and caches `keysN`, `valuesN`, then `norm` and `head`.
 * Results: `logits`, `logProbs` `[B, V]`, `newKeysN`, `newValuesN` (to be given the caches' own memory).
 */
export function decodeGraph(config: ModelConfig, weightFirst: boolean): OnnxGraph {
	const graph = new OnnxGraph();
	const { hiddenSize, intermediateSize, heads, kvHeads, headDim } = config;
	const qkvSize = (heads + 2 * kvHeads) * headDim;

	/** x·Wᵀ. With large weights (W·xᵀ)ᵀ is faster: then the small factor is the one that gets packed. */
	const linear = (x: Value, weight: string, bias: Value | null, name?: string): Value => {
		const matrix = graph.input(weight, 'float32', [`${weight}Out`, `${weight}In`]);
		if (!weightFirst) {
			const product = graph.op(
				'FusedMatMul',
				[x, matrix],
				{ transB: 1 },
				bias === null ? name : undefined,
			);
			return bias === null ? product : graph.op('Add', [product, bias], {}, name);
		}
		const product = graph.op('FusedMatMul', [matrix, x], { transB: 1 });
		const turned = graph.transpose(product, [1, 0], bias === null ? name : undefined);
		return bias === null ? turned : graph.op('Add', [turned, bias], {}, name);
	};
	const vector = (name: string): Value => graph.input(name, 'float32', [`${name}Size`]);
	const epsilon = { float: config.rmsNormEps };
	const norm = (x: Value, weight: Value): Value =>
		graph.op('SimplifiedLayerNormalization', [x, weight], { axis: -1, epsilon });
	/** Adds and normalises in one operation; gives the sum and its norm. */
	const addNorm = (x: Value, more: Value, weight: Value): [Value, Value] => {
		const [normed = '', total = ''] = graph.names('addNorm', 2);
		graph.apply('SkipSimplifiedLayerNormalization', [x, more, weight], [normed, '', '', total], {
			epsilon,
		});
		return [total, normed];
	};

	let x = graph.input('x', 'float32', ['B', hiddenSize]);
	const past = graph.input('pastLength', 'int32', ['B']);
	const total = graph.input('totalLength', 'int32', [1]);
	const cos = graph.input('cos', 'float32', ['table', headDim / 2]);
	const sin = graph.input('sin', 'float32', ['table', headDim / 2]);
	let normed: Value;
	let added: Value | null = null;
	for (let layer = 0; layer < config.layers; layer++) {
		const inputNorm = vector(`inputNorm${layer}`);
		if (added === null) normed = norm(x, inputNorm);
		else [x, normed] = addNorm(x, added, inputNorm);
		const qkvBias = config.qkvBias ? vector(`qkvBias${layer}`) : null;
		let qkv = linear(normed, `qkv${layer}`, qkvBias);
		if (config.qkNorm) {
			const [q = '', k = '', v = ''] = graph.split(qkv, [
				heads * headDim,
				kvHeads * headDim,
				kvHeads * headDim,
			]);
			const perHead = (value: Value, name: string, count: number): Value =>
				graph.reshape(norm(graph.reshape(value, [-1, headDim]), vector(`${name}${layer}`)), [
					-1,
					count * headDim,
				]);
			qkv = graph.op('Concat', [perHead(q, 'qNorm', heads), perHead(k, 'kNorm', kvHeads), v], {
				axis: -1,
			});
		}
		const keys = graph.input(`keys${layer}`, 'float32', ['B', kvHeads, 'S', headDim]);
		const values = graph.input(`values${layer}`, 'float32', ['B', kvHeads, 'S', headDim]);
		const [attended = ''] = graph.names('attended', 1);
		graph.apply(
			'GroupQueryAttention',
			[graph.reshape(qkv, [-1, 1, qkvSize]), '', '', keys, values, past, total, cos, sin],
			[attended, `newKeys${layer}`, `newValues${layer}`],
			{ num_heads: heads, kv_num_heads: kvHeads, do_rotary: 1 },
		);
		graph.declareOutput(`newKeys${layer}`);
		graph.declareOutput(`newValues${layer}`);
		const mixed = linear(
			graph.reshape(attended, [-1, heads * headDim]),
			`o${layer}`,
			config.outputBias ? vector(`oBias${layer}`) : null,
		);
		[x, normed] = addNorm(x, mixed, vector(`mlpNorm${layer}`));
		const gateUpBias = config.mlpBias ? vector(`gateUpBias${layer}`) : null;
		const [gate = '', up = ''] = graph.split(linear(normed, `gateUp${layer}`, gateUpBias), [
			intermediateSize,
			intermediateSize,
		]);
		const active = graph.op('Mul', [graph.op('QuickGelu', [gate], { alpha: { float: 1 } }), up]);
		added = linear(active, `down${layer}`, config.mlpBias ? vector(`downBias${layer}`) : null);
	}
	const last = added === null ? norm(x, vector('norm')) : addNorm(x, added, vector('norm'))[1];
	linear(last, 'head', null, 'logits');
	graph.op('LogSoftmax', ['logits'], { axis: -1 }, 'logProbs');
	graph.declareOutput('logits');
	graph.declareOutput('logProbs');
	return graph;
}
