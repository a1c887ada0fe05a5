/** The application's menu, with the platform's own shortcuts. */
import type { MenuItemConstructorOptions } from 'electron';

export interface MenuActions {
	/** Shows a view, such as `#/runs`. */
	go: (view: string) => void;
	openFile: () => void;
	copyDiagnostics: () => void;
	showLogs: () => void;
}

export function menuTemplate(
	actions: MenuActions,
	platform: NodeJS.Platform = process.platform,
): MenuItemConstructorOptions[] {
	const mac = platform === 'darwin';
	const separator: MenuItemConstructorOptions = { type: 'separator' };
	const view = (
		label: string,
		address: string,
		accelerator: string,
	): MenuItemConstructorOptions => ({
		label,
		accelerator,
		click: () => {
			actions.go(address);
		},
	});
	const settings = view('Settings…', '#/settings', 'CmdOrCtrl+,');
	return [
		...(mac
			? [
					{
						role: 'appMenu' as const,
						submenu: [
							{ role: 'about' as const },
							separator,
							settings,
							separator,
							{ role: 'services' as const },
							separator,
							{ role: 'hide' as const },
							{ role: 'hideOthers' as const },
							{ role: 'unhide' as const },
							separator,
							{ role: 'quit' as const },
						],
					},
				]
			: []),
		{
			label: '&File',
			submenu: [
				view('New Run…', '#/new', 'CmdOrCtrl+N'),
				{ label: 'Open…', accelerator: 'CmdOrCtrl+O', click: actions.openFile },
				separator,
				...(mac ? [{ role: 'close' as const }] : [settings, separator, { role: 'quit' as const }]),
			],
		},
		{ role: 'editMenu' },
		{
			label: '&View',
			submenu: [
				view('Charts', '#/charts', 'CmdOrCtrl+1'),
				view('Runs', '#/runs', 'CmdOrCtrl+2'),
				view('Compare', '#/compare', 'CmdOrCtrl+3'),
				view('Rollouts', '#/rollouts', 'CmdOrCtrl+4'),
				view('Models', '#/models', 'CmdOrCtrl+5'),
				separator,
				{ role: 'reload' },
				{ role: 'resetZoom' },
				{ role: 'zoomIn' },
				{ role: 'zoomOut' },
				separator,
				{ role: 'togglefullscreen' },
			],
		},
		{ role: 'windowMenu' },
		{
			role: 'help',
			submenu: [
				{ label: 'Copy Diagnostics', click: actions.copyDiagnostics },
				{ label: 'Show Logs', click: actions.showLogs },
			],
		},
	];
}
