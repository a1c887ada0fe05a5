/** Invented holidays: what they honour, what people (plural) do, and what they eat. */
export interface Holiday {
	/** Without "Day", "Night" or "Festival". */
	honour: string;
	why: readonly string[];
	custom: readonly string[];
	dish: readonly string[];
}

export const holidays: readonly Holiday[] = [
	{
		honour: 'Lost Sock',
		why: ['every lost sock deserves a thought', 'one sock alone is sad'],
		custom: [
			'hang single socks from the windows',
			'wear two that do not match',
			'look under every bed',
			'swap socks with a neighbour',
		],
		dish: ['striped biscuits', 'warm rolls', 'long red noodles'],
	},
	{
		honour: 'Quiet Rain',
		why: ['rain gives the garden its drink', 'a grey day can be kind'],
		custom: [
			'sit by the window and listen',
			'float paper boats in the street',
			'dance with umbrellas',
			'share one coat with a friend',
		],
		dish: ['pea soup', 'hot cocoa', 'dumplings'],
	},
	{
		honour: 'Second Breakfast',
		why: ['one breakfast is not enough', 'mornings go by too fast'],
		custom: [
			'eat twice before noon',
			'carry toast to the neighbours',
			'wear pyjamas to work',
			'sing to the kettle',
		],
		dish: ['pancakes', 'jam toast', 'boiled eggs'],
	},
	{
		honour: 'Borrowed Book',
		why: ['a story grows when it is shared', 'books like to travel'],
		custom: [
			'leave a book on a bench',
			'read aloud in the tram',
			'return what they kept too long',
			'write thanks on the first page',
		],
		dish: ['tea and crumbs', 'almond cake', 'cheese sandwiches'],
	},
	{
		honour: 'Old Tree',
		why: ['trees wait longer than anyone', 'shade is a gift'],
		custom: [
			'hug the oldest tree in town',
			'tie ribbons to the branches',
			'plant one seed each',
			'tell secrets to the bark',
		],
		dish: ['apple pie', 'nut bread', 'plum jam'],
	},
	{
		honour: 'Shooting Star',
		why: ['wishes need practice', 'the night sky is free for all'],
		custom: [
			'lie on the roofs in blankets',
			'write wishes on thin paper',
			'put out all the lamps',
			'count to a hundred together',
		],
		dish: ['star biscuits', 'sugared almonds', 'hot cider'],
	},
	{
		honour: 'Friendly Ghost',
		why: ['even ghosts like to be asked in', 'attics need laughter'],
		custom: [
			'set one more plate',
			'leave the attic door open',
			'knock before they enter',
			'wear white sheets at dinner',
		],
		dish: ['cold pudding', 'pale cheese', 'meringues'],
	},
	{
		honour: 'Upside Down',
		why: ['things look new from below', 'habits need a holiday'],
		custom: [
			'walk backwards to work',
			'eat dessert first',
			'wear shirts inside out',
			'say goodbye when they meet',
		],
		dish: ['upside down cake', 'ice cream for breakfast', 'salad in cups'],
	},
	{
		honour: 'First Snow',
		why: ['snow makes the town whisper', 'winter should begin with joy'],
		custom: [
			'run out in slippers',
			'build one snowman per house',
			'catch flakes on the tongue',
			'close the schools by noon',
		],
		dish: ['roast chestnuts', 'vanilla snow', 'baked apples'],
	},
	{
		honour: 'Kind Word',
		why: ['a kind word weighs nothing', 'people forget to say thanks'],
		custom: [
			'leave notes in coat pockets',
			'praise three strangers',
			'call an old teacher',
			'say sorry and mean it',
		],
		dish: ['honey cake', 'sweet tea', 'warm bread'],
	},
	{
		honour: 'Long Nap',
		why: ['tired people make poor soup', 'pillows are patient'],
		custom: [
			'sleep until the bells ring',
			'hang hammocks in the square',
			'whisper all day',
			'lend pillows to guests',
		],
		dish: ['milk soup', 'soft buns', 'banana bread'],
	},
	{
		honour: 'Broken Clock',
		why: ['time should rest as well', 'nobody can be late'],
		custom: [
			'cover all the clocks',
			'eat when they are hungry',
			'play one more game',
			'let the sun decide',
		],
		dish: ['late supper', 'slow stew', 'pie at any hour'],
	},
	{
		honour: 'Brave Mouse',
		why: ['small hearts do great things', 'a mouse once saved the grain'],
		custom: [
			'leave cheese by the door',
			'do one thing they fear',
			'wear round paper ears',
			'crawl under tables',
		],
		dish: ['yellow cheese', 'corn bread', 'tiny tarts'],
	},
	{
		honour: 'Blue Moon',
		why: ['rare things should be kept', 'the moon works every night'],
		custom: [
			'paint their doors blue',
			'swim at midnight',
			'sing low songs',
			'send boats with candles down the river',
		],
		dish: ['blueberry soup', 'round white cakes', 'plum dumplings'],
	},
	{
		honour: 'Neighbour',
		why: ['walls are thin and hearts are thick', 'help lives next door'],
		custom: [
			'carry tables into the street',
			'mend a fence together',
			'learn every name in the house',
			'swap keys and recipes',
		],
		dish: ['a shared stew', 'potato salad', 'long loaves'],
	},
	{
		honour: 'Wind',
		why: ['wind brings news from far away', 'sails and mills need thanks'],
		custom: [
			'fly kites from every roof',
			'hang bells in the trees',
			'let their hats go',
			'run downhill with scarves',
		],
		dish: ['light pastry', 'whipped cream', 'puffed rice'],
	},
	{
		honour: 'Lighthouse',
		why: ['a small light can save a ship', 'someone is always out at sea'],
		custom: [
			'put a candle in each window',
			'climb the highest stairs',
			'wave at passing ships',
			'tell tales of storms',
		],
		dish: ['fish soup', 'salted bread', 'lemon pie'],
	},
	{
		honour: 'Grandmother',
		why: ['they know where things are', 'old hands made the world soft'],
		custom: [
			'learn one old recipe',
			'wear knitted scarves',
			'listen to long stories',
			'dance slow dances',
		],
		dish: ['apple cake', 'chicken soup', 'cherry jam'],
	},
	{
		honour: 'Good Mistake',
		why: ['many good things began by accident', 'errors teach gently'],
		custom: [
			'tell of their best mistake',
			'paint without a plan',
			'get lost on purpose',
			'put salt in the sugar bowl',
		],
		dish: ['flat cake', 'burnt toast with honey', 'soup of leftovers'],
	},
	{
		honour: 'Singing Kettle',
		why: ['tea makes peace', 'every kitchen has a song'],
		custom: [
			'boil water at the same minute',
			'pour tea for strangers',
			'march with spoons',
			'whistle one tune',
		],
		dish: ['scones', 'ginger biscuits', 'black tea with lemon'],
	},
];

export const holidayForms = ['Day', 'Night', 'Festival', 'Week', 'Morning'] as const;

export const dates = [
	'on the first Monday of May',
	'in the middle of winter',
	'on the longest day of the year',
	'when the leaves turn red',
	'on the last night of June',
	'at the first full moon',
	'on the third of March',
	'every autumn',
	'after the first frost',
	'on a day that nobody knows before',
	'at the end of harvest',
	'in early spring',
] as const;
