/**
 * One transformer block as ONNX graphs, norm to residual: forward, and backward with what the forward kept.
 * Norms, activations and attention weights are computed again in the backward pass: cheaper than keeping them.
 *
 * Sizes: B rows = groups × G, T tokens a row, N = B·T, D hidden, H heads, K key-value heads, R = H/K,
 * E head dimension, P prefix length. Keys and values are `[groups, K, G, T, E]`, queries
 * `[groups, K, G, R·T, E]`: all queries of a group that meet the same keys are one matrix.
 */
import { OnnxGraph, type Value } from '../../compute/onnx-graph.ts';
import type { ModelConfig } from '../model-config.ts';

/** Weights of a block: short name in the graphs → rest of the checkpoint's name after `model.layers.N.`. */
export function blockWeights(config: ModelConfig): Record<string, string> {
	return {
		inputNorm: 'input_layernorm.weight',
		q: 'self_attn.q_proj.weight',
		k: 'self_attn.k_proj.weight',
		v: 'self_attn.v_proj.weight',
		...(config.qkvBias && {
			qBias: 'self_attn.q_proj.bias',
			kBias: 'self_attn.k_proj.bias',
			vBias: 'self_attn.v_proj.bias',
		}),
		...(config.qkNorm && { qNorm: 'self_attn.q_norm.weight', kNorm: 'self_attn.k_norm.weight' }),
		o: 'self_attn.o_proj.weight',
		...(config.outputBias && { oBias: 'self_attn.o_proj.bias' }),
		mlpNorm: 'post_attention_layernorm.weight',
		gate: 'mlp.gate_proj.weight',
		up: 'mlp.up_proj.weight',
		...(config.mlpBias && { gateBias: 'mlp.gate_proj.bias', upBias: 'mlp.up_proj.bias' }),
		down: 'mlp.down_proj.weight',
		...(config.mlpBias && { downBias: 'mlp.down_proj.bias' }),
	};
}

/** Everything a backward pass wants back from the forward one, with the number of elements per token. */
export function savedValues(config: ModelConfig): Record<string, number> {
	const { hiddenSize, intermediateSize, heads, kvHeads, headDim } = config;
	return {
		inputScale: 1,
		...(config.qkNorm && { qPlain: heads * headDim, kPlain: kvHeads * headDim }),
		queries: heads * headDim,
		keys: kvHeads * headDim,
		values: kvHeads * headDim,
		attended: heads * headDim,
		middle: hiddenSize,
		middleScale: 1,
		gateOut: intermediateSize,
		upOut: intermediateSize,
	};
}

export type BackwardVariant = 'plain' | 'prefixed' | 'as-prefix';

export interface BlockShape {
	groups: number;
	rowsPerGroup: number;
	length: number;
	prefixLength: number;
}

class BlockBuilder {
	readonly graph = new OnnxGraph();
	readonly config: ModelConfig;
	readonly prefixed: boolean;
	readonly repeats: number;

	constructor(config: ModelConfig, prefixed: boolean) {
		this.config = config;
		this.prefixed = prefixed;
		this.repeats = config.heads / config.kvHeads;
	}

	weightInputs(suffix = ''): Record<string, Value> {
		const names = Object.keys(blockWeights(this.config));
		return Object.fromEntries(
			names.map((name) => [
				name,
				this.graph.input(`${name}${suffix}`, 'float32', weightRank(name)),
			]),
		);
	}

	/** x·Wᵀ, plus bias where the model has one. */
	linear(x: Value, weight: Value, bias: Value | undefined, name?: string): Value {
		const { graph } = this;
		if (bias === undefined) return graph.op('FusedMatMul', [x, weight], { transB: 1 }, name);
		return graph.op('Gemm', [x, weight, bias], { transB: 1 }, name);
	}

	/** RMSNorm over the last axis; `scale` names the reciprocal root mean square. */
	norm(x: Value, weight: Value, scale: Value): Value {
		const [result = ''] = this.graph.names('Norm', 1);
		this.graph.apply('SimplifiedLayerNormalization', [x, weight], [result, scale], {
			axis: -1,
			epsilon: { float: this.config.rmsNormEps },
		});
		return result;
	}

	/** The input `…Shape` of this name; values in `layoutShapes`. */
	shape(name: keyof ReturnType<typeof layoutShapes>): Value {
		return this.graph.input(`${name}Shape`, 'int64', [`${name}Rank`]);
	}

