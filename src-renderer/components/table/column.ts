/** A column as the table draws it; what it holds is the caller's. */
export interface TableColumn {
	id: string;
	label: string;
	/** Hover text: the full name or an explanation. */
	title: string;
	/** In px. */
	width: number;
	align: 'left' | 'right';
	sortable: boolean;
}

export interface SortKey {
	id: string;
	descending: boolean;
}

export const narrowestColumn = 48;
export const widestColumn = 900;
