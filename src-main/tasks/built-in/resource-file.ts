import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path of a file of `resources/tasks`, found from here upwards: this code may run from its sources or be bundled. */
export function resourceFile(name: string): string {
	let folder = dirname(fileURLToPath(import.meta.url));
	for (;;) {
		const path = join(folder, 'resources', 'tasks', name);
		if (existsSync(path)) return path;
		const above = dirname(folder);
		if (above === folder) throw new Error(`resources/tasks/${name} is missing`);
		folder = above;
	}
}
