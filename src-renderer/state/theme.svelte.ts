import { isFlag, isOneOf, type Preferences } from './preferences.svelte.ts';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

/** Light or dark, high contrast, and calm motion: the person's choice, else the system's. */
export class Theme {
	readonly #preferences: Preferences;
	readonly #darkQuery = window.matchMedia('(prefers-color-scheme: dark)');
	readonly #contrastQuery = window.matchMedia('(prefers-contrast: more)');
	#systemDark = $state(this.#darkQuery.matches);
	#systemContrast = $state(this.#contrastQuery.matches);

	constructor(preferences: Preferences) {
		this.#preferences = preferences;
	}

	get choice(): ThemeChoice {
		return this.#preferences.get('theme', isOneOf(themeChoices), 'system');
	}
	set choice(choice: ThemeChoice) {
		this.#preferences.set('theme', choice);
	}

	get dark(): boolean {
		return this.choice === 'system' ? this.#systemDark : this.choice === 'dark';
	}

	get contrast(): boolean {
		return this.#systemContrast || this.#preferences.get('contrast', isFlag, false);
	}
	set contrast(on: boolean) {
		this.#preferences.set('contrast', on);
	}

	/** Keeps the document's attributes in step; call within a component's set-up. Returns the "off". */
	start(): () => void {
		const onDark = (): void => {
			this.#systemDark = this.#darkQuery.matches;
		};
		const onContrast = (): void => {
			this.#systemContrast = this.#contrastQuery.matches;
		};
		this.#darkQuery.addEventListener('change', onDark);
		this.#contrastQuery.addEventListener('change', onContrast);
		return () => {
			this.#darkQuery.removeEventListener('change', onDark);
			this.#contrastQuery.removeEventListener('change', onContrast);
		};
	}
}