	reshape(value: Value, shape: keyof ReturnType<typeof layoutShapes>, name?: string): Value {
		return this.graph.op('Reshape', [value, this.shape(shape)], {}, name);
	}

	/** `[N, heads·E]` turned by its positions; `sin` may be `negativeSin`, which turns back. */
	rotate(x: Value, kind: 'q' | 'k', sin: 'sin' | 'negativeSin'): Value {
		const { graph, config } = this;
		const heads = kind === 'q' ? config.heads : config.kvHeads;
		const inputs = [
			this.reshape(x, kind === 'q' ? 'queryRows' : 'keyRows'),
			graph.input('positions', 'int64', ['B', 'T']),
			graph.input('cos', 'float32', ['table', 'halfHead']),
			graph.input(sin, 'float32', ['table', 'halfHead']),
		];
		const turned = graph.op('RotaryEmbedding', inputs, { num_heads: heads });
		return graph.reshape(turned, [-1, heads * config.headDim]);
	}

	/** `[N, H·E]` → `[groups, K, G, R·T, E]`. */
	toQueries(x: Value, name?: string): Value {
		const ordered = this.graph.transpose(this.reshape(x, 'queryParts'), [0, 3, 1, 4, 2, 5]);
		return this.reshape(ordered, 'queries', name);
	}

	/** The way back. */
	fromQueries(x: Value, name?: string): Value {
		const ordered = this.graph.transpose(this.reshape(x, 'queryHeads'), [0, 2, 4, 1, 3, 5]);
		return this.graph.reshape(ordered, [-1, this.config.heads * this.config.headDim], name);
	}

	/** One number per head, `[N, H]` → `[groups, K, G, R·T, 1]`. */
	toQueryScalars(x: Value): Value {
		const ordered = this.graph.transpose(this.reshape(x, 'scalarParts'), [0, 3, 1, 4, 2]);
		return this.reshape(ordered, 'scalars');
	}

	/** `[N, K·E]` → `[groups, K, G, T, E]`. */
	toKeys(x: Value, name?: string): Value {
		return this.graph.transpose(this.reshape(x, 'keyParts'), [0, 3, 1, 2, 4], name);
	}

	fromKeys(x: Value): Value {
		const ordered = this.graph.transpose(x, [0, 2, 3, 1, 4]);
		return this.graph.reshape(ordered, [-1, this.config.kvHeads * this.config.headDim]);
	}

	/** Attention weights `[groups, K, G, R·T, T]`, and `[groups, K, G·R·T, P]` onto the prefix. */
	attention(queries: Value, keys: Value): { own: Value; prefix: Value | null } {
		const { graph } = this;
		const scale = { transB: 1, alpha: { float: 1 / Math.sqrt(this.config.headDim) } };
		const scores = graph.op('FusedMatMul', [queries, keys], scale);
		const mask = graph.input('mask', 'float32', ['T', 'T']);
		const own = graph.op('Add', [this.reshape(scores, 'ownScores'), mask]);
		if (!this.prefixed) {
			const weights = graph.op('Softmax', [own], { axis: -1 });
			return { own: this.reshape(weights, 'ownWeights'), prefix: null };
		}
		const flat = this.reshape(queries, 'flatQueries');
		const toPrefix = graph.op('FusedMatMul', [flat, this.prefix('Keys')], scale);
		const prefixMask = graph.input('prefixMask', 'float32', ['groups', 1, 1, 1, 1, 'P']);
		const masked = graph.op('Add', [this.reshape(toPrefix, 'prefixScores'), prefixMask]);
		const weights = graph.op('Softmax', [graph.op('Concat', [masked, own], { axis: -1 })], {
			axis: -1,
		});
		const [onPrefix = '', onOwn = ''] = graph.names('Weights', 2);
		graph.apply('Split', [weights, this.shape('splitSizes')], [onPrefix, onOwn], { axis: -1 });
		return {
			own: this.reshape(onOwn, 'ownWeights'),
			prefix: this.reshape(onPrefix, 'prefixWeights'),
		};
	}

	/** Keys or values of the prefix, `[groups, K, P, E]`. */
	prefix(kind: 'Keys' | 'Values'): Value {
		return this.graph.input(`prefix${kind}`, 'float32', ['groups', 'K', 'P', 'E']);
	}
}

