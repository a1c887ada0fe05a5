/** Inventions and objects: what they are made of and what they do, and for whom. */
export interface Thing {
	thing: string;
	piece: readonly string[];
	/** Third person, present. */
	works: readonly string[];
}

export const things: readonly Thing[] = [
	{
		thing: 'umbrella',
		piece: ['a bamboo handle', 'ribs of whale bone', 'yellow silk'],
		works: [
			'opens by itself',
			'turns rain into music',
			'hums when a storm is near',
			'keeps two people dry',
		],
	},
	{
		thing: 'clock',
		piece: ['brass wheels', 'a glass face', 'a silver bell'],
		works: [
			'runs faster when you laugh',
			'tells the time in songs',
			'stops for birthdays',
			'adds an hour to every Sunday',
		],
	},
	{
		thing: 'machine',
		piece: ['copper pipes', 'a red lever', 'three round lamps'],
		works: [
			'turns noise into light',
			'folds clean shirts',
			'sorts dreams by colour',
			'puffs out warm steam',
		],
	},
	{
		thing: 'hat',
		piece: ['soft felt', 'a green feather', 'a hidden pocket'],
		works: [
			'remembers names for you',
			'plays the radio softly',
			'grows with your ideas',
			'keeps soup warm',
		],
	},
	{
		thing: 'bicycle',
		piece: ['two wooden wheels', 'a silver bell', 'a small sail'],
		works: [
			'rides over water',
			'pedals uphill by itself',
			'whistles at corners',
			'never gets a flat tyre',
		],
	},
	{
		thing: 'lamp',
		piece: ['blue glass', 'a brass switch', 'a paper shade'],
		works: [
			'stores sunlight in a jar',
			'shines only on lost things',
			'dims when you yawn',
			'draws stars on the wall',
		],
	},
	{
		thing: 'pair of shoes',
		piece: ['cork soles', 'red laces', 'tiny springs'],
		works: [
			'finds the way home',
			'jumps over fences',
			'dances when nobody looks',
			'stays dry in any puddle',
		],
	},
	{
		thing: 'kite',
		piece: ['rice paper', 'a long tail', 'a roll of strong thread'],
		works: [
			'carries letters to friends',
			'catches lightning for lamps',
			'flies without wind',
			'paints the sky',
		],
	},
	{
		thing: 'teapot',
		piece: ['white china', 'a curved spout', 'a lid like a hat'],
		works: [
			'never gets empty',
			'pours the drink you need',
			'tells polite jokes',
			'whistles old tunes',
		],
	},
	{
		thing: 'pencil',
		piece: ['cedar wood', 'a gold ring', 'soft grey lead'],
		works: [
			'draws doors that open',
			'corrects its own mistakes',
			'writes in the dark',
			'shortens long letters',
		],
	},
	{
		thing: 'blanket',
		piece: ['sheep wool', 'patches of cloud', 'warm thread'],
		works: [
			'tells a story each night',
			'scares bad dreams away',
			'folds itself at dawn',
			'is as warm as July',
		],
	},
	{
		thing: 'telescope',
		piece: ['polished lenses', 'a brass tube', 'three long legs'],
		works: [
			'looks into tomorrow',
			'finds shy planets',
			'shows friends far away',
			'counts stars by itself',
		],
	},
	{
		thing: 'spoon',
		piece: ['bright silver', 'a carved handle', 'a tiny thermometer'],
		works: [
			'cools hot soup',
			'stirs without a hand',
			'makes spinach taste of cake',
			'rings when lunch is ready',
		],
	},
	{
		thing: 'window',
		piece: ['clear glass', 'a white frame', 'a brass latch'],
		works: [
			'shows another season',
			'cleans itself when it rains',
			'opens to the sea',
			'lets in only good news',
		],
	},
	{
		thing: 'violin',
		piece: ['maple wood', 'four gold strings', 'a bow of horse hair'],
		works: ['plays what you feel', 'calms wild dogs', 'makes flowers open', 'tunes itself at noon'],
	},
	{
		thing: 'backpack',
		piece: ['blue canvas', 'nine pockets', 'wide straps'],
		works: [
			'packs itself',
			'weighs less when it is full',
			'reminds you of your lunch',
			'turns into a tent',
		],
	},
	{
		thing: 'mirror',
		piece: ['old silver', 'a carved frame', 'a drop of moonlight'],
		works: [
			'shows you on your best day',
			'says good morning',
			'answers hard questions',
			'reflects what is behind the wall',
		],
	},
	{
		thing: 'boat',
		piece: ['light planks', 'a striped sail', 'a lantern'],
		works: [
			'sails on fog',
			'knows all the harbours',
			'shrinks to fit a pocket',
			'rocks you to sleep',
		],
	},
	{
		thing: 'chair',
		piece: ['oak legs', 'a velvet seat', 'four small wheels'],
		works: [
			'walks to the table',
			'rocks when you read',
			'gives a hug on bad days',
			'grows for tall guests',
		],
	},
	{
		thing: 'book',
		piece: ['thick paper', 'a leather back', 'a ribbon'],
		works: [
			'reads itself aloud',
			'changes its end each time',
			'smells of the place it tells of',
			'waits for you on the right page',
		],
	},
	{
		thing: 'key',
		piece: ['cold iron', 'a round ring', 'two small teeth'],
		works: [
			'opens any garden',
			'comes when you whistle',
			'locks out worries',
			'fits only honest doors',
		],
	},
	{
		thing: 'camera',
		piece: ['a black box', 'one round eye', 'a leather strap'],
		works: [
			'takes pictures of smells',
			'shows what happened before',
			'prints on leaves',
			'makes everyone smile',
		],
	},
	{
		thing: 'phone',
		piece: ['two tin cans', 'a long thread', 'a green button'],
		works: [
			'calls people in dreams',
			'rings like a bird',
			'translates cats',
			'sleeps when you eat',
		],
	},
	{
		thing: 'bed',
		piece: ['soft springs', 'four posts', 'a quilt of stars'],
		works: [
			'flies over the town',
			'sings in a low voice',
			'wakes you with sunlight',
			'makes itself',
		],
	},
];

export const purposes = [
	'for lost socks',
	'for rainy Mondays',
	'for very small gardens',
	'for people who oversleep',
	'for lonely cats',
	'for brave children',
	'for tired parents',
	'for left handed cooks',
	'for long train rides',
	'for the first day of school',
	'for windy mountains',
	'for shy singers',
	'for deep sea divers',
	'for star gazers',
	'for busy bees',
	'for grandmothers',
	'that runs on laughter',
	'that runs on sunlight',
	'that runs on old jokes',
	'made of ice',
	'made of paper',
	'made of old maps',
	'from the future',
	'that everybody needs',
	'that nobody needs',
] as const;
