import { spawn } from 'node:child_process';

function openerOf(address: string): [command: string, args: string[]] {
	if (process.platform === 'darwin') return ['open', [address]];
	if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', address]];
	return ['xdg-open', [address]];
}

/** Opens an address in the person's browser. Resolves to whether a program for it could be started. */
export function openBrowser(address: string): Promise<boolean> {
	const [command, args] = openerOf(address);
	return new Promise((resolve) => {
		const child = spawn(command, args, { stdio: 'ignore', detached: true });
		child.once('error', () => resolve(false));
		child.once('spawn', () => {
			child.unref();
			resolve(true);
		});
	});
}