function weightRank(name: string): string[] {
	return /Norm$|Bias$/.test(name) ? ['out'] : [`${name}Out`, `${name}In`];
}

/** Values of the shape inputs for given sizes. */
export function layoutShapes(config: ModelConfig, shape: BlockShape) {
	const { groups, rowsPerGroup: rows, length, prefixLength } = shape;
	const { heads, kvHeads, headDim } = config;
	const repeats = heads / kvHeads;
	return {
		queryRows: [groups * rows, length, heads * headDim],
		keyRows: [groups * rows, length, kvHeads * headDim],
		queryParts: [groups, rows, length, kvHeads, repeats, headDim],
		keyParts: [groups, rows, length, kvHeads, headDim],
		queryHeads: [groups, kvHeads, rows, repeats, length, headDim],
		queries: [groups, kvHeads, rows, repeats * length, headDim],
		scalarParts: [groups, rows, length, kvHeads, repeats],
		scalars: [groups, kvHeads, rows, repeats * length, 1],
		ownScores: [groups, kvHeads, rows, repeats, length, length],
		ownWeights: [groups, kvHeads, rows, repeats * length, length],
		flatQueries: [groups, kvHeads, rows * repeats * length, headDim],
		flatScalars: [groups, kvHeads, rows * repeats * length, 1],
		prefixScores: [groups, kvHeads, rows, repeats, length, prefixLength],
		prefixWeights: [groups, kvHeads, rows * repeats * length, prefixLength],
		splitSizes: [prefixLength, length],
	};
}

/**
 * Forward graph. Inputs: `x` `[N, D]`, the weights, the layout. Results: `y` `[N, D]` and `savedValues`.
 */
export function forwardGraph(config: ModelConfig, prefixed: boolean): OnnxGraph {
	const builder = new BlockBuilder(config, prefixed);
	const { graph } = builder;
	const x = graph.input('x', 'float32', ['N', config.hiddenSize]);
	const w = builder.weightInputs();
	const weight = (name: string): Value => w[name] ?? '';

	const normed = builder.norm(x, weight('inputNorm'), 'inputScale');
	const project = (name: 'q' | 'k', heads: number): Value => {
		if (!config.qkNorm) return builder.linear(normed, weight(name), w[`${name}Bias`]);
		const plain = builder.linear(normed, weight(name), w[`${name}Bias`], `${name}Plain`);
		graph.declareOutput(plain);
		const [scale = ''] = graph.names('headScale', 1);
		const parts = graph.reshape(plain, [-1, config.headDim]);
		return graph.reshape(builder.norm(parts, weight(`${name}Norm`), scale), [
			-1,
			heads * config.headDim,
		]);
	};
	const { heads, kvHeads } = config;
	const queries = builder.toQueries(builder.rotate(project('q', heads), 'q', 'sin'), 'queries');
	const keys = builder.toKeys(builder.rotate(project('k', kvHeads), 'k', 'sin'), 'keys');
	const values = builder.toKeys(builder.linear(normed, weight('v'), w['vBias']), 'values');

	const weights = builder.attention(queries, keys);
	let mixed = graph.op('MatMul', [weights.own, values]);
	if (weights.prefix !== null) {
		const fromPrefix = graph.op('MatMul', [weights.prefix, builder.prefix('Values')]);
		mixed = graph.op('Add', [mixed, builder.reshape(fromPrefix, 'queries')]);
	}
	const attended = builder.fromQueries(mixed, 'attended');
	const middle = graph.op(
		'Add',
		[x, builder.linear(attended, weight('o'), w['oBias'])],
		{},
		'middle',
	);

	const normedMiddle = builder.norm(middle, weight('mlpNorm'), 'middleScale');
	const gate = builder.linear(normedMiddle, weight('gate'), w['gateBias'], 'gateOut');
	const up = builder.linear(normedMiddle, weight('up'), w['upBias'], 'upOut');
	// x·sigmoid(x) is QuickGelu with alpha 1.
	const active = graph.op('Mul', [graph.op('QuickGelu', [gate], { alpha: { float: 1 } }), up]);
	graph.op('Add', [middle, builder.linear(active, weight('down'), w['downBias'])], {}, 'y');

	for (const name of ['y', ...Object.keys(savedValues(config))]) {
		if (name !== 'qPlain' && name !== 'kPlain') graph.declareOutput(name);
	}
	return graph;
}

