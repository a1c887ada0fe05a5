import {
	smoothingSchema,
	xAxes,
	type Smoothing,
	type XAxis,
} from '../../src-main/contract/requests.ts';
import { isFlag, isOneOf, isText, isTexts, type Preferences } from './preferences.svelte.ts';
import { bandKinds, type BandKind } from '../logic/chart/bands.ts';

const isSmoothing = (value: unknown): value is Smoothing =>
	smoothingSchema.safeParse(value).success;

/** How charts are drawn: one setting for all of them, kept between visits. */
export class ChartSettings {
	readonly #preferences: Preferences;

	constructor(preferences: Preferences) {
		this.#preferences = preferences;
	}

	get x(): XAxis {
		return this.#preferences.get('chart-x', isOneOf(xAxes), 'step');
	}
	set x(x: XAxis) {
		this.#preferences.set('chart-x', x);
	}

	/** A metric key to draw against instead of `x`; empty for none. */
	get xMetric(): string {
		return this.#preferences.get('chart-x-metric', isText, '');
	}
	set xMetric(key: string) {
		this.#preferences.set('chart-x-metric', key);
	}

	get smoothing(): Smoothing {
		return this.#preferences.get('chart-smoothing', isSmoothing, { kind: 'none' });
	}
	set smoothing(smoothing: Smoothing) {
		this.#preferences.set('chart-smoothing', smoothing);
	}

	get logX(): boolean {
		return this.#preferences.get('chart-log-x', isFlag, false);
	}
	set logX(on: boolean) {
		this.#preferences.set('chart-log-x', on);
	}

	get logY(): boolean {
		return this.#preferences.get('chart-log-y', isFlag, false);
	}
	set logY(on: boolean) {
		this.#preferences.set('chart-log-y', on);
	}

	get cutOutliers(): boolean {
		return this.#preferences.get('chart-cut-outliers', isFlag, false);
	}
	set cutOutliers(on: boolean) {
		this.#preferences.set('chart-cut-outliers', on);
	}

	/** Configuration paths by which runs are drawn as groups; none draws each run. */
	get groupBy(): string[] {
		return this.#preferences.get('chart-group-by', isTexts, []);
	}
	set groupBy(ids: string[]) {
		this.#preferences.set('chart-group-by', ids);
	}

	get band(): BandKind {
		return this.#preferences.get('chart-band', isOneOf(bandKinds), 'std');
	}
	set band(kind: BandKind) {
		this.#preferences.set('chart-band', kind);
	}
}
