import type { ElectronApi } from './electron-api.ts';

/** The addresses that may be opened outside: web pages, and no name or password hidden in front of the host. */
function externalAddress(text: string): URL | null {
	const address = URL.parse(text);
	if (address === null || (address.protocol !== 'https:' && address.protocol !== 'http:'))
		return null;
	return address.username === '' && address.password === '' ? address : null;
}

/**
 * Opens a link from a text in the person's browser, after showing the whole address (a foreign letter in
 * a host shows as its `xn--` form). One question at a time: a page cannot pile up windows.
 */
export class ExternalLinks {
	readonly #electron: Pick<ElectronApi, 'dialog' | 'shell'>;
	#asking = false;

	constructor(electron: Pick<ElectronApi, 'dialog' | 'shell'>) {
		this.#electron = electron;
	}

	async open(text: string): Promise<void> {
		const address = externalAddress(text);
		if (address === null || this.#asking) return;
		this.#asking = true;
		try {
			const plain = address.protocol === 'http:';
			const { response } = await this.#electron.dialog.showMessageBox({
				type: plain ? 'warning' : 'question',
				message: `Open ${address.host} in your browser?`,
				detail: `${address.href.slice(0, 1000)}${plain ? '\n\nThe connection is not encrypted.' : ''}`,
				buttons: ['Open', 'Cancel'],
				defaultId: 1,
				cancelId: 1,
				noLink: true,
			});
			if (response === 0) await this.#electron.shell.openExternal(address.href);
		} finally {
			this.#asking = false;
		}
	}
}
