/** The outcome of the work; null as soon as the signal is given, whatever becomes of the work. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | null> {
	if (signal.aborted) return null;
	let tell: () => void = () => undefined;
	const aborted = new Promise<null>((resolve) => {
		tell = () => resolve(null);
	});
	signal.addEventListener('abort', tell);
	try {
		return await Promise.race([work, aborted]);
	} finally {
		signal.removeEventListener('abort', tell);
	}
}
