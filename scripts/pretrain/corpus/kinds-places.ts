/** Prompts about places: describe, design, plan a visit, list what is there, live there. */
import type { Random } from '../../../src-main/contract/random.ts';
import type { Kind } from './kind.ts';
import { places } from './places.ts';
import { settings } from './settings.ts';
import { pick, type Bag } from './template.ts';

const adjectives = [
	'bright',
	'quiet',
	'busy',
	'tiny',
	'grand',
	'gentle',
	'secret',
	'cheerful',
	'ancient',
	'round',
	'warm',
	'strange',
];

function placeBag(random: Random): Bag {
	const place = pick(random, places);
	const setting = pick(random, settings);
	return {
		place: place.place,
		where: setting.where,
		part: place.part,
		folk: place.folk,
		deed: place.deed,
		ground: setting.ground,
		travel: setting.travel,
		sight: setting.sight,
		sound: setting.sound,
		adjective: adjectives,
		hour: ['at dawn', 'at noon', 'at dusk', 'at night', 'every morning', 'every evening'],
	};
}

const describe: Kind = {
	name: 'describe-place',
	weight: 5,
	draw: (random) => ({
		bag: placeBag(random),
		ask: [
			'Describe {a place} {where}',
			'Describe {a place} {where}',
			'Tell me about {a place} {where}',
			'Picture {a place} {where}',
			'What is {a place} {where} like',
			'Imagine {a place} {where}',
		],
		short: [
			'It is {a adjective} {place} of {ground} where {folk} {deed}.',
			'{a adjective} {place} {where}, full of {part} and {sound}.',
			'Here {folk} {deed} and look at {sight}.',
		],
		opening: [
			'The {place} {where} is built of {ground}, and its {part} shine {hour}.',
			'High {part} of {ground} rise over the {place}, and {folk} {travel}.',
			'This {adjective} {place} is made of {ground} and {ground}.',
		],
		body: [
			[
				'The {part} are made of {ground}, and the {part} are painted by hand.',
				'Between the {part} you can see {sight}.',
			],
			['The {folk} {travel}.', 'To get about, {folk} {travel}.'],
			['Every day {folk} {deed}.', 'In the {part}, {folk} {deed}.'],
			['At night you hear {sound}.', 'From the {part} comes {sound}.'],
		],
		close: [
			'Nobody is ever in a hurry to leave.',
			'Visitors come for a day and stay for a year.',
			'It feels like home from the first step.',
			'Once you have seen {sight}, you will come back.',
		],
	}),
};

const design: Kind = {
	name: 'design-place',
	weight: 5,
	draw: (random) => ({
		bag: placeBag(random),
		ask: [
			'Design {a place} {where}',
			'Design {a place} {where}',
			'Design {a adjective} {place} {where}',
			'Build {a place} {where}',
			'Sketch a plan for {a place} {where}',
			'How would you design {a place} {where}',
		],
		short: [
			'I would build {part} of {ground} with a view of {sight}.',
			'Use {ground} for the {part} and let the {folk} {travel}.',
			'{a adjective} {place} with {part} of {ground} and room for {sound}.',
		],
		opening: [
			'First we build the {part} from {ground}, so that they look out on {sight}.',
			'The {place} has {part} of {ground} and {part} of {ground}.',
			'My plan has three areas, and the largest holds the {part}.',
		],
		body: [
			[
				'In the middle stand the {part}, made of {ground}.',
				'Around them we put {part} where {folk} {deed}.',
			],
			['The {folk} {travel}, so all ways are wide.', 'Guests {travel} to reach the {part}.'],
			['A quiet corner is left for {sound}.', 'Big windows show {sight}.'],
			['For safety, every edge is lined with {ground}.', 'A roof of {ground} keeps it warm.'],
		],
		close: [
			'When it opens, {folk} will {deed}.',
			'Best of all, it costs almost nothing to run.',
			'The last thing to add is a bench for two.',
			'Everyone gets in for free.',
		],
	}),
};

const life: Kind = {
	name: 'life-in-place',
	weight: 2,
	draw: (random) => ({
		bag: placeBag(random),
		ask: [
			'Explain how people live in {a place} {where}',
			'Describe a day in {a place} {where}',
			'Write a postcard from {a place} {where}',
			'Write a letter from {a place} {where}',
			'Tell me what you hear in {a place} {where}',
		],
		short: [
			'All day long {folk} {deed}, and at night there is {sound}.',
			'Here people {travel} and {deed}.',
			'I can hear {sound} and see {sight}.',
		],
		opening: [
			'Mornings begin with {sound}, and the {folk} {deed}.',
			'Dear friend, today I saw {sight} from the {part}.',
			'We wake up to {sound}.',
		],
		body: [
			['After breakfast we {travel}.', 'To reach the {part}, people {travel}.'],
			['At noon {folk} {deed}.', 'Later the {folk} show me the {part} of {ground}.'],
			['In the evening all look at {sight}.', 'The air is full of {sound}.'],
		],
		close: [
			'I wish you were here.',
			'Then the lamps go out, one by one.',
			'Tomorrow it all begins again.',
			'I will bring you a piece of {ground}.',
		],
	}),
};

const visit: Kind = {
	name: 'visit-place',
	weight: 2,
	draw: (random) => ({
		bag: placeBag(random),
		ask: [
			'Plan a visit to {a place} {where}',
			'Write an advertisement for {a place} {where}',
			'Give three reasons to visit {a place} {where}',
			'Invite a friend to {a place} {where}',
			'List what you would see in {a place} {where}',
		],
		short: [
			'Come and see {sight}, {part} of {ground}, and {folk} who {deed}.',
			'Bring a friend and {travel} with us.',
			'You will see {sight} and {sight}.',
		],
		opening: [
			'Come to the {adjective} {place} {where} and see {sight}.',
			'Start {hour}, when the {folk} {deed}.',
			'There are three good reasons: {sight}, {sound}, and the {part}.',
		],
		body: [
			[
				'First walk along the {part} and look at {sight}.',
				'The {part} are made of {ground}, and you may touch them.',
			],
			['Then {travel} like everyone here.', 'Your guides will show you how to {travel}.'],
			['For lunch, sit with the {folk}, who {deed}.', 'Do not miss the {part}.'],
			['End the day with {sound}.', 'Stay for the evening and hear {sound}.'],
		],
		close: [
			'You will want to come again.',
			'Bring a warm coat and an open mind.',
			'The first visit is free.',
			'Send a card to those at home.',
		],
	}),
};

export const placeKinds: readonly Kind[] = [describe, design, life, visit];
