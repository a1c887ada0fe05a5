/** Lists and plans: what goes with an occasion. Items are noun phrases; the four steps are commands in order. */
export interface Errand {
	/** "a trip to the Moon": follows "plan" and "for". */
	occasion: string;
	item: readonly string[];
	step: readonly [string, string, string, string];
	tip: readonly string[];
}

export const errands: readonly Errand[] = [
	{
		occasion: 'a trip to the Moon',
		item: [
			'a warm suit',
			'a box of sandwiches',
			'a small flag',
			'a good lamp',
			'a camera',
			'a letter for home',
		],
		step: [
			'pack light and wear a helmet',
			'leave at night when the moon is close',
			'walk slowly and mind the craters',
			'wave to the Earth at noon',
		],
		tip: ['Do not slam the door.', 'Bring a spare sock.'],
	},
	{
		occasion: 'a picnic in the park',
		item: [
			'a red blanket',
			'cold lemonade',
			'ripe cherries',
			'a loaf of bread',
			'a ball',
			'some cheese',
		],
		step: [
			'choose a tree with good shade',
			'pack bread, fruit, and something sweet',
			'invite one person too many',
			'take the rubbish home',
		],
		tip: ['Ants are guests as well.', 'Look at the sky first.'],
	},
	{
		occasion: 'a birthday party',
		item: ['a tall cake', 'nine candles', 'paper hats', 'a drum', 'balloons', 'a secret guest'],
		step: [
			'write the cards a week before',
			'bake the cake at night',
			'hide the guests behind the sofa',
			'sing before the candles melt',
		],
		tip: ['Keep one slice for the morning.', 'Nobody has to win.'],
	},
	{
		occasion: 'a treasure hunt',
		item: ['an old map', 'a compass', 'a small spade', 'a rope', 'a lantern', 'a bag of nuts'],
		step: [
			'draw the map with tea and ink',
			'hide a clue under each bench',
			'walk twelve steps to the north',
			'share what is in the box',
		],
		tip: ['The first clue should be easy.', 'A treasure may be small.'],
	},
	{
		occasion: 'a rainy Sunday',
		item: ['thick socks', 'a long book', 'a pot of tea', 'a puzzle', 'an old film', 'warm toast'],
		step: [
			'stay in bed until ten',
			'build a cave from blankets',
			'read the best page aloud',
			'cook soup for everyone',
		],
		tip: ['Leave one window open for the sound.', 'Puddles are free.'],
	},
	{
		occasion: 'a night in the forest',
		item: ['a tent', 'a warm blanket', 'matches', 'a torch', 'a whistle', 'dry bread'],
		step: [
			'find a flat dry place',
			'put up the tent before dark',
			'make a small safe fire',
			'listen for the owl',
		],
		tip: ['Hang the food in a tree.', 'Leave nothing behind.'],
	},
	{
		occasion: 'a concert for cats',
		item: [
			'soft cushions',
			'a fish drum',
			'a warm heater',
			'a bowl of cream',
			'a ball of wool',
			'a quiet violin',
		],
		step: [
			'keep it short and low',
			'serve cream in the break',
			'let them walk out and in',
			'purr instead of clapping',
		],
		tip: ['Dogs get a seat at the back.', 'Do not play the trumpet.'],
	},
	{
		occasion: 'a day at the beach',
		item: ['a big towel', 'a straw hat', 'a bucket', 'a melon', 'sun cream', 'a kite'],
		step: [
			'go early and find a good spot',
			'build a castle with a deep moat',
			'swim before lunch',
			'collect three shells and no more',
		],
		tip: ['The tide always wins.', 'Shake out your shoes.'],
	},
	{
		occasion: 'a school for robots',
		item: [
			'spare batteries',
			'a can of oil',
			'a blue chalk',
			'number blocks',
			'a soft brush',
			'a box of screws',
		],
		step: [
			'start the day with a warm up',
			'teach them one joke a week',
			'let them ask why',
			'charge everyone at noon',
		],
		tip: ['Keep water away from the desks.', 'Praise works better than force.'],
	},
	{
		occasion: 'a dinner with a dragon',
		item: [
			'iron plates',
			'a bucket of water',
			'hot pepper soup',
			'a polite smile',
			'thick gloves',
			'a fireproof cloth',
		],
		step: [
			'set the table outside',
			'serve the soup very hot',
			'let the guest light the candles',
			'praise the wings',
		],
		tip: ['Never mention knights.', 'Sit on the side of the wind.'],
	},
	{
		occasion: 'a small garden',
		item: ['tomato seeds', 'a green can', 'good soil', 'a spade', 'a wooden sign', 'straw hats'],
		step: [
			'look where the sun stays longest',
			'dig when the soil is soft',
			'sow in straight lines',
			'water in the evening',
		],
		tip: ['Leave a corner for the bees.', 'Be kind to worms.'],
	},
	{
		occasion: 'a long train ride',
		item: [
			'a window seat',
			'two apples',
			'a thick book',
			'a warm scarf',
			'a pack of cards',
			'a notebook',
		],
		step: [
			'come ten minutes early',
			'choose the side with the view',
			'talk to one stranger',
			'sleep after the second tunnel',
		],
		tip: ['Keep the ticket in your shoe.', 'Wave back at the cows.'],
	},
	{
		occasion: 'the first day of winter',
		item: ['red mittens', 'hot cocoa', 'a wool hat', 'a sled', 'dry wood', 'bird seed'],
		step: [
			'bring in the wood',
			'knit the last row',
			'feed the birds at noon',
			'light a candle at four',
		],
		tip: ['Wait for the snow with the window open.', 'Soup is half of winter.'],
	},
	{
		occasion: 'a voyage around the world',
		item: ['a strong boat', 'a star map', 'dried fish', 'a spare sail', 'a parrot', 'many stamps'],
		step: [
			'sail west with the wind',
			'learn hello in ten languages',
			'write a card from each harbour',
			'come home by a new way',
		],
		tip: ['Oranges keep you well.', 'Be polite to storms.'],
	},
	{
		occasion: 'a snow festival',
		item: ['ice lanterns', 'hot soup', 'sleds', 'a brass band', 'blue flags', 'a snow cannon'],
		step: [
			'build a gate of ice',
			'race the sleds in pairs',
			'choose the best snowman',
			'end with fire and song',
		],
		tip: ['Keep a dry sock in your pocket.', 'Small children go first.'],
	},
	{
		occasion: 'a tea party for ghosts',
		item: ['thin cups', 'cold tea', 'white cake', 'candles', 'an old piano', 'lace curtains'],
		step: [
			'open the attic at dusk',
			'pour tea for empty chairs',
			'speak softly of old times',
			'say good night at one',
		],
		tip: ['Do not switch on the light.', 'A knock means thank you.'],
	},
];

