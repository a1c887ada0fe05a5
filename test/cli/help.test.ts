import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src-main/contract/errors.ts';
import { groveVersion } from '../../src-main/runs/version.ts';
import { grove } from '../support/captured-terminal.ts';

/** First words of the rows below `Commands`. */
function commandsIn(help: string): string[] {
	const [, below = ''] = help.split('\nCommands\n');
	const [rows = ''] = below.split('\n\n');
	return rows.split('\n').map((row) => row.trim());
}

async function helpOf(...words: string[]): Promise<string> {
	const { code, stdout, stderr } = await grove(...words, '--help');
	expect({ code, stderr }, words.join(' ')).toEqual({ code: 0, stderr: '' });
	return stdout;
}

describe('help', () => {
	it('lists the commands and exit codes, asked for or not', async () => {
		const { code, stdout } = await grove();
		expect(code).toBe(0);
		expect(await helpOf()).toBe(stdout);
		for (const kind of Object.keys(exitCodes)) expect(stdout).toContain(kind);
		for (const name of ['demo', 'train', 'runs', 'metrics', 'rollouts', 'task', 'doctor'])
			expect(stdout).toContain(`\n  ${name}`);
	});

	it('explains every command, and every option of it', async () => {
		const names = commandsIn(await helpOf()).map((row) => row.split(' ')[0] ?? '');
		expect(names.length).toBeGreaterThan(10);
		let explained = 0;
		for (const name of names) {
			const help = await helpOf(name);
			expect(help).toMatch(new RegExp(`^grove ${name}`, 'u'));
			// Of a group: its commands, each as `grove runs list …`.
			const inner = help.includes('\nCommands\n')
				? commandsIn(help).map((row) => row.split(' ').slice(1, 3))
				: [[name]];
			for (const words of inner) {
				const own = await helpOf(...words);
				expect(own).toMatch(new RegExp(`^grove ${words.join(' ')}`, 'u'));
				const options = own.split('\nOptions\n')[1]?.trimEnd().split('\n') ?? [];
				for (const shared of ['--db', '--json', '--help'])
					expect(own, words.join(' ')).toContain(shared);
				// A name, and a sentence that ends as one.
				for (const option of options)
					expect(option).toMatch(/^ {2}(?:-\w, | {4})--[a-z-]+ .+[.)]$/u);
				explained++;
			}
		}
		expect(explained).toBeGreaterThan(25);
	});

	it('tells the version', async () => {
		expect(await grove('--version')).toEqual({ code: 0, stdout: `${groveVersion}\n`, stderr: '' });
	});
});

describe('a word that is no command', () => {
	it.each([
		[['trian'], 'perhaps train'],
		[['rollout', 'x'], 'perhaps rollouts'],
		[['runs', 'lst'], 'perhaps list'],
		[['task', 'chekc', 'x'], 'perhaps check'],
		[['models', 'zzzz'], 'list, download'],
		[['__proto__'], 'demo, train'],
	])('%j is answered with the nearest', async (words, expected) => {
		const { code, stdout, stderr } = await grove(...words);
		expect(code).toBe(2);
		expect(stdout).toBe('');
		expect(stderr).toContain(expected);
		expect(stderr).toContain('--help');
	});
});

describe('an option that is wrong', () => {
	it.each([
		['unknown', ['runs', 'list', '--stats', 'x'], 'perhaps --status'],
		['unknown and short', ['runs', 'list', '-x'], 'there is no option -x'],
		['of another command', ['doctor', '--steps', '3'], 'there is no option --steps'],
		['without its value', ['runs', 'list', '--project'], "'--project' argument is ambiguous"],
		['given a value it does not take', ['runs', 'list', '--all=yes'], "'--all' does not take"],
		['of a wrong word', ['runs', 'list', '--status', 'runing'], 'perhaps running'],
		['no whole number', ['demo', '--steps', '1.5'], 'a whole number from 1'],
		['too small', ['demo', '--steps', '0'], 'a whole number from 1'],
		['no number', ['search', 'x', '--min-reward', 'high'], 'a number'],
		['contradicting', ['runs', 'list', '--all', '--trash'], 'one of --archived, --trash, --all'],
	])('%s', async (_, words, expected) => {
		const { code, stderr } = await grove(...words, '--db', '/nowhere/grove.db');
		expect(code).toBe(2);
		expect(stderr).toContain(expected);
	});

	it.each([
		['missing', ['runs', 'show'], 'grove runs show RUN'],
		['too many', ['doctor', 'now'], 'grove doctor'],
	])('and arguments: %s', async (_, words, expected) => {
		const { code, stderr } = await grove(...words);
		expect(code).toBe(2);
		expect(stderr).toContain(expected);
	});

	it('is JSON for a program, beside the text', async () => {
		const { code, stdout, stderr } = await grove('runs', 'list', '--stats', '--json');
		expect(code).toBe(2);
		expect(JSON.parse(stdout)).toEqual({
			error: {
				kind: 'bad-input',
				complaints: [
					{
						where: 'grove runs list',
						what: 'there is no option --stats',
						expected: 'perhaps --status',
						fix: 'see `grove runs list --help`',
					},
				],
			},
		});
		expect(stderr).toContain('grove:');
	});
});
