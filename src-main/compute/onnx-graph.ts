/**
 * Builds small ONNX models in memory: a list of operations, written as the protobuf that ONNX Runtime loads.
 * Only the fields that Grove's graphs use are known (field numbers: onnx.proto3, IR version 10).
 */

export type ElementType = keyof typeof typeCodes;
export type Attribute = number | string | { float: number } | { ints: readonly number[] };
/** A number is a fixed size, a text names a size that differs from call to call. */
export type Dimension = number | string;

/** A result that every graph has besides its own. */
export const endMark = 'endMark';

/** Name of a value within a graph. */
export type Value = string;

const typeCodes = { float32: 1, int32: 6, int64: 7, bool: 9, bfloat16: 16 } as const;
const contribDomain = 'com.microsoft';

/** Protobuf wire format: varints, 32-bit floats and length-delimited fields. */
class ProtoWriter {
	readonly #parts: Uint8Array[] = [];
	#length = 0;

	#push(bytes: Uint8Array): void {
		this.#parts.push(bytes);
		this.#length += bytes.length;
	}

	#varint(value: bigint): void {
		const bytes: number[] = [];
		let rest = BigInt.asUintN(64, value);
		while (rest > 127n) {
			bytes.push(Number(rest & 127n) | 128);
			rest >>= 7n;
		}
		bytes.push(Number(rest));
		this.#push(Uint8Array.from(bytes));
	}

	integer(field: number, value: number): this {
		this.#varint(BigInt(field << 3));
		this.#varint(BigInt(value));
		return this;
	}

	float(field: number, value: number): this {
		this.#varint(BigInt((field << 3) | 5));
		const bytes = new Uint8Array(4);
		new DataView(bytes.buffer).setFloat32(0, value, true);
		this.#push(bytes);
		return this;
	}

	bytes(field: number, value: Uint8Array): this {
		this.#varint(BigInt((field << 3) | 2));
		this.#varint(BigInt(value.length));
		this.#push(value);
		return this;
	}

	text(field: number, value: string): this {
		return this.bytes(field, new TextEncoder().encode(value));
	}

	message(field: number, fill: (writer: ProtoWriter) => void): this {
		const inner = new ProtoWriter();
		fill(inner);
		return this.bytes(field, inner.finish());
	}

	finish(): Uint8Array {
		const result = new Uint8Array(this.#length);
		let at = 0;
		for (const part of this.#parts) {
			result.set(part, at);
			at += part.length;
		}
		return result;
	}
}

function writeAttribute(writer: ProtoWriter, name: string, value: Attribute): void {
	writer.text(1, name);
	if (typeof value === 'number') writer.integer(3, value).integer(20, 2);
	else if (typeof value === 'string') writer.text(4, value).integer(20, 3);
	else if ('float' in value) writer.float(2, value.float).integer(20, 1);
	else {
		for (const item of value.ints) writer.integer(8, item);
		writer.integer(20, 7);
	}
}

function writeValueInfo(
	writer: ProtoWriter,
	name: Value,
	type: ElementType,
	shape: readonly Dimension[] | null,
): void {
	writer.text(1, name).message(2, (typeProto) => {
		typeProto.message(1, (tensor) => {
			tensor.integer(1, typeCodes[type]);
			if (shape === null) return;
			tensor.message(2, (shapeProto) => {
				for (const size of shape) {
					shapeProto.message(1, (dim) => {
						if (typeof size === 'number') dim.integer(1, size);
						else dim.text(2, size);
					});
				}
			});
		});
	});
}

/** Collects operations in the order in which they are to run. */
export class OnnxGraph {
	readonly #nodes = new ProtoWriter();
	readonly #constants = new Map<string, Value>();
	/** Names of all inputs and results, in the order of their declaration. */
	readonly inputs: string[] = [];
	readonly outputs: string[] = [];
	#count = 0;

	constructor() {
		// First of the results; `onnx-program.ts` says what for.
		this.op('Cast', [this.scalar(0)], { to: typeCodes.bfloat16 }, endMark);
		this.declareOutput(endMark, 'bfloat16');
		this.outputs.pop();
	}

