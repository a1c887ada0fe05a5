/** The channels between the preload script and the main process; written nowhere else. */
export const channels = {
	/** invoke(name, params) → Reply. */
	request: 'grove:request',
	/** A list of pushes to the window. */
	pushes: 'grove:pushes',
	/** The window took the last list and is ready for the next. */
	taken: 'grove:taken',
} as const;

/** Address of our own pages. */
export const appScheme = 'app';
export const appOrigin = 'app://grove';
export const homeAddress = `${appOrigin}/index.html`;
