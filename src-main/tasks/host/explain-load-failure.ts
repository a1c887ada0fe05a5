/** Why a task file could not be loaded, in one sentence with file and line. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Complaint } from '../../contract/errors.ts';
import { explainThrown, placeOfStack } from './explain-thrown.ts';

const supported =
	'TypeScript whose types can simply be removed: no enum, namespace, parameter property, ' +
	'import = or decorator, and types are imported with `import type`';

/**
 * The stack of a module's syntax error does not say where it is; Node's own check does. Tries the files,
 * the last first, since loading ended there.
 */
function checkSyntax(loaded: ReadonlySet<string>, folder: string): string | null {
	for (const url of [...loaded].reverse()) {
		const check = spawnSync(process.execPath, ['--check', fileURLToPath(url)], {
			encoding: 'utf8',
			timeout: 10_000,
		});
		if (check.status === 0 || typeof check.stderr !== 'string') continue;
		return placeOfStack(check.stderr, folder, null);
	}
	return null;
}

/** `loaded`: URLs of the task's files so far. `code`: the file is well formed, and its own code threw. */
export function explainLoadFailure(
	thrown: unknown,
	file: string,
	folder: string,
	ownFolder: string,
	loaded: ReadonlySet<string>,
): { complaint: Complaint; code: boolean } {
	const { message, where, code } = explainThrown(thrown, folder, ownFolder);
	const isTypeScript = /\.[cm]?tsx?$/u.test(where?.replace(/(:\d+)+$/u, '') ?? file);
	const place = where ?? file;
	const plain = message.replace(/^\w*Error: /u, '');
	if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') {
		const what = plain.replace(' in strip-only mode', '').replace(/^TypeScript /u, '');
		return { complaint: { where: place, what, expected: supported }, code: false };
	}
	if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
		return {
			complaint: {
				where: file,
				what: 'this kind of file cannot be loaded',
				expected: '.ts, .mts, .cts, .js, .mjs or .cjs',
			},
			code: false,
		};
	}
	if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') {
		return {
			complaint: {
				where: place,
				what: plain.split('\n')[0] ?? plain,
				fix: 'install the package beside the task file, or correct the path (relative imports end in .ts or .js)',
			},
			code: false,
		};
	}
	if (message.startsWith('SyntaxError')) {
		const line = where ?? checkSyntax(loaded, folder) ?? file;
		const expected = isTypeScript ? `valid ${supported}` : 'valid JavaScript';
		return { complaint: { where: line, what: `syntax error: ${plain}`, expected }, code: false };
	}
	return { complaint: { where: place, what: `loading it threw ${message}` }, code: true };
}
