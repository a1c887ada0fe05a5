import { GroveError } from '../contract/errors.ts';
import { loadTokenizer, type PolicyTokenizer, resolveModel } from '../policy/index.ts';

/** A tokenizer holds its whole vocabulary; more than a few models are seldom looked at together. */
const kept = 4;

/**
 * The text of each token, from the tokenizers of models that are on this machine; nothing is downloaded to
 * show a token.
 */
export class TokenPieces {
	readonly #tokenizers = new Map<string, Promise<PolicyTokenizer | null>>();

	/** Null where the model is not here, or its tokenizer cannot be read. */
	async #load(model: string): Promise<PolicyTokenizer | null> {
		try {
			const folder = await resolveModel(model, {
				download: () => {
					throw new GroveError('network', { what: 'not downloaded to show tokens' });
				},
			});
			return await loadTokenizer(folder);
		} catch (error) {
			if (error instanceof GroveError) return null;
			throw error;
		}
	}

	#tokenizer(model: string): Promise<PolicyTokenizer | null> {
		const loading = this.#tokenizers.get(model) ?? this.#load(model);
		this.#tokenizers.delete(model);
		this.#tokenizers.set(model, loading);
		const oldest = this.#tokenizers.keys().next().value;
		if (this.#tokenizers.size > kept && oldest !== undefined) this.#tokenizers.delete(oldest);
		return loading;
	}

	/** [agent][completion][token] → its share of the decoded text; null where any agent's model is not at hand. */
	readonly of = async (
		models: readonly string[],
		tokenIds: readonly (readonly (readonly number[])[])[],
	): Promise<string[][][] | null> => {
		const pieces: string[][][] = [];
		for (const [agent, completions] of tokenIds.entries()) {
			const tokenizer = await this.#tokenizer(models[agent] ?? '');
			if (tokenizer === null) return null;
			pieces.push(completions.map((ids) => tokenizer.tokenPieces(ids)));
		}
		return pieces;
	};
}
