/** Keeps every page inside the application: no navigation, windows, webviews, permissions, foreign downloads. */
import { downloadPrefix } from '../../services/file-exchange.ts';
import { appOrigin, homeAddress } from './channels.ts';
import type { ContentsApi, ElectronApi, SessionApi } from './electron-api.ts';
import type { ExternalLinks } from './external-links.ts';

/** Our start page, with whatever view it shows. */
function isHome(url: string): boolean {
	const [address] = url.split('#');
	return address === homeAddress || address === `${appOrigin}/`;
}

function confineContents(contents: ContentsApi, links: ExternalLinks): void {
	const stay = (details: { url: string; preventDefault: () => void }): void => {
		if (isHome(details.url)) return;
		details.preventDefault();
		void links.open(details.url);
	};
	contents.on('will-navigate', stay);
	contents.on('will-redirect', (details) => {
		details.preventDefault();
	});
	contents.on('will-frame-navigate', (details) => {
		if (!isHome(details.url)) details.preventDefault();
	});
	contents.on('will-attach-webview', (event) => {
		event.preventDefault();
	});
	contents.setWindowOpenHandler(({ url }) => {
		void links.open(url);
		return { action: 'deny' };
	});
}

/** The window may put a chart or a text on the clipboard, and nothing else. */
const permissions = ['clipboard-sanitized-write'];

function confineSession(session: SessionApi): void {
	session.setPermissionRequestHandler((_contents, permission, answer) => {
		answer(permissions.includes(permission));
	});
	session.setPermissionCheckHandler(() => false);
	session.setDevicePermissionHandler(() => false);
	// A spelling dictionary would be fetched from the network.
	session.setSpellCheckerEnabled(false);
	session.on('will-download', (event, item) => {
		const url = item.getURL();
		const own =
			url.startsWith(`${appOrigin}${downloadPrefix}`) || url.startsWith(`blob:${appOrigin}/`);
		if (!own && !url.startsWith('data:image/')) event.preventDefault();
	});
}

/** Applies to everything that will ever be opened; called once, when Electron is ready. */
export function confine(
	{ app, session }: Pick<ElectronApi, 'app' | 'session'>,
	links: ExternalLinks,
): void {
	confineSession(session.defaultSession);
	app.on('web-contents-created', (_event, contents) => {
		confineContents(contents, links);
	});
}
