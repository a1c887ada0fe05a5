import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default defineConfig(
	{
		ignores: ['dist/**', 'coverage/**', 'release/**', 'resources/models/**', 'test/**/fixtures/**'],
	},
	js.configs.recommended,
	ts.configs.strictTypeChecked,
	svelte.configs.recommended,
	{
		languageOptions: {
			globals: { ...globals.node, ...globals.browser },
			parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] },
		},
		rules: {
			'@typescript-eslint/switch-exhaustiveness-check': 'error',
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			'@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
			// Code points are what is counted and cut throughout (as Python's len does).
			'@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
			eqeqeq: ['error', 'always', { null: 'ignore' }],
		},
	},
	{
		files: ['**/*.svelte', '**/*.svelte.ts'],
		languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
		rules: {
			// Svelte's own parser does not see types across components well enough for these.
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-unsafe-member-access': 'off',
			'@typescript-eslint/no-unsafe-call': 'off',
			'@typescript-eslint/no-unsafe-argument': 'off',
			'@typescript-eslint/no-unsafe-return': 'off',
			'@typescript-eslint/no-redundant-type-constituents': 'off',
			// `void value` reads a rune so that an effect depends on it.
			'@typescript-eslint/no-meaningless-void-operator': 'off',
			// Series and tables are immutable values in `$state.raw`; plain maps are what they are made of.
			'svelte/prefer-svelte-reactivity': 'off',
		},
	},
	{
		files: ['**/*.js', '**/*.cjs', '**/*.mjs', '*.config.ts'],
		extends: [ts.configs.disableTypeChecked],
	},
);
