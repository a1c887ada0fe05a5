/** Sizes of a node on the drawn tree, in pixels. */
export const rowHeight = 18;
export const nodeWidth = 92;
