/** `grove search`: words in prompts and completions. */
import type { RequestParams, SearchHit } from '../../contract/requests.ts';
import { type Arguments, type Command, finiteNumber, oneOf, wholeNumber } from '../command.ts';
import { findRunIds } from '../find-run.ts';
import { formatNumber, safeForTerminal } from '../format.ts';
import { printJson } from '../json.ts';
import { withStore } from '../with-store.ts';

const orders = ['relevance', 'newest', 'best', 'worst', 'random'] as const;
const usualLimit = 20;

function hitText(hit: SearchHit): string {
	const {
		runId,
		runName,
		step,
		itemIndex,
		purpose,
		node,
		turn,
		joint,
		agentName,
		reward,
		excerpt,
	} = hit;
	const what =
		joint === null
			? `prompt of ${agentName}`
			: `${agentName}, joint completion ${joint}${reward === null ? '' : `, reward ${formatNumber(reward)}`}`;
	const place = `${runId} ${runName}, step ${step}, example ${itemIndex}${purpose === 'eval' ? ' (eval)' : ''}, node ${node}, turn ${turn}: ${what}`;
	const text = safeForTerminal(excerpt.trim()).replaceAll(/\s*\n\s*/gu, ' ');
	return `${safeForTerminal(place)}\n    ${text}\n`;
}

function questionOf(args: Arguments): RequestParams<'rollouts.search'> {
	const [turn, agent] = [wholeNumber(args, 'turn', 1), wholeNumber(args, 'agent', 0)];
	const least = finiteNumber(args, 'min-reward');
	const most = finiteNumber(args, 'max-reward');
	return {
		query: args.positionals[0] ?? '',
		order: oneOf(args, 'order', orders) ?? 'relevance',
		limit: wholeNumber(args, 'limit', 1) ?? usualLimit,
		offset: 0,
		...(turn === undefined ? {} : { turn }),
		...(agent === undefined ? {} : { agent }),
		...(least === undefined ? {} : { minReward: least }),
		...(most === undefined ? {} : { maxReward: most }),
	};
}

export const search: Command = {
	name: 'search',
	usage: '[WORDS]',
	summary: 'Finds words in the prompts and completions of all runs, or of some.',
	details:
		'WORDS must all occur in one text: "a phrase" in quotes, wor* for beginnings, -word for absence. Without them, completions by --order.',
	options: {
		run: { type: 'list', value: 'RUN', help: 'Only in this run; may be repeated.' },
		turn: { type: 'text', value: 'NUMBER', help: 'Only in this turn, from 1.' },
		agent: { type: 'text', value: 'NUMBER', help: 'Only texts of this agent, from 0.' },
		'min-reward': { type: 'text', value: 'NUMBER', help: 'Only with at least this reward.' },
		'max-reward': { type: 'text', value: 'NUMBER', help: 'Only with at most this reward.' },
		order: { type: 'text', value: 'ORDER', help: `${orders.join(', ')} (default: relevance).` },
		limit: { type: 'text', value: 'NUMBER', help: `At most so many (default ${usualLimit}).` },
	},
	positionals: [0, 1],
	async run(args, terminal) {
		const question = questionOf(args);
		return withStore(args, terminal, (store) => {
			const runs = args.list('run');
			const found = store.search({
				...question,
				...(runs.length === 0 ? {} : { runIds: findRunIds(store, runs) }),
			});
			if (args.flag('json')) {
				printJson(terminal, found);
				return 0;
			}
			for (const hit of found.hits) terminal.out(hitText(hit));
			const more =
				found.total > found.hits.length ? `, of which ${found.hits.length} are shown` : '';
			terminal.out(`${found.totalIsLowerBound ? 'at least ' : ''}${found.total} found${more}\n`);
			return 0;
		});
	},
};
