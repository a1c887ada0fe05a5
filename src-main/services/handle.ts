/** The one door to the services: a name and unknown parameters in, a reply out. */
import type { z } from 'zod';
import { showValue } from '../contract/config.ts';
import type { Complaint } from '../contract/errors.ts';
import { GroveError, toErrorValue } from '../contract/errors.ts';
import { nearestName } from '../contract/nearest-name.ts';
import type { Reply, RequestName, RequestParams, RequestResults } from '../contract/requests.ts';
import { isRequestName, requestParams } from '../contract/requests.ts';
import {
	appInfo,
	listCheckpoints,
	listLogs,
	listModels,
	listTasks,
	runDoctor,
	taskSource,
} from './application.ts';
import { checkConfig, configAsYaml } from './configuration.ts';
import type { ServiceContext } from './context.ts';
import { metricEvidence, metricHistogram, metricKeys, metricSeries } from './metrics.ts';
import {
	listAnnotations,
	listTrees,
	putAnnotation,
	removeAnnotation,
	searchRollouts,
	treeFilm,
	treeNode,
	treeOutline,
} from './rollouts.ts';
import {
	forkRun,
	getRun,
	listRuns,
	pauseRun,
	purgeRuns,
	restoreRuns,
	resumeRun,
	startRun,
	stopRun,
	trashRuns,
	updateRuns,
} from './runs.ts';
import {
	createExport,
	dropTexts,
	emptyTrash,
	importFile,
	listSaved,
	putSaved,
	removeSaved,
	workspaceUsage,
} from './workspace.ts';

type Service<N extends RequestName> = (
	params: RequestParams<N>,
	context: ServiceContext,
) => RequestResults[N] | Promise<RequestResults[N]>;

const services: { [N in RequestName]: Service<N> } = {
	'app.info': appInfo,
	'doctor.run': runDoctor,
	'config.check': checkConfig,
	'config.toYaml': configAsYaml,
	'runs.list': listRuns,
	'runs.get': getRun,
	'runs.update': updateRuns,
	'runs.trash': trashRuns,
	'runs.restore': restoreRuns,
	'runs.purge': purgeRuns,
	'runs.start': startRun,
	'runs.stop': stopRun,
	'runs.pause': pauseRun,
	'runs.resume': resumeRun,
	'runs.fork': forkRun,
	'metrics.keys': metricKeys,
	'metrics.series': metricSeries,
	'metrics.evidence': metricEvidence,
	'metrics.histogram': metricHistogram,
	'trees.list': listTrees,
	'trees.outline': treeOutline,
	'trees.node': treeNode,
	'trees.film': treeFilm,
	'rollouts.search': searchRollouts,
	'annotations.list': listAnnotations,
	'annotations.put': putAnnotation,
	'annotations.remove': removeAnnotation,
	'checkpoints.list': listCheckpoints,
	'logs.list': listLogs,
	'task.source': taskSource,
	'tasks.list': listTasks,
	'models.list': listModels,
	'workspace.usage': workspaceUsage,
	'workspace.dropTexts': dropTexts,
	'workspace.emptyTrash': emptyTrash,
	'export.create': createExport,
	'import.file': importFile,
	'saved.list': listSaved,
	'saved.put': putSaved,
	'saved.remove': removeSaved,
};

function complaintOf(name: RequestName, params: unknown, issue: z.core.$ZodIssue): Complaint {
	let given: unknown = params;
	for (const part of issue.path)
		given = (given as Record<PropertyKey, unknown> | null | undefined)?.[part];
	return {
		where: [name, ...issue.path.map(String)].join('.'),
		what: issue.message,
		given: showValue(given),
	};
}

async function answer<N extends RequestName>(
	name: N,
	params: unknown,
	context: ServiceContext,
): Promise<RequestResults[N]> {
	const parsed = requestParams[name].safeParse(params);
	if (!parsed.success) {
		// A payload can be wrong in thousands of places; the first few tell what is wrong with it.
		const issues = parsed.error.issues.slice(0, 20);
		throw new GroveError(
			'bad-input',
			issues.map((issue) => complaintOf(name, params, issue)),
		);
	}
	const service: Service<N> = services[name];
	// Parsed by the schema of this very name; TypeScript does not follow the name through the union of schemas.
	return await service(parsed.data as RequestParams<N>, context);
}

/**
 * Answers one request from a renderer. Never throws: what is unknown, malformed or fails becomes an error
 * value, and a fault in Grove is logged as well.
 */
export async function handle(
	name: unknown,
	params: unknown,
	context: ServiceContext,
): Promise<Reply<RequestName>> {
	try {
		if (typeof name !== 'string' || !isRequestName(name)) {
			const nearest =
				typeof name === 'string' ? nearestName(name, Object.keys(requestParams)) : undefined;
			throw new GroveError('bad-input', {
				what: 'unknown request',
				given: showValue(name),
				expected: nearest === undefined ? undefined : `perhaps ${nearest}`,
			});
		}
		return { ok: true, result: await answer(name, params, context) };
	} catch (thrown) {
		const error = toErrorValue(thrown);
		if (error.kind === 'fault')
			context.log('error', `${showValue(name)} failed: ${error.stack ?? error.message}`);
		return { ok: false, error };
	}
}
