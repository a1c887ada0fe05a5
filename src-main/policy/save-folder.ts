/** Writes a model as a complete Hugging Face folder, beside and then renamed, so that a kill leaves no half one. */
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelConfig, Weights } from './model-config.ts';
import { type ModelFolder, tokenizerFiles } from './model-folder.ts';
import { type Dtype, writeSafetensors } from './safetensors.ts';

export type FolderOrigin = Pick<ModelFolder, 'path' | 'configJson' | 'generationJson'> & {
	config: ModelConfig;
};

const dtypeNames: Record<Dtype, string> = { F32: 'float32', F16: 'float16', BF16: 'bfloat16' };

/**
 * config, generation config, weights and tokenizer files of `origin`, around new weights. Replaces `folder`.
 * In fp32 unless asked otherwise: half precision would round small updates away.
 */
export async function saveModelFolder(
	origin: FolderOrigin,
	folder: string,
	weights: Weights,
	dtype: Dtype = 'F32',
): Promise<void> {
	const temporary = `${folder}.${process.pid}.partial`;
	await rm(temporary, { recursive: true, force: true });
	await mkdir(temporary, { recursive: true });
	const dtypeKey = 'dtype' in origin.configJson ? 'dtype' : 'torch_dtype';
	const config = {
		...origin.configJson,
		[dtypeKey]: dtypeNames[dtype],
		tie_word_embeddings: origin.config.tieWordEmbeddings,
	};
	await writeFile(join(temporary, 'config.json'), `${JSON.stringify(config, null, 2)}\n`);
	if (origin.generationJson !== null)
		await writeFile(
			join(temporary, 'generation_config.json'),
			`${JSON.stringify(origin.generationJson, null, 2)}\n`,
		);
	for (const name of await tokenizerFiles(origin.path))
		await copyFile(join(origin.path, name), join(temporary, name));
	await writeSafetensors(join(temporary, 'model.safetensors'), weights, dtype);
	await rm(folder, { recursive: true, force: true });
	await rename(temporary, folder);
}
