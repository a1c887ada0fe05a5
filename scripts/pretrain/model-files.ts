/** Writes a bundled model's folder (weights in half precision), card aside. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Weights } from '../../src-main/policy/model-config.ts';
import { configJson, generationConfigJson, type ModelRecipe } from './model-shapes.ts';
import { writeSafetensors } from './safetensors.ts';
import {
	specialTokensJson,
	tokenizerConfigJson,
	tokenizerJson,
} from './tokenizer/tokenizer-files.ts';
import type { Merge } from './tokenizer/train-bpe.ts';

export function writeModelFiles(
	folder: string,
	recipe: ModelRecipe,
	merges: readonly Merge[],
	weights: Weights,
): void {
	mkdirSync(folder, { recursive: true });
	const write = (name: string, content: string | Uint8Array): void => {
		writeFileSync(join(folder, name), content);
	};
	write('config.json', configJson(recipe.shape));
	write('generation_config.json', generationConfigJson());
	write('tokenizer.json', tokenizerJson(merges));
	write('tokenizer_config.json', tokenizerConfigJson(recipe.shape.maxPositions));
	write('special_tokens_map.json', specialTokensJson());
	write('model.safetensors', writeSafetensors(weights));
}
