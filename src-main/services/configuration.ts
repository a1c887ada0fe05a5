/** Checking and writing configurations, before a run starts. */
import type { RequestParams, RequestResults } from '../contract/requests.ts';
import { checkConfigText, configToYaml } from '../runs/config-file.ts';
import type { ServiceContext } from './context.ts';

export async function checkConfig(
	{ text, baseFolder }: RequestParams<'config.check'>,
	{ runs }: ServiceContext,
): Promise<RequestResults['config.check']> {
	const result = checkConfigText(text, 'configuration');
	if (!result.ok) {
		return {
			ok: false,
			config: null,
			complaints: result.complaints,
			warnings: [],
			estimate: null,
		};
	}
	return {
		ok: true,
		config: result.config,
		complaints: [],
		warnings: result.warnings,
		estimate: await runs.estimate(result.config, baseFolder),
	};
}

export function configAsYaml({
	config,
}: RequestParams<'config.toYaml'>): RequestResults['config.toYaml'] {
	return { text: configToYaml(config) };
}
