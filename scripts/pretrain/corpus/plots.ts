/** Story lines that hold together: a wish or trouble, what was tried, what helped, how it ended. Past tense; `{they}` and `{their}` are the hero's pronouns. */
export interface Plot {
	/** Follows "who" or "the hero". */
	trouble: string;
	/** For the prompt: "a story about a fox {about}". */
	about: string;
	tried: readonly string[];
	helped: readonly string[];
	ended: readonly string[];
}

export const plots: readonly Plot[] = [
	{
		trouble: 'could not sleep',
		about: 'who could not sleep',
		tried: [
			'{They} counted sheep, but the sheep kept talking.',
			'{They} tried a new pillow and an old song.',
			'{They} walked three times round the bed.',
		],
		helped: [
			'Then {helper} told a slow story about the sea.',
			'Then {helper} turned down the moon and hummed.',
			'So {helper} brought warm milk and sat close.',
		],
		ended: [
			'Soon {name} was fast asleep.',
			'Before the last word, {name} was dreaming.',
			'And {name} slept until the sun came up.',
		],
	},
	{
		trouble: 'had lost the way home',
		about: 'who lost the way home',
		tried: [
			'{They} asked the wind, but the wind was in a hurry.',
			'{They} followed a road that only went in circles.',
			'{They} drew a map, and it rained on the map.',
		],
		helped: [
			'Then {helper} pointed to one bright star.',
			'At last {helper} knew the smell of the right door.',
			'So {helper} walked ahead with a lantern.',
		],
		ended: [
			'At midnight {name} saw a light in the window.',
			'Home had never looked so warm.',
			'Now {name} always leaves a lamp on for others.',
		],
	},
	{
		trouble: 'wanted to fly',
		about: 'who wanted to fly',
		tried: [
			'{They} made wings of paper and fell in the pond.',
			'{They} jumped from a hill with a big umbrella.',
			'{They} tied ten balloons to a chair.',
		],
		helped: [
			'Then {helper} lent a pair of strong wings.',
			'So {helper} built a kite as large as a barn.',
			'Then {helper} showed how to wait for the right wind.',
		],
		ended: [
			'That evening {name} sailed over the roofs.',
			'Up there, {name} laughed out loud.',
			'And {name} came down only for supper.',
		],
	},
	{
		trouble: 'was afraid of the dark',
		about: 'who was afraid of the dark',
		tried: [
			'{They} slept with every candle lit.',
			'{They} asked the sun to stay, but it could not.',
			'{They} hid under three blankets.',
		],
		helped: [
			'Then {helper} showed that the dark is full of stars.',
			'So {helper} gave {them} a jar with one firefly.',
			'Then {helper} taught {them} the names of the night birds.',
		],
		ended: [
			'Now the dark is an old friend.',
			'Since then {name} goes for walks at night.',
			'And {name} even learned to like shadows.',
		],
	},
	{
		trouble: 'found a mysterious map',
		about: 'who found a map',
		tried: [
			'{They} turned it upside down, and then it made sense.',
			'The map led over two hills and under a bridge.',
			'{They} dug in the wrong place all morning.',
		],
		helped: [
			'Then {helper} read the tiny words in the corner.',
			'At last {helper} found the stone with the cross.',
			'So {helper} dug beside {them} until dusk.',
		],
		ended: [
			'The treasure was a letter that said: share your lunch.',
			'In the box was a song, and {name} still sings it.',
			'It led to a friend, which is better than gold.',
		],
	},
	{
		trouble: 'had no friends',
		about: 'who wanted a friend',
		tried: [
			'{They} waved to everyone, but {their} wave was very shy.',
			'{They} wrote a letter to nobody in particular.',
			'{They} baked a cake and had no one to share it with.',
		],
		helped: [
			'One day {helper} answered and came to tea.',
			'Then {helper} asked to play a game for two.',
			'So {helper} sat down on the same bench.',
		],
		ended: [
			'From that day on there were two cups on the table.',
			'Now they meet at noon and talk until supper.',
			'And {name} was never lonely again.',
		],
	},
	{
		trouble: 'broke the town clock',
		about: 'who broke the town clock',
		tried: [
			'All day it was five past nine.',
			'{They} hid behind the bell and felt sorry.',
			'{They} tried to turn the hands with a broom.',
		],
		helped: [
			'Then {helper} found the missing wheel in a bird nest.',
			'So {helper} held the lamp while {name} worked.',
			'Then {helper} said that a true word mends half.',
		],
		ended: [
			'At midnight it struck thirteen, and all was well.',
			'The town forgave {them} before breakfast.',
			'Now {name} winds it every Sunday.',
		],
	},
	{
		trouble: 'wanted to see the sea',
		about: 'who wanted to see the sea',
		tried: [
			'{They} packed two apples and a brave hat.',
			'{They} followed the river for seven days.',
			'The road was long, and {their} feet were short.',
		],
		helped: [
			'Then {helper} offered a ride on a hay cart.',
			'On the last hill {helper} said to close both eyes.',
			'So {helper} came along for company.',
		],
		ended: [
			'The sea was larger than every story about it.',
			'{name} took one shell home and listens to it still.',
			'They sat there until the tide came in.',
		],
	},
	{
		trouble: 'could not stop sneezing',
		about: 'who could not stop sneezing',
		tried: [
			'Each sneeze blew a hat off somebody.',
			'{They} held {their} nose and hopped on one leg.',
			'{They} drank pepper tea by mistake.',
		],
		helped: [
			'Then {helper} found a feather in {their} scarf.',
			'So {helper} told a joke, and the laugh was stronger.',
			'Then {helper} opened all the windows.',
		],
		ended: [
			'The last sneeze put out the sun for a second.',
			'After that it was very quiet and very nice.',
			'The town gave {them} a gold handkerchief.',
		],
	},
	{
		trouble: 'lost {their} voice',
		about: 'who lost a voice',
		tried: [
			'{They} looked under the bed and in the soup.',
			'{They} wrote every word on small cards.',
			'{They} listened at all the doors in the street.',
		],
		helped: [
			'Then {helper} heard it singing in the well.',
			'At last {helper} caught it in a jar.',
			'So {helper} sang until the voice joined in.',
		],
		ended: [
			'The first word {name} said was thanks.',
			'Now {name} speaks less and sings more.',
			'That night everyone heard a lullaby.',
		],
	},
	{
		trouble: 'planted a strange seed',
		about: 'who planted a strange seed',
		tried: [
			'For a week nothing came up but a sock.',
			'{They} watered it with cold tea.',
			'In the morning there was a leaf like an ear.',
		],
		helped: [
			'Then {helper} said that it only needed a story.',
			'So {helper} stayed up all night to guard it.',
			'Then {helper} moved it into the moonlight.',
		],
		ended: [
			'It grew into a tree full of little lamps.',
			'By spring it bore warm bread for the whole street.',
			'And its flowers knew everyone by name.',
		],
	},
	{
		trouble: 'had to win a race',
		about: 'who had to win a race',
		tried: [
			'{They} trained by running after the bus.',
			'Half way there {their} shoes fell apart.',
			'{They} stopped to help a beetle across the road.',
		],
		helped: [
			'Then {helper} cheered from the top of the hill.',
			'So {helper} shared one shoe and a sandwich.',
			'Then {helper} showed a path through the corn.',
		],
		ended: [
			'{name} came last and got the loudest applause.',
			'They crossed the line together.',
			'The prize was a pie, and it was enough for all.',
		],
	},
	{
		trouble: 'met a talking cloud',
		about: 'who met a talking cloud',
		tried: [
			'The cloud was sad and rained on one house only.',
			'{They} asked it to speak up.',
			'It had lost its way over the mountains.',
		],
		helped: [
			'Then {helper} pointed it to the warm south.',
			'So {helper} tied a bell to it.',
			'Then {helper} told it a very dry joke.',
		],
		ended: [
			'The cloud laughed, and the sun came out.',
			'Every spring it visits and waters the beans.',
			'Since then {name} waves at the sky.',
		],
	},
	{
		trouble: 'was too small to reach the moon',
		about: 'who wanted the moon',
		tried: [
			'{They} stood on nine chairs and a cake.',
			'{They} threw a rope and caught a gull.',
			'{They} waited until the moon came down to the pond.',
		],
		helped: [
			'Then {helper} said that the moon likes to be asked.',
			'So {helper} built one more step.',
			'Then {helper} held up a mirror.',
		],
		ended: [
			'That night the moon sat in {their} lap.',
			'{name} gave it back before morning.',
			'They only wanted to say good night to it.',
		],
	},
	{
		trouble: 'forgot {their} own birthday',
		about: 'who forgot a birthday',
		tried: [
			'{They} wondered why everyone whispered.',
			'{They} went to bed early with a book.',
			'{They} baked a plain loaf as on any day.',
		],
		helped: [
			'At six {helper} knocked with a drum.',
			'Then {helper} pulled the curtain aside.',
			'So {helper} lit every candle in the house.',
		],
		ended: [
			'The cake was taller than the guests.',
			'{name} cried a little and ate a lot.',
			'Next year {they} will forget it again, for the fun.',
		],
	},
	{
		trouble: 'heard a knock at midnight',
		about: 'who heard a knock at midnight',
		tried: [
			'{They} took a spoon and opened the door a crack.',
			'Nobody was there but a box with holes.',
			'{They} asked three times who it was.',
		],
		helped: [
			'It was {helper}, wet and very polite.',
			'Then {helper} explained that the key was lost.',
			'So {helper} came in and dried by the stove.',
		],
		ended: [
			'They drank cocoa until the rain stopped.',
			'In the morning there was a thank you note.',
			'Some knocks are only friends who are late.',
		],
	},
];

export const helpers = [
	'a wise owl',
	'an old turtle',
	'a kind moth',
	'the moon',
	'a tiny mouse',
	'a lost cloud',
	'a friendly ghost',
	'her grandmother',
	'the baker',
	'a lazy cat',
	'a blue bird',
	'a quiet robot',
	'the night wind',
	'a little girl',
	'a patient snail',
	'a firefly',
	'an old sailor',
	'the smallest star',
	'a polite bear',
	'a travelling fox',
] as const;
