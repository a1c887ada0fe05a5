/** Where the window was, so that it opens there again; not on a screen that is gone. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Rectangle } from 'electron';
import { z } from 'zod';

const stateSchema = z.object({
	x: z.int(),
	y: z.int(),
	width: z.int().min(200).max(100_000),
	height: z.int().min(200).max(100_000),
	maximized: z.boolean(),
});
export type WindowState = z.output<typeof stateSchema>;

/** Of a title bar, at least this much must be on a screen to be taken hold of. */
const grip = 60;

function isReachable(state: WindowState, screens: readonly Rectangle[]): boolean {
	return screens.some(
		(screen) =>
			state.x + state.width >= screen.x + grip &&
			state.x <= screen.x + screen.width - grip &&
			state.y >= screen.y - 10 &&
			state.y <= screen.y + screen.height - grip,
	);
}

/** The stored state; null where there is none, it is damaged, or it lies off every screen. */
export function readWindowState(path: string, screens: readonly Rectangle[]): WindowState | null {
	try {
		const state = stateSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
		return isReachable(state, screens) ? state : null;
	} catch {
		return null;
	}
}

/** Failing to keep it (a full disk) harms nothing. */
export function writeWindowState(path: string, state: WindowState): void {
	try {
		writeFileSync(path, JSON.stringify(state));
	} catch {
		return;
	}
}
