/** Prompts about inventions, holidays and games. */
import type { Random } from '../../../src-main/contract/random.ts';
import { dates, holidayForms, holidays } from './holidays.ts';
import type { Kind, Subject } from './kind.ts';
import { pick, type Bag } from './template.ts';
import { purposes, things } from './things.ts';

function thingBag(random: Random): Bag {
	const thing = pick(random, things);
	return {
		thing: thing.thing,
		piece: thing.piece,
		works: thing.works,
		purpose: pick(random, purposes),
		maker: [
			'an old sailor',
			'two sisters',
			'a tired teacher',
			'a boy of nine',
			'a retired wizard',
			'my grandmother',
			'a clever cook',
			'a lonely postman',
		],
		where: [
			'in the kitchen',
			'on a rainy roof',
			'in a train',
			'under the stairs',
			'at sea',
			'in the garden shed',
		],
	};
}

const invention: Kind = {
	name: 'invent-thing',
	weight: 4,
	draw: (random) => ({
		bag: thingBag(random),
		ask: [
			'Invent {a thing} {purpose}',
			'Invent {a thing} and explain it',
			'Design {a thing} {purpose}',
			'Describe {a thing} {purpose}',
			'Think of a new {thing} {purpose}',
			'Write an advertisement for {a thing} {purpose}',
		],
		short: [
			'{a thing} with {piece} that {works}.',
			'It {works} and {works}.',
			'My {thing} {works}, and nobody knows how.',
		],
		opening: [
			'The new {thing} {purpose} has {piece} and {piece}.',
			'This is {a thing} {purpose}, and it {works}.',
			'Invented {where} by {maker}, this {thing} {works}.',
		],
		body: [
			['It is made of {piece} and {piece}.', 'Inside you find {piece}.'],
			['When you touch it, it {works}.', 'If you ask nicely, it {works}.'],
			['It was built by {maker} {where}.', 'The first one was lost by {maker} {where}.'],
			['On Sundays it {works}.', 'It also {works}.'],
		],
		close: [
			'Every house should have one.',
			'It needs no battery, only a kind word.',
			'There is just one, and you may borrow it.',
			'Do not use it in the bath.',
		],
	}),
};

const workings: Kind = {
	name: 'explain-thing',
	weight: 2,
	draw: (random) => ({
		bag: thingBag(random),
		ask: [
			'Explain how {a thing} {purpose} works',
			'How does {a thing} {purpose} work',
			'Explain what {a thing} {purpose} is good for',
			'List three uses for {a thing} {purpose}',
			'Sell me {a thing} {purpose}',
		],
		short: [
			'Turn it on, and it {works}.',
			'You hold {piece}, and it {works}.',
			'It {works}, and that is enough.',
		],
		opening: [
			'The secret of the {thing} lies in {piece}.',
			'First you take {piece} and wait until it {works}.',
			'Anyone can use the {thing} {purpose}.',
		],
		body: [
			['Press gently on {piece}.', 'Wind it up and put it down {where}.'],
			['Then it {works}.', 'After a minute it {works}.'],
			['With luck it {works} as well.', 'If you hold it upside down, it {works}.'],
			['It was tested {where} by {maker}.', 'Clean it once a week with a dry cloth.'],
		],
		close: [
			'That is the whole trick.',
			'The rest is patience.',
			'Keep it away from cats.',
			'Now you know more than {maker}.',
		],
	}),
};

