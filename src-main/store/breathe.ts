/** Lets other work of the program go on between two pieces of a long task. */
export function breathe(): Promise<void> {
	return new Promise((resolve) => {
		setImmediate(resolve);
	});
}