	#fresh(hint: string): Value {
		return `${hint}_${this.#count++}`;
	}

	/** A tensor that the caller gives with every run; declaring it again changes nothing. */
	input(name: string, type: ElementType, shape: readonly Dimension[]): Value {
		if (this.inputs.includes(name)) return name;
		this.inputs.push(name);
		this.#nodes.message(11, (writer) => writeValueInfo(writer, name, type, shape));
		return name;
	}

	/** Declares as a result a value that an operation writes under this name. */
	declareOutput(name: Value, type: ElementType = 'float32'): void {
		this.outputs.push(name);
		this.#nodes.message(12, (writer) => writeValueInfo(writer, name, type, null));
	}

	/** One operation with one result; an empty input text leaves an optional input out. */
	op(
		type: string,
		inputs: readonly Value[],
		attributes: Record<string, Attribute> = {},
		name?: string,
	): Value {
		const result = name ?? this.#fresh(type);
		this.apply(type, inputs, [result], attributes);
		return result;
	}

	/** One operation with results under the given names; an empty name leaves an optional result out. */
	apply(
		type: string,
		inputs: readonly Value[],
		names: readonly Value[],
		attributes: Record<string, Attribute> = {},
	): void {
		const contrib = contribOperations.has(type);
		this.#nodes.message(1, (node) => {
			for (const input of inputs) node.text(1, input);
			for (const name of names) node.text(2, name);
			node.text(3, this.#fresh(type)).text(4, type);
			for (const [name, value] of Object.entries(attributes)) {
				node.message(5, (writer) => writeAttribute(writer, name, value));
			}
			if (contrib) node.text(7, contribDomain);
		});
	}

	/** Fresh names for the results of `apply`. */
	names(hint: string, count: number): Value[] {
		return Array.from({ length: count }, () => this.#fresh(hint));
	}

	/** Cuts the last axis into pieces of the given sizes. */
	split(value: Value, sizes: readonly number[]): Value[] {
		const names = this.names('Split', sizes.length);
		this.apply('Split', [value, this.integers(sizes)], names, { axis: -1 });
		return names;
	}

	/** `sizes` as in ONNX: -1 is what is left, 0 keeps the size of the input at that place. */
	reshape(value: Value, sizes: readonly number[], name?: string): Value {
		return this.op('Reshape', [value, this.integers(sizes)], {}, name);
	}

	transpose(value: Value, order: readonly number[], name?: string): Value {
		return this.op('Transpose', [value], { perm: { ints: order } }, name);
	}

	/** A constant list of 64-bit integers. */
	integers(values: readonly number[]): Value {
		const key = `i${values.join(',')}`;
		const known = this.#constants.get(key);
		if (known !== undefined) return known;
		const data = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
		return this.#constant(key, 'int64', [values.length], data);
	}

	/** A constant scalar. */
	scalar(value: number): Value {
		const key = `f${value}`;
		const known = this.#constants.get(key);
		if (known !== undefined) return known;
		return this.#constant(key, 'float32', [], new Uint8Array(Float32Array.of(value).buffer));
	}

	/** A constant vector of ones. */
	ones(size: number): Value {
		const key = `ones${size}`;
		const known = this.#constants.get(key);
		if (known !== undefined) return known;
		const data = new Uint8Array(new Float32Array(size).fill(1).buffer);
		return this.#constant(key, 'float32', [size], data);
	}

	/** A weight that stays with the session: ONNX Runtime packs it once for its matrix products. */
	weight(name: string, shape: readonly number[], data: Float32Array): Value {
		return this.#constant(
			name,
			'float32',
			shape,
			new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
		);
	}

	#constant(key: string, type: ElementType, shape: readonly number[], data: Uint8Array): Value {
		const name = `constant_${key}`;
		this.#nodes.message(5, (tensor) => {
			for (const size of shape) tensor.integer(1, size);
			tensor.integer(2, typeCodes[type]).text(8, name).bytes(9, data);
		});
		this.#constants.set(key, name);
		return name;
	}

	/** The finished model. */
	build(): Uint8Array {
		const graph = this.#nodes;
		graph.text(2, 'grove');
		return new ProtoWriter()
			.integer(1, 10)
			.text(2, 'grove')
			.bytes(7, graph.finish())
			.message(8, (opset) => opset.text(1, '').integer(2, 21))
			.message(8, (opset) => opset.text(1, contribDomain).integer(2, 1))
			.finish();
	}
}

const contribOperations = new Set([
	'FusedMatMul',
	'GroupQueryAttention',
	'QuickGelu',
	'RotaryEmbedding',
	'SkipSimplifiedLayerNormalization',
]);
