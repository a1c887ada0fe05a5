/** Where the database is unless somebody says otherwise. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The user-data folder of the platform: AppData on Windows, Application Support on macOS, XDG elsewhere. */
export function userDataFolder(
	environment: NodeJS.ProcessEnv = process.env,
	platform: NodeJS.Platform = process.platform,
): string {
	const home = homedir();
	if (platform === 'win32') {
		return join(environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Grove');
	}
	if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Grove');
	const data = environment['XDG_DATA_HOME'];
	// The specification ignores paths that are not absolute.
	return join(data?.startsWith('/') === true ? data : join(home, '.local', 'share'), 'grove');
}

/** `GROVE_DB` where it is set and not empty, else `grove.db` in the user-data folder. Absolute. */
export function defaultDatabasePath(
	environment: NodeJS.ProcessEnv = process.env,
	platform: NodeJS.Platform = process.platform,
): string {
	const named = environment['GROVE_DB'];
	if (named !== undefined && named !== '') return resolve(named);
	return join(userDataFolder(environment, platform), 'grove.db');
}
