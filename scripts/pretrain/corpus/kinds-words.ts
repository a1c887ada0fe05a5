/** Prompts for explanations, lists, plans, poems and recipes. */
import { errands, themes } from './errands.ts';
import { facts } from './facts.ts';
import type { Kind } from './kind.ts';
import { pick } from './template.ts';

const explain: Kind = {
	name: 'explain-fact',
	weight: 3,
	draw: (random) => {
		const fact = pick(random, facts);
		return {
			bag: {
				ask: pick(random, fact.ask),
				hearer: ['a child', 'a friend', 'a robot', 'an alien', 'my grandmother', 'a sleepy bear'],
			},
			ask: [
				'Explain {ask}',
				'Explain {ask}',
				'Tell me {ask}',
				'Explain to {hearer} {ask}',
				'Can you explain {ask}',
			],
			short: fact.brief,
			opening: fact.opening,
			body: fact.more.map((sentence) => [sentence]),
			close: fact.close,
		};
	},
};

const list: Kind = {
	name: 'list',
	weight: 3,
	draw: (random) => {
		const errand = pick(random, errands);
		return {
			bag: {
				occasion: errand.occasion,
				item: errand.item,
				first: errand.step[0],
				reason: [
					'it rains',
					'you get hungry',
					'plans change',
					'a guest comes',
					'you stay longer',
					'nobody is looking',
					'someone forgets',
				],
			},
			ask: [
				'List three things for {occasion}',
				'List what to bring for {occasion}',
				'Make a list for {occasion}',
				'Name three things you need for {occasion}',
				'What do I need for {occasion}',
			],
			short: [
				'{item}, {item}, and {item}.',
				'You need {item} and {item}.',
				'Take {item}, {item}, and {item}.',
			],
			opening: [
				'For {occasion} you need {item}, {item}, and {item}.',
				'First of all take {item} and {item}.',
				'The most important things are {item} and {item}.',
			],
			body: [
				['Also bring {item}, in case {reason}.', 'Then add {item} and {item}.'],
				['Do not forget {item}.', 'A friend should carry {item}.'],
				['Once you have it all, {first}.', 'When all is packed, {first}.'],
			],
			close: errand.tip,
		};
	},
};

const plan: Kind = {
	name: 'plan',
	weight: 3,
	draw: (random) => {
		const errand = pick(random, errands);
		return {
			bag: {
				occasion: errand.occasion,
				item: errand.item,
				first: errand.step[0],
				second: errand.step[1],
				third: errand.step[2],
				last: errand.step[3],
				friend: pick(random, [
					'a robot',
					'two cousins',
					'an old friend',
					'a shy dragon',
					'the whole class',
					'your cat',
					'three penguins',
					'a tired king',
					'my grandmother',
					'a giant',
				]),
			},
			ask: [
				'Plan {occasion}',
				'Plan {occasion} with {friend}',
				'Give me advice for {occasion} with {friend}',
				'How do I prepare for {occasion}',
				'Write instructions for {occasion} with {friend}',
			],
			short: [
				'Just {first}, and {last}.',
				'Take {item}, {first}, and {second}.',
				'Bring {item} for {friend}, and {last}.',
			],
			opening: [
				'First {first}.',
				'Begin early: {first}, and bring {item}.',
				'A good plan is simple: {first}.',
			],
			body: [
				['Next, {second}.', 'After that, {second}.', 'Together with {friend}, {second}.'],
				['Bring {item} and {item}.', 'You will be glad of {item}.', 'Let {friend} carry {item}.'],
				['Then {third}.', 'Later {third}.'],
				['At the end, {last}.', 'Last of all, {last}.'],
			],
			close: errand.tip,
		};
	},
};

const poem: Kind = {
	name: 'poem',
	weight: 3,
	draw: (random) => {
		const theme = pick(random, themes);
		return {
			bag: theme,
			ask: [
				'Write a poem about {theme}',
				'Write a short verse about {theme}',
				'Write a song about {theme}',
				'Make a rhyme about {theme}',
				'Say something beautiful about {theme}',
			],
			short: ['{image}, {wish}.', 'For {theme}: {image}.', '{image}.'],
			opening: [
				'{image}, and {image}.',
				'I sing of {theme}: {image}.',
				'This is for {theme}: {image}.',
			],
			body: [
				['{image}.', 'And look, {image}.'],
				['{image}, {wish}.', 'Now {image}.'],
				['Somewhere {image}.', 'And still {image}.'],
			],
			close: [
				'This is {theme}, {wish}.',
				'Here {theme} ends, {wish}.',
				'So ends the song of {theme}.',
			],
		};
	},
};

const recipe: Kind = {
	name: 'recipe',
	weight: 2,
	draw: (random) => ({
		bag: {
			dish: pick(random, [
				'soup',
				'cake',
				'pie',
				'salad',
				'stew',
				'bread',
				'pudding',
				'sandwich',
				'pancake',
				'jam',
			]),
			eater: pick(random, [
				'a dragon',
				'a robot',
				'a king',
				'a tired wizard',
				'a hungry giant',
				'three mice',
				'a sailor',
				'a ghost',
				'a small bear',
				'the moon',
				'a cold day',
				'a birthday',
			]),
			food: [
				'ripe apples',
				'three onions',
				'a pinch of salt',
				'brown sugar',
				'fresh butter',
				'two eggs',
				'warm milk',
				'a cup of flour',
				'wild honey',
				'red peppers',
				'a spoon of starlight',
				'chopped nuts',
				'a little cinnamon',
				'green herbs',
				'old cheese',
			],
			work: [
				'stir it slowly',
				'bake it until it is gold',
				'let it rest',
				'cut it small',
				'mix it by hand',
				'taste it twice',
				'sing while it boils',
				'cover it with a cloth',
			],
		},
		ask: [
			'Invent a {dish} for {eater}',
			'Write a recipe for {a dish} for {eater}',
			'Explain how to make {a dish} for {eater}',
			'Describe the best {dish} for {eater}',
			'Cook {a dish} for {eater}',
		],
		short: [
			'Take {food} and {food}, then {work}.',
			'{a dish} of {food} and {food}.',
			'Mix {food} with {food} and {work}.',
		],
		opening: [
			'For the {dish} you need {food}, {food}, and {food}.',
			'Start with {food} and {work}.',
			'The best {dish} for {eater} begins with {food}.',
		],
		body: [
			['Add {food} and {work}.', 'Put in {food} and {food}.'],
			['Then {work}.', 'Now {work} and add {food}.'],
			['After an hour, {work}.', 'When it smells good, {work}.'],
			['Serve it with {food}.', 'Decorate it with {food}.'],
		],
		close: [
			'It is enough for two.',
			'Eat it while it is warm.',
			'Leave a little for {eater}.',
			'Nobody will ask for more, since all are full.',
		],
	}),
};

export const wordKinds: readonly Kind[] = [explain, list, plan, poem, recipe];
