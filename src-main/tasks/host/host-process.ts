/**
 * The process that runs a task's code, and the second thread that watches over it: user code may keep
 * the main thread busy for ever, so ending with the trainer and the memory limit must not depend on it.
 *
 * Code in here goes on working after the user's code has changed globals (`Array.prototype.map = …`):
 * on the way of a request it uses plain loops and functions that were taken before the task was loaded.
 */
import { isMainThread, Worker } from 'node:worker_threads';

if (isMainThread) {
	new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) }).unref();
	const { serveTask } = await import('./serve-task.ts');
	serveTask();
} else {
	const { watchProcess } = await import('./watch-process.ts');
	watchProcess(Number(process.argv[2]), Number(process.argv[3]));
}
