/** Imports a task's file, or a built-in task, and remembers every file that came with it. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { builtInTasks } from '../built-in/index.ts';
import type { SourceFile } from './protocol.ts';

/** What `import … from 'grove/task'` gets; the types are those of define-task.ts. */
const taskModule = { url: 'grove:task', source: 'export const defineTask = (task) => task;\n' };

/** Built-in tasks import it; it is no part of what scores. */
const contractUrl = new URL('../define-task.ts', import.meta.url).href;

/** Files beyond this are data rather than code, and not stored with the run. */
const largestSource = 4 * 1024 * 1024;

/** Imports it, and adds the URLs of its files to `loaded`. Throws whatever the import throws. */
export async function loadTaskFile(
	task: { builtIn: string } | { url: string },
	snapshot: readonly SourceFile[],
	loaded: Set<string>,
): Promise<{ exports: Record<string, unknown>; sources: SourceFile[] }> {
	const stored = new Map(snapshot.map(({ url, text }) => [url, text]));
	registerHooks({
		resolve: (specifier, context, next) =>
			specifier === 'grove/task'
				? { url: taskModule.url, format: 'module', shortCircuit: true }
				: next(specifier, context),
		load: (url, context, next) => {
			if (url === taskModule.url) {
				return { format: 'module', source: taskModule.source, shortCircuit: true };
			}
			const result = next(url, context);
			const isOfTask =
				url.startsWith('file:') && !url.includes('/node_modules/') && url !== contractUrl;
			if (!isOfTask) return result;
			loaded.add(url);
			const source = stored.get(url);
			return source === undefined ? result : { ...result, source };
		},
	});
	const exports =
		'builtIn' in task
			? { default: await builtInTasks[task.builtIn]?.() }
			: ((await import(task.url)) as Record<string, unknown>);
	return {
		exports: { ...exports },
		sources: [...loaded].flatMap((url) => readSource(url, stored)),
	};
}

function readSource(url: string, stored: ReadonlyMap<string, string>): SourceFile[] {
	const text = stored.get(url) ?? readFileSync(fileURLToPath(url.replace(/[?#].*$/u, '')), 'utf8');
	return text.length > largestSource ? [] : [{ url, text }];
}