/** Feelings and weather for poems, letters and notes. */
export const themes: readonly {
	theme: string;
	image: readonly string[];
	wish: readonly string[];
}[] = [
	{
		theme: 'the sea',
		image: [
			'the waves come in and write their names in sand',
			'a gull hangs still above the silver bay',
			'the salt wind hums a tune that no one planned',
			'the evening tide takes footprints all away',
		],
		wish: ['and I would stay', 'and all is well', 'so let it stay'],
	},
	{
		theme: 'autumn',
		image: [
			'the leaves let go and learn to fly',
			'a thin blue smoke goes up from every field',
			'the geese write letters in the sky',
			'the orchard shows what summer sealed',
		],
		wish: ['and then it rains', 'and days grow small', 'so light the lamp'],
	},
	{
		theme: 'the night',
		image: [
			'the moon walks softly over every roof',
			'a single window keeps its golden eye',
			'the stars sit down like birds upon the roof',
			'the dark is just the colour of the sky',
		],
		wish: ['so close your eyes', 'and dream of light', 'and all is still'],
	},
	{
		theme: 'snow',
		image: [
			'the town has lost its edges in the white',
			'each flake comes down and takes its time',
			'the fence wears hats of soft cold light',
			'the bells ring with a muffled chime',
		],
		wish: ['so hold my hand', 'and hush the street', 'and wait for spring'],
	},
	{
		theme: 'a small house',
		image: [
			'the kettle sings, the door is never locked',
			'two chairs, one cat, and bread upon the board',
			'the clock has stopped, and nobody is shocked',
			'the roof holds back whatever rain is poured',
		],
		wish: ['so come on in', 'and stay for tea', 'and call it home'],
	},
	{
		theme: 'friendship',
		image: [
			'you came along and carried half the weight',
			'we shared one coat when it began to pour',
			'you laughed at jokes that came a little late',
			'your knock is one I know from any door',
		],
		wish: ['and that is all', 'so thank you, friend', 'and walk with me'],
	},
	{
		theme: 'spring',
		image: [
			'the first green finger pushes through the ground',
			'the river tells the ice to run along',
			'a blackbird tries a new and brighter sound',
			'the morning wears the colour of a song',
		],
		wish: ['and all begins', 'so leave your coat', 'and look again'],
	},
	{
		theme: 'the wind',
		image: [
			'it knocks at doors and never will come in',
			'it steals a hat and gives it to a tree',
			'it teaches all the washing lines to spin',
			'it has no house and still it feels so free',
		],
		wish: ['so let it blow', 'and off it goes', 'and so would I'],
	},
	{
		theme: 'a lost key',
		image: [
			'it lay all winter underneath the snow',
			'it knew one door and knew that door by heart',
			'the mouse went round it, whispering hello',
			'the rust came slowly, like a work of art',
		],
		wish: ['and then you came', 'so try the door', 'and in we go'],
	},
	{
		theme: 'morning',
		image: [
			'the sun puts gold on every window sill',
			'the milk cart rattles down the sleepy lane',
			'the coffee steams, the house is almost still',
			'the dew has hung its beads on every pane',
		],
		wish: ['so up we get', 'and here we are', 'and off we go'],
	},
];
