/** Writes model folders: the random start in the work folder, and the finished model in resources. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { initialWeights } from './initial-weights.ts';
import { configJson, generationConfigJson, type ModelRecipe } from './model-shapes.ts';
import { readSafetensors, writeSafetensors, type Dtype, type Tensor } from './safetensors.ts';
import {
	specialTokensJson,
	tokenizerConfigJson,
	tokenizerJson,
} from './tokenizer/tokenizer-files.ts';
import type { Merge } from './tokenizer/train-bpe.ts';

function writeModel(
	folder: string,
	recipe: ModelRecipe,
	merges: readonly Merge[],
	tensors: readonly Tensor[],
	dtype: Dtype,
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
	write('model.safetensors', writeSafetensors(tensors, dtype));
}

export function writeInitialModel(
	folder: string,
	recipe: ModelRecipe,
	merges: readonly Merge[],
	seed: number,
): void {
	writeModel(folder, recipe, merges, initialWeights(recipe.shape, seed), 'F32');
}

/** `saved` is a folder that `Policy.save` wrote. */
export function writeFinishedModel(
	folder: string,
	recipe: ModelRecipe,
	merges: readonly Merge[],
	saved: string,
): void {
	const tensors = readSafetensors(readFileSync(join(saved, 'model.safetensors')));
	writeModel(folder, recipe, merges, tensors, 'F16');
}
