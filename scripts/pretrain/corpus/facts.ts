/** Everyday things that can be explained in plain words: each sentence is true and stands on its own. */
export interface Fact {
	/** "how {how} / why {why}" as asked in prompts. */
	ask: readonly string[];
	/** One sentence that answers alone. */
	brief: readonly string[];
	opening: readonly string[];
	more: readonly string[];
	close: readonly string[];
}

export const facts: readonly Fact[] = [
	{
		ask: ['why it rains', 'how rain is made', 'where rain comes from'],
		brief: [
			'Rain falls when the drops in a cloud grow too heavy to float.',
			'Water rises, cools into clouds, and comes back as rain.',
		],
		opening: [
			'The sun warms the sea, and some of the water rises as vapour.',
			'It begins with water that rises from seas and lakes.',
		],
		more: [
			'High up the air is cold, so the vapour turns into tiny drops.',
			'Many tiny drops together make a cloud.',
			'Small drops join and become heavy.',
		],
		close: ['Then they fall, and we call it rain.', 'In the end the water runs back to the sea.'],
	},
	{
		ask: ['why the sky is blue', 'what makes the sky blue'],
		brief: [
			'The air scatters blue light more than red light.',
			'Blue light bounces around in the air and reaches us from all sides.',
		],
		opening: [
			'Sunlight looks white, but it holds all the colours.',
			'Light from the sun must pass through the air.',
		],
		more: [
			'The air scatters short blue waves the most.',
			'Red light goes straight on and is scattered less.',
			'So blue comes to our eyes from every side.',
		],
		close: [
			'That is why the day sky looks blue.',
			'At sunset the path is long, and mostly red is left.',
		],
	},
	{
		ask: ['how a rainbow works', 'why we see rainbows', 'how rainbows are made'],
		brief: [
			'A rainbow is sunlight split into colours by drops of rain.',
			'Each drop bends the light and sends every colour its own way.',
		],
		opening: [
			'You need sun behind you and rain in front of you.',
			'Sunlight enters a round drop of rain and bends.',
		],
		more: [
			'Inside the drop it bounces from the back wall.',
			'Each colour bends a little more or less than the next.',
			'Millions of drops send red from above and blue from below.',
		],
		close: ['Together they draw a great curved band.', 'When the rain ends, the colours fade.'],
	},
	{
		ask: ['why we sleep', 'what sleep is for'],
		brief: [
			'Sleep lets the body rest and the brain sort the day.',
			'We sleep so that we can mend, grow, and remember.',
		],
		opening: [
			'All day long the body works and the brain collects things.',
			'Sleep may look lazy, but much goes on.',
		],
		more: [
			'At night the muscles rest and small hurts are mended.',
			'The brain keeps what matters and lets the rest go.',
			'Children grow most while they sleep.',
		],
		close: ['In the morning we are ready again.', 'Without it we would be slow and cross.'],
	},
	{
		ask: ['how bread rises', 'why bread is soft', 'how yeast works'],
		brief: [
			'Yeast eats sugar in the dough and fills it with bubbles.',
			'Tiny bubbles of gas lift the dough and make it soft.',
		],
		opening: [
			'Bread dough holds flour, water, salt, and yeast.',
			'Yeast is alive, and it is hungry.',
		],
		more: [
			'It eats the sugar in the flour and gives off gas.',
			'The gas is caught in the stretchy dough.',
			'In the oven the bubbles swell and set.',
		],
		close: [
			'What stays behind is a soft loaf full of holes.',
			'That is also why warm dough grows faster.',
		],
	},
	{
		ask: ['how the tides work', 'why the sea rises and falls', 'what makes the tides'],
		brief: [
			'The moon pulls on the sea, and the water follows.',
			'Tides come from the pull of the moon and the turning of the Earth.',
		],
		opening: [
			'The moon is far away, but it pulls on the sea.',
			'Twice a day the sea comes up the beach.',
		],
		more: [
			'The water on the near side is drawn up in a bulge.',
			'Another bulge forms on the far side.',
			'As the Earth turns, each beach passes through both.',
		],
		close: [
			'So the water rises and falls about twice a day.',
			'When sun and moon pull together, the tide is highest.',
		],
	},
	{
		ask: ['how birds fly', 'why birds can fly'],
		brief: [
			'Birds fly because their wings push air down and lift them up.',
			'Light bones and strong wings let a bird push itself into the air.',
		],
		opening: [
			'A bird is light, since many of its bones are hollow.',
			'The shape of a wing is the secret.',
		],
		more: [
			'Strong muscles in the chest pull the wings down.',
			'The wings push the air down, and the air pushes back.',
			'The tail is used to steer and to brake.',
		],
		close: ['Once it is up, a bird can glide and rest.', 'Even a small wing can carry a long way.'],
	},
	{
		ask: ['why leaves turn red', 'why leaves fall in autumn', 'what happens to leaves in autumn'],
		brief: [
			'In autumn trees take back the green, and other colours show.',
			'Leaves turn when the tree stops making green.',
		],
		opening: [
			'In summer a leaf is green, since it makes food from light.',
			'When days grow short, trees get ready for winter.',
		],
		more: [
			'The tree takes the green back into its wood.',
			'Yellow and red were hidden there, or are made at the end.',
			'Then a thin wall grows where the leaf is held.',
		],
		close: ['A little wind is enough, and the leaf falls.', 'In spring it all begins again.'],
	},
	{
		ask: ['how a seed grows', 'how plants grow'],
		brief: [
			'A seed drinks water, sends down a root, and reaches for light.',
			'Plants grow from water, light, and air.',
		],
		opening: [
			'A seed is a small plant asleep with its lunch.',
			'First the seed drinks until its coat splits.',
		],
		more: [
			'A root goes down to find water.',
			'A shoot goes up to find light.',
			'The leaves make sugar from light and air.',
		],
		close: ['With time and rain it becomes a plant.', 'Later it makes seeds of its own.'],
	},
	{
		ask: ['how an echo works', 'why we hear echoes'],
		brief: [
			'An echo is a sound that comes back from a wall or a hill.',
			'Sound bounces from hard walls and returns a bit later.',
		],
		opening: [
			'Sound travels through the air in waves.',
			'If you shout at a cliff, the sound goes out and hits the rock.',
		],
		more: [
			'A hard wall throws the waves back.',
			'The way there and back takes time.',
			'The farther the wall, the later the answer.',
		],
		close: ['So you hear your own words once more.', 'In a soft room there is no echo at all.'],
	},
	{
		ask: ['why ice floats', 'why ice swims on water'],
		brief: [
			'Ice floats since it is lighter than the same amount of water.',
			'Water grows when it freezes, so ice is light.',
		],
		opening: [
			'Most things shrink when they get cold.',
			'Water is odd, for it grows when it freezes.',
		],
		more: [
			'In ice the tiny parts of water stand in a wide order.',
			'There is more room between them than before.',
			'So a piece of ice weighs less than water of its size.',
		],
		close: ['That is why ponds freeze from the top.', 'The fish below are glad of it.'],
	},
	{
		ask: ['how a lighthouse helps ships', 'what a lighthouse does'],
		brief: [
			'A lighthouse warns ships of rocks and shows the way.',
			'Its strong light tells sailors where the coast is.',
		],
		opening: [
			'At night a captain cannot see the rocks.',
			'A lighthouse stands on the coast where danger is.',
		],
		more: [
			'A strong lamp turns behind thick glass.',
			'Each one blinks in its own rhythm.',
			'Sailors count the flashes and look at the map.',
		],
		close: ['So they know where they are and keep away.', 'In fog a deep horn does the same work.'],
	},
	{
		ask: ['why we have seasons', 'how the seasons work', 'why winter is cold'],
		brief: [
			'The Earth is tilted, so each half leans to the sun for part of the year.',
			'Seasons come from the tilt of the Earth.',
		],
		opening: [
			'The Earth goes round the sun once a year.',
			'The Earth does not stand straight, it leans.',
		],
		more: [
			'When our half leans to the sun, the days are long and warm.',
			'Half a year later it leans away, and the light is weak.',
			'In between lie spring and autumn.',
		],
		close: ['So summer here is winter on the other side.', 'That is why the year has four faces.'],
	},
	{
		ask: ['how bees make honey', 'where honey comes from'],
		brief: [
			'Bees collect sweet juice from flowers and dry it into honey.',
			'Honey is flower juice that bees have thickened.',
		],
		opening: [
			'A bee flies from flower to flower and drinks.',
			'It starts with the sweet juice in flowers.',
		],
		more: [
			'At home she passes it to other bees.',
			'They put it into cells made of wax.',
			'With their wings they fan it until it is thick.',
		],
		close: [
			'Then they close the cell and keep it for winter.',
			'One spoon is the work of many bees.',
		],
	},
	{
		ask: ['how a compass works', 'why a compass points north'],
		brief: [
			'A compass needle is a small magnet that follows the big one in the Earth.',
			'The Earth is a magnet, and the needle turns to it.',
		],
		opening: [
			'Inside a compass a thin needle can turn freely.',
			'The Earth acts like a very large magnet.',
		],
		more: [
			'The needle is a magnet too.',
			'One end is drawn to the north.',
			'You turn the map until both agree.',
		],
		close: [
			'So you can find your way without sun or stars.',
			'Keep it away from iron, or it will fib.',
		],
	},
	{
		ask: ['why the moon changes shape', 'what the phases of the moon are'],
		brief: [
			'The moon is always round, but we see only its sunlit part.',
			'Its shape changes since the sun lights it from different sides.',
		],
		opening: ['The moon has no light of its own.', 'The sun always lights one half of the moon.'],
		more: [
			'The moon goes round us in about a month.',
			'Sometimes we see the whole bright half.',
			'At other times only a thin edge is turned to us.',
		],
		close: ['After a month the game starts again.', 'So it only seems to grow and shrink.'],
	},
	{
		ask: ['how glass is made', 'where glass comes from'],
		brief: ['Glass is sand that was melted and cooled.', 'Very hot sand melts and becomes glass.'],
		opening: ['It begins with clean sand.', 'Sand, soda, and lime go into a hot oven.'],
		more: [
			'There it melts into a glowing syrup.',
			'People blow it, pour it, or press it into shape.',
			'It must cool slowly, or it will crack.',
		],
		close: ['What is left is hard, clear, and smooth.', 'Old glass can be melted again and again.'],
	},
	{
		ask: ['why stars twinkle', 'what makes stars twinkle'],
		brief: [
			'Stars twinkle since moving air bends their light.',
			'The air above us shakes the light of the stars.',
		],
		opening: [
			'A star looks like a tiny point of light.',
			'Starlight travels for years and then meets our air.',
		],
		more: [
			'Warm and cold air move about and bend it.',
			'So the light reaches us now brighter, now weaker.',
			'Planets look larger and twinkle less.',
		],
		close: ['From space all stars shine steadily.', 'On a calm cold night they twinkle less.'],
	},
	{
		ask: ['how a kite stays up', 'how a kite flies'],
		brief: [
			'A kite stays up since wind pushes against its slanted face.',
			'Wind lifts the kite while the string holds it.',
		],
		opening: ['A kite leans into the wind.', 'Two things hold a kite: the wind and the string.'],
		more: [
			'The wind hits it from below and pushes it up.',
			'The string keeps it at the right angle.',
			'The tail keeps the nose up.',
		],
		close: ['If the wind stops, run or say goodbye.', 'A longer string finds stronger wind.'],
	},
	{
		ask: ['why volcanoes erupt', 'how a volcano works'],
		brief: [
			'A volcano erupts when hot melted rock pushes up through the ground.',
			'Deep below, hot rock and gas look for a way out.',
		],
		opening: [
			'Deep in the Earth some rock is so hot that it melts.',
			'Under a volcano lies a room of melted rock.',
		],
		more: [
			'Gas in it swells like bubbles in a bottle.',
			'The pressure grows until the top gives way.',
			'Then ash, steam, and lava come out.',
		],
		close: [
			'When the lava cools, the mountain has grown.',
			'After that it may sleep for centuries.',
		],
	},
	{
		ask: ['how a magnet works', 'why magnets stick'],
		brief: [
			'A magnet pulls iron since its tiny parts all point one way.',
			'Magnets have two ends, and unlike ends pull each other.',
		],
		opening: [
			'Every magnet has a north end and a south end.',
			'In iron there are many tiny magnets.',
		],
		more: [
			'Mostly they point in all directions.',
			'In a magnet they stand in line and pull together.',
			'Equal ends push each other away.',
		],
		close: [
			'So it can hold a note on the door of a fridge.',
			'If it gets too hot, it forgets how.',
		],
	},
	{
		ask: ['how soap cleans', 'why soap works'],
		brief: [
			'Soap grabs grease with one end and water with the other.',
			'Soap helps water carry the grease away.',
		],
		opening: ['Water alone runs off grease.', 'Soap is made of long thin parts with two ends.'],
		more: [
			'One end likes water, and the other likes fat.',
			'They gather round each bit of dirt.',
			'Then the water can carry it off.',
		],
		close: ['What is left is a clean hand and some foam.', 'Warm water makes it faster.'],
	},
];
