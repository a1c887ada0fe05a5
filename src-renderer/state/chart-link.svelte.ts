/** The x range and the cursor that charts with the same x axis share. */
export class ChartLink {
	/** Null: all of it. */
	range = $state.raw<{ from: number; to: number } | null>(null);
	/** X under the pointer in any chart; null outside. */
	cursor = $state<number | null>(null);

	zoom(range: { from: number; to: number } | null): void {
		this.range = range;
	}
}