/**
 * Backward graph. Inputs: `dy` `[N, D]`, `x`, `savedValues`, the weights, the layout (with `negativeSin`),
 * and per weight the gradient so far (`…Sum`). Results: `dx` and the new gradients (`…Gradient`), which may be
 * written over the old. Prefixed: also `dPrefixKeys` and `dPrefixValues`. A block that computed a prefix
 * (`asPrefix`) takes them as inputs and adds them to its own keys' and values' gradients.
 */
export function backwardGraph(config: ModelConfig, variant: BackwardVariant): OnnxGraph {
	const prefixed = variant === 'prefixed';
	const builder = new BlockBuilder(config, prefixed);
	const { graph } = builder;
	const { hiddenSize, heads, kvHeads, headDim } = config;
	const dy = graph.input('dy', 'float32', ['N', hiddenSize]);
	graph.input('x', 'float32', ['N', hiddenSize]);
	const w = builder.weightInputs();
	const sums = builder.weightInputs('Sum');
	for (const name of Object.keys(savedValues(config))) {
		const rank = name === 'queries' || name === 'keys' || name === 'values' ? 5 : 2;
		graph.input(
			name,
			'float32',
			Array.from({ length: rank }, (_, i) => `${name}${i}`),
		);
	}
	const weight = (name: string): Value => w[name] ?? '';
	const sum = (name: string): Value => sums[name] ?? '';

	const matrixGradient = (name: string, dOut: Value, input: Value): void => {
		graph.op('Gemm', [dOut, input, sum(name)], { transA: 1 }, `${name}Gradient`);
		graph.declareOutput(`${name}Gradient`);
	};
	const vectorGradient = (name: string, perRow: Value): void => {
		const total = graph.op('ReduceSum', [perRow, graph.integers([0])], { keepdims: 0 });
		graph.op('Add', [sum(name), total], {}, `${name}Gradient`);
		graph.declareOutput(`${name}Gradient`);
	};
	const biasGradient = (name: string, dOut: Value): void => {
		if (w[name] !== undefined) vectorGradient(name, dOut);
	};
	/** Backward of RMSNorm; gives the gradient of its input. */
	const normBackward = (name: string, dOut: Value, unit: Value, scale: Value): Value => {
		const byWeight = graph.op('Mul', [dOut, unit]);
		vectorGradient(name, byWeight);
		const scaled = graph.op('Mul', [dOut, weight(name)]);
		const mean = graph.op('ReduceMean', [
			graph.op('Mul', [byWeight, weight(name)]),
			graph.integers([-1]),
		]);
		const centred = graph.op('Sub', [scaled, graph.op('Mul', [unit, mean])]);
		return graph.op('Mul', [centred, scale]);
	};

	// Feed-forward half.
	const unitMiddle = graph.op('Mul', ['middle', 'middleScale']);
	const normedMiddle = graph.op('Mul', [unitMiddle, weight('mlpNorm')]);
	const sigmoid = graph.op('Sigmoid', ['gateOut']);
	const silu = graph.op('Mul', ['gateOut', sigmoid]);
	matrixGradient('down', dy, graph.op('Mul', [silu, 'upOut']));
	biasGradient('downBias', dy);
	const dActive = graph.op('MatMul', [dy, weight('down')]);
	const dUp = graph.op('Mul', [dActive, silu]);
	// d silu(g)/dg = s + silu·(1 − s)
	const slope = graph.op('Sub', [
		graph.op('Add', [sigmoid, silu]),
		graph.op('Mul', [silu, sigmoid]),
	]);
	const dGate = graph.op('Mul', [graph.op('Mul', [dActive, 'upOut']), slope]);
	matrixGradient('gate', dGate, normedMiddle);
	biasGradient('gateBias', dGate);
	matrixGradient('up', dUp, normedMiddle);
	biasGradient('upBias', dUp);
	const dNormedMiddle = graph.op('Gemm', [
		dUp,
		weight('up'),
		graph.op('MatMul', [dGate, weight('gate')]),
	]);
	const dMiddle = graph.op('Add', [
		dy,
		normBackward('mlpNorm', dNormedMiddle, unitMiddle, 'middleScale'),
	]);

	// Attention half.
	matrixGradient('o', dMiddle, 'attended');
	biasGradient('oBias', dMiddle);
	const dAttended = graph.op('MatMul', [dMiddle, weight('o')]);
	const dMixed = builder.toQueries(dAttended);
	const weights = builder.attention('queries', 'keys');
	// Σ over keys of weight·dweight equals Σ over head dimensions of out·dout.
	const products = graph.reshape(graph.op('Mul', [dAttended, 'attended']), [-1, headDim]);
	const perHead = graph.reshape(
		graph.op('ReduceSum', [products, graph.integers([-1])], { keepdims: 1 }),
		[-1, heads],
	);
	const inner = builder.toQueryScalars(perHead);
	const dWeights = graph.op('FusedMatMul', [dMixed, 'values'], { transB: 1 });
	const dScores = graph.op('Mul', [weights.own, graph.op('Sub', [dWeights, inner])]);
	const alpha = { alpha: { float: 1 / Math.sqrt(headDim) } };
	let dQueries = graph.op('FusedMatMul', [dScores, 'keys'], alpha);
	let dKeys = graph.op('FusedMatMul', [dScores, 'queries'], { ...alpha, transA: 1 });
	let dValues = graph.op('FusedMatMul', [weights.own, dMixed], { transA: 1 });
	if (weights.prefix !== null) {
		const flat = builder.reshape(dMixed, 'flatQueries');
		const flatInner = builder.reshape(inner, 'flatScalars');
		const dOnPrefix = graph.op('FusedMatMul', [flat, builder.prefix('Values')], { transB: 1 });
		const dPrefixScores = graph.op('Mul', [
			weights.prefix,
			graph.op('Sub', [dOnPrefix, flatInner]),
		]);
		const more = graph.op('FusedMatMul', [dPrefixScores, builder.prefix('Keys')], alpha);
		dQueries = graph.op('Add', [dQueries, builder.reshape(more, 'queries')]);
		const flatQueries = builder.reshape('queries', 'flatQueries');
		graph.op('FusedMatMul', [dPrefixScores, flatQueries], { ...alpha, transA: 1 }, 'dPrefixKeys');
		graph.op('FusedMatMul', [weights.prefix, flat], { transA: 1 }, 'dPrefixValues');
		graph.declareOutput('dPrefixKeys');
		graph.declareOutput('dPrefixValues');
	}
	if (variant === 'as-prefix') {
		const more = (name: string): Value =>
			graph.input(name, 'float32', ['groups', 'K', 1, 'T', 'E']);
		dKeys = graph.op('Add', [dKeys, more('dPrefixKeys')]);
		dValues = graph.op('Add', [dValues, more('dPrefixValues')]);
	}

	const unitInput = graph.op('Mul', ['x', 'inputScale']);
	const normedInput = graph.op('Mul', [unitInput, weight('inputNorm')]);
	const headBackward = (name: 'q' | 'k', dRotated: Value, count: number): Value => {
		const dPlain = builder.rotate(dRotated, name, 'negativeSin');
		if (!config.qkNorm) return dPlain;
		const parts = graph.reshape(`${name}Plain`, [-1, headDim]);
		const [unit = '', scale = ''] = graph.names('headUnit', 2);
		// The norm with unit weight gives both what the backward pass needs.
		graph.apply('SimplifiedLayerNormalization', [parts, graph.ones(headDim)], [unit, scale], {
			axis: -1,
			epsilon: { float: config.rmsNormEps },
		});
		const dParts = normBackward(`${name}Norm`, graph.reshape(dPlain, [-1, headDim]), unit, scale);
		return graph.reshape(dParts, [-1, count * headDim]);
	};
	const dq = headBackward('q', builder.fromQueries(dQueries), heads);
	const dk = headBackward('k', builder.fromKeys(dKeys), kvHeads);
	const dv = builder.fromKeys(dValues);
	for (const [name, gradient] of [
		['q', dq],
		['k', dk],
		['v', dv],
	] as const) {
		matrixGradient(name, gradient, normedInput);
		biasGradient(`${name}Bias`, gradient);
	}
	const dNormed = graph.op('Gemm', [
		dq,
		weight('q'),
		graph.op('Gemm', [dk, weight('k'), graph.op('MatMul', [dv, weight('v')])]),
	]);
	graph.op('Add', [dMiddle, normBackward('inputNorm', dNormed, unitInput, 'inputScale')], {}, 'dx');
	graph.declareOutput('dx');
	return graph;
}
