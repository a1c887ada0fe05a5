/** What a file that should hold a model really holds, from its first bytes. */
export function describeForeignFile(start: Uint8Array): { kind: string; fix: string } | null {
	const text = new TextDecoder('latin1').decode(start.subarray(0, 256)).trimStart();
	if (text.startsWith('version https://git-lfs'))
		return {
			kind: 'a Git LFS pointer',
			fix: 'run `git lfs pull` in the model folder, or download the file itself',
		};
	if (/^<(?:!doctype|html|\?xml)/iu.test(text))
		return {
			kind: 'an HTML page, perhaps a login page',
			fix: 'download the file again, with a token if the model is gated',
		};
	if (text.startsWith('PK\u0003\u0004'))
		return {
			kind: 'a zip archive, perhaps a PyTorch .bin file under another name',
			fix: 'convert the model to safetensors',
		};
	if (text.startsWith('GGUF'))
		return { kind: 'a GGUF file', fix: 'take the model in safetensors form' };
	if (text.startsWith('\u0080\u0002'))
		return { kind: 'a Python pickle', fix: 'convert the model to safetensors' };
	return null;
}
