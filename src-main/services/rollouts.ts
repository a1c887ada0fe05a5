/** Rollout trees: lists, shapes, single nodes, search, and what people noted on them. */
import type { RequestParams, RequestResults } from '../contract/requests.ts';
import type { ServiceContext } from './context.ts';

export function listTrees(
	params: RequestParams<'trees.list'>,
	{ records }: ServiceContext,
): RequestResults['trees.list'] {
	return records.listTrees(params);
}

export function treeOutline(
	params: RequestParams<'trees.outline'>,
	{ records }: ServiceContext,
): RequestResults['trees.outline'] {
	return records.treeOutline(params);
}

/** One node with its texts, and the text of each sampled token where the model's tokenizer is at hand. */
export async function treeNode(
	params: RequestParams<'trees.node'>,
	context: ServiceContext,
): Promise<RequestResults['trees.node']> {
	const { models, ...found } = context.records.treeNode(params);
	const tokenIds = found.node.agents.map((agent) =>
		agent.completions.map((completion) => completion.tokenIds),
	);
	return { ...found, tokenPieces: await context.tokenPieces(models, tokenIds) };
}

export function treeFilm(
	params: RequestParams<'trees.film'>,
	{ records }: ServiceContext,
): RequestResults['trees.film'] {
	return records.treeFilm(params);
}

export function searchRollouts(
	params: RequestParams<'rollouts.search'>,
	{ records }: ServiceContext,
): RequestResults['rollouts.search'] {
	return records.search(params);
}

export function listAnnotations(
	{ runId }: RequestParams<'annotations.list'>,
	{ records }: ServiceContext,
): RequestResults['annotations.list'] {
	return records.listAnnotations(runId);
}

export function putAnnotation(
	{ annotation }: RequestParams<'annotations.put'>,
	{ records }: ServiceContext,
): RequestResults['annotations.put'] {
	return records.putAnnotation(annotation);
}

export function removeAnnotation(
	{ id }: RequestParams<'annotations.remove'>,
	{ records }: ServiceContext,
): RequestResults['annotations.remove'] {
	return records.removeAnnotation(id);
}
