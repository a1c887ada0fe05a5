/** A row as it was read, before its columns are looked at. */
export interface RawRow {
	/** "line 3" or "row 3". */
	place: string;
	value: unknown;
}
