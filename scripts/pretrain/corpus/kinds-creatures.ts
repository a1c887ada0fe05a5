/** Prompts about heroes: stories, bedtime stories, portraits, letters, names. */
import type { Random } from '../../../src-main/contract/random.ts';
import { creatures, heroNames, traits } from './creatures.ts';
import type { Kind } from './kind.ts';
import { helpers, plots } from './plots.ts';
import { pick, type Bag } from './template.ts';

const pronouns = [
	{ they: 'she', They: 'She', their: 'her', Their: 'Her', them: 'her' },
	{ they: 'he', They: 'He', their: 'his', Their: 'His', them: 'him' },
];

function heroBag(random: Random): Bag {
	const creature = pick(random, creatures);
	const only = creature.creature === 'princess' ? pronouns.slice(0, 1) : pronouns;
	return {
		...pick(random, only),
		creature: creature.creature,
		trait: pick(random, traits),
		name: pick(random, heroNames),
		home: creature.home,
		love: creature.love,
		does: creature.does,
		look: creature.look,
		helper: pick(random, helpers),
	};
}

const story: Kind = {
	name: 'story',
	weight: 4,
	draw: (random) => {
		const plot = pick(random, plots);
		return {
			bag: { ...heroBag(random), trouble: plot.trouble, about: plot.about },
			ask: [
				'Tell a story about {a trait} {creature} {about}',
				'Write a story about {a creature} {about}',
				'Tell me a story about {a trait} {creature}',
				'Write a tale of {a creature} {about}',
				'Make up a story about {a creature}',
			],
			short: [
				'{name} the {creature} {trouble}, but {helper} knew what to do.',
				'{a trait} {creature} {trouble} and found a friend.',
				'{name} {trouble}, and that was how {they} met {helper}.',
			],
			opening: [
				'Once there was {a trait} {creature} named {name} who {trouble}.',
				'In {home} lived {name}, {a trait} {creature} who {trouble}.',
				'One day {a creature} called {name} {trouble}.',
			],
			body: [plot.tried, plot.helped, plot.ended],
			close: ['The end.', 'And {name} still tells this story.', 'That is all, and it is true.'],
		};
	},
};

const bedtime: Kind = {
	name: 'bedtime-story',
	weight: 5,
	draw: (random) => ({
		bag: {
			...heroBag(random),
			soft: [
				'the moon',
				'a slow river',
				'the night wind',
				'a little star',
				'the old oak',
				'the snow',
				'a passing cloud',
				'the sea',
			],
			lull: [
				'hummed a song',
				'told a tale',
				'kept watch',
				'whispered good night',
				'rocked the branches',
				'turned down the light',
			],
		},
		ask: [
			'Write a bedtime story for {a creature}',
			'Write a bedtime story for {a creature}',
			'Write a bedtime story for {a trait} {creature}',
			'Tell a bedtime story about {a creature}',
			'Tell {a trait} {creature} a bedtime story',
			'Sing {a creature} to sleep',
		],
		short: [
			'Close your eyes, {trait} {creature}, for {soft} has {lull}.',
			'Good night, {creature}, and dream of {love}.',
			'{name} the {creature} yawned, curled up in {home}, and slept.',
		],
		opening: [
			'Once {a trait} {creature} named {name} lay awake in {home}.',
			'When the sun went down, the {creature} in {home} could not sleep.',
			'Far away, in {home}, lived {a trait} {creature}.',
		],
		body: [
			['{They} thought of {love} and sighed.', 'All day {they} had dreamed of {love} and {love}.'],
			['Then {soft} {lull}.', 'Outside {soft} {lull}, and {soft} {lull}.'],
			['Soon {helper} came and sat by the bed.', 'So {helper} brought {love} and a blanket.'],
			['One by one the stars lit their lamps.', 'Slowly {their} eyes grew heavy.'],
		],
		close: [
			'And {name} slept until morning.',
			'Good night, {trait} {creature}.',
			'Then {they} dreamed of {love}.',
			'Sleep well, for tomorrow is near.',
		],
	}),
};