function holidaySubject(random: Random, named: boolean): Subject {
	const holiday = pick(random, holidays);
	const form = pick(random, holidayForms);
	const generic = [
		'Invent a new holiday and explain it',
		'Invent a new holiday and explain it',
		'Invent a holiday',
		'Think of a new holiday',
		'Make up a holiday and say how people celebrate it',
		'Invent a new holiday for our town',
	];
	const particular = [
		'Invent a holiday called {title} and explain it',
		'Explain how people celebrate {title}',
		'Describe {title}',
		'What is {title}',
		'Plan the next {title}',
	];
	return {
		bag: {
			title: `${holiday.honour} ${form}`,
			why: holiday.why,
			custom: holiday.custom,
			dish: holiday.dish,
			date: pick(random, dates),
			folk: ['people', 'families', 'neighbours', 'children', 'whole streets'],
		},
		ask: named ? particular : generic,
		short: [
			'On {title}, {folk} {custom}.',
			'{title} comes {date}, when {folk} {custom}.',
			'It is {title}, and {folk} eat {dish}.',
		],
		opening: [
			'{title} is celebrated {date}, because {why}.',
			'Let us have {title}, for {why}.',
			'The new holiday is called {title}, and it comes {date}.',
		],
		body: [
			['In the morning {folk} {custom}.', 'It begins when {folk} {custom}.'],
			['Then they {custom} and eat {dish}.', 'At noon all eat {dish}.'],
			['In the evening {folk} {custom}.', 'Before the day ends, they {custom}.'],
			['It was started by someone who felt that {why}.', 'The reason is simple: {why}.'],
		],
		close: [
			'Nobody has to work.',
			'The next day all are a little kinder.',
			'Shops close, and doors open.',
			'Then they wait a whole year.',
		],
	};
}

const freeHoliday: Kind = {
	name: 'invent-holiday',
	weight: 4,
	draw: (random) => holidaySubject(random, false),
};
const namedHoliday: Kind = {
	name: 'named-holiday',
	weight: 2,
	draw: (random) => holidaySubject(random, true),
};

const games: Kind = {
	name: 'invent-game',
	weight: 2,
	draw: (random) => ({
		bag: {
			players: [
				'two players',
				'four friends',
				'a whole class',
				'cats and dogs',
				'one person and a mirror',
				'three brave cousins',
			],
			tool: [
				'a red ball',
				'seven spoons',
				'a long rope',
				'an empty box',
				'a wet sponge',
				'nine buttons',
				'a paper crown',
				'a blindfold',
			],
			move: [
				'hop on one leg',
				'hide and count to ten',
				'throw and catch',
				'walk backwards',
				'sing a line each',
				'pass it behind the back',
				'freeze when the bell rings',
				'trade hats',
			],
			goal: [
				'reaches the door first',
				'laughs last',
				'keeps the ball longest',
				'tells the best lie',
				'has no buttons left',
				'stays dry',
				'finds the crown',
				'loses with grace',
			],
			title: pick(random, [
				'Moon Tag',
				'Silent Soup',
				'Fox and Bell',
				'Seven Spoons',
				'Lost Crown',
				'Cloud Ball',
				'Sleepy Giant',
				'Wet Sponge',
				'Button King',
				'Door to Door',
			]),
			place: pick(random, [
				'on the beach',
				'in the snow',
				'at home',
				'in the park',
				'on the Moon',
				'in the dark',
				'under water',
				'on a train',
			]),
		},
		ask: [
			'Invent a game to play {place}',
			'Invent a game called {title}',
			'Explain the rules of {title}',
			'Design a sport to play {place}',
			'Invent a game with {tool}',
		],
		short: [
			'{players} {move}, and the one who {goal} wins.',
			'You need {tool}, and you {move}.',
			'In {title} you {move} until somebody {goal}.',
		],
		opening: [
			'{title} is a game for {players} with {tool}.',
			'To play {title} {place} you need {tool} and {tool}.',
			'The game is called {title}, and {players} can play it.',
		],
		body: [
			['First all {move}.', 'At the start you {move}.'],
			['Then you {move} with {tool}.', 'When someone shouts, all {move}.'],
			['If you drop {tool}, you must {move}.', 'In the last round you {move}.'],
			['The one who {goal} gets a point.', 'Who {goal} may choose the next rule.'],
		],
		close: [
			'Whoever {goal} wins.',
			'The loser makes tea.',
			'It ends when dinner is ready.',
			'Nobody counts the points.',
		],
	}),
};

export const thingKinds: readonly Kind[] = [invention, workings, freeHoliday, namedHoliday, games];