const portrait: Kind = {
	name: 'portrait',
	weight: 3,
	draw: (random) => ({
		bag: heroBag(random),
		ask: [
			'Describe {a trait} {creature}',
			'Describe {a creature} who lives in {home}',
			'Tell me about your friend the {creature}',
			'Introduce {a trait} {creature} named {name}',
			'Invent {a creature} and describe it',
			'What is {a trait} {creature} like',
		],
		short: [
			'{a trait} {creature} with {look} who loves {love}.',
			'This {creature} lives in {home} and {does}.',
			'{They} has {look} and {does}.',
		],
		opening: [
			'The {trait} {creature} has {look} and {look}.',
			'{name} is {a trait} {creature} with {look}.',
			'In {home} lives {a creature} with {look}.',
		],
		body: [
			['{They} {does}.', 'Every day {they} {does}.'],
			['{They} lives in {home} and loves {love}.', 'Nothing makes {them} happier than {love}.'],
			['When guests come, {they} {does}.', 'On quiet days {they} {does}.'],
		],
		close: [
			'Everyone in town is fond of {them}.',
			'You would like {them} at once.',
			'Just do not ask about {love}.',
		],
	}),
};

interface Intent {
	ask: readonly string[];
	brief: string;
	opening: string;
	more: string;
}

const intents: readonly Intent[] = [
	{
		ask: ['Write a thank you note to {a creature}', 'Thank {a trait} {creature}'],
		brief: 'thank you for {love}',
		opening: 'thank you so much for {love} and for {home}',
		more: 'Your gift made me very happy.',
	},
	{
		ask: ['Invite {a trait} {creature} to tea', 'Invite {a creature} to dinner'],
		brief: 'please come to tea and bring {love}',
		opening: 'please come and visit us on Sunday',
		more: 'There will be {love} and enough chairs.',
	},
	{
		ask: ['Apologise to {a creature}', 'Write a note to say sorry to {a trait} {creature}'],
		brief: 'I am sorry that I forgot {love}',
		opening: 'I am sorry that I lost {love}',
		more: 'It was my mistake, and I will make it good.',
	},
	{
		ask: ['Write a letter to {a creature}', 'Write a letter to {a trait} {creature}'],
		brief: 'I miss you and {love}',
		opening: 'I have thought of you and of {home}',
		more: 'Here it rains, and the days are long.',
	},
];

const letter: Kind = {
	name: 'letter',
	weight: 2,
	draw: (random) => {
		const intent = pick(random, intents);
		return {
			bag: { ...heroBag(random), sender: heroNames },
			ask: intent.ask,
			short: [`Dear {creature}, ${intent.brief}.`, `My dear {trait} {creature}, ${intent.brief}.`],
			opening: [
				`Dear {creature}, ${intent.opening}.`,
				`My dear friend, ${intent.opening}.`,
				`Dear {name}, ${intent.opening}.`,
			],
			body: [
				[intent.more, 'I still laugh about {love}.'],
				['Yesterday {helper} asked about you.', 'By the way, {helper} sends you a greeting.'],
				['I have kept {love} for you.', 'Next time we will share {love}.'],
			],
			close: ['Yours, {sender}.', 'With love, {sender}.', 'Your friend, {sender}.'],
		};
	},
};

const naming: Kind = {
	name: 'name',
	weight: 2,
	draw: (random) => ({
		bag: {
			...heroBag(random),
			other: heroNames,
			meaning: [
				'it sounds like rain',
				'it is short and warm',
				'it is easy to call',
				'it rhymes with nothing',
				'it means little light',
				'no one else has it',
				'it looks good on a door',
				'it can be whispered',
			],
		},
		ask: [
			'Name {a trait} {creature}',
			'Find a name for {a creature}',
			'Give {a trait} {creature} a name and say why',
			'List three names for {a creature}',
			'What would you call {a creature}',
		],
		short: [
			'{name}, since {meaning}.',
			'Call it {other}, for {meaning}.',
			'{other}, {other}, or {other}.',
		],
		opening: [
			'I would call the {creature} {name}, since {meaning}.',
			'A good name for {a trait} {creature} is {name}.',
			'Three names come to mind: {other}, {other}, and {other}.',
		],
		body: [
			['Say it aloud and you will hear that {meaning}.', 'I like it because {meaning}.'],
			['It suits {a creature} with {look}.', 'It fits one who {does}.'],
			['Friends may say {other} for short.', 'At home in {home} it will be just right.'],
		],
		close: ['Try it for a day.', 'The {creature} will agree.', 'A name is a small gift.'],
	}),
};

export const creatureKinds: readonly Kind[] = [story, bedtime, portrait, letter, naming];
