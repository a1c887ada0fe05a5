/** Where a place can be: what it is built of, how its people get about, what is seen and heard there. */
export interface Setting {
	where: string;
	/** What things are made of. */
	ground: readonly string[];
	/** How people (plural) move. */
	travel: readonly string[];
	sight: readonly string[];
	sound: readonly string[];
}

export const settings: readonly Setting[] = [
	{
		where: 'in the clouds',
		ground: ['white mist', 'pale glass', 'soft cloud', 'silver rope', 'light wood'],
		travel: [
			'float on small balloons',
			'glide on wide kites',
			'sail in paper boats',
			'ride on tame geese',
		],
		sight: [
			'slow rivers of fog',
			'the green land far below',
			'rainbows at eye level',
			'the first light of the sun',
		],
		sound: ['the hum of warm wind', 'soft thunder', 'the flap of wings', 'the song of larks'],
	},
	{
		where: 'on Mars',
		ground: ['red stone', 'packed dust', 'clear domes', 'old rocket parts', 'thin steel'],
		travel: [
			'hop in long slow jumps',
			'drive round little rovers',
			'slide down red dunes',
			'bounce in padded suits',
		],
		sight: [
			'two small moons',
			'a blue sunset',
			'dust storms on the plain',
			'the pale dot of Earth',
		],
		sound: [
			'the hiss of air locks',
			'the buzz of rovers',
			'wind over the dunes',
			'the beep of radios',
		],
	},
	{
		where: 'on the Moon',
		ground: ['grey dust', 'moon rock', 'silver foil', 'thick glass', 'light steel'],
		travel: [
			'leap over craters',
			'float in slow arcs',
			'pull silver sleds',
			'ride in round buggies',
		],
		sight: ['the blue Earth', 'deep dark craters', 'stars at noon', 'long black shadows'],
		sound: [
			'the crackle of radios',
			'soft steps in dust',
			'the hum of air pumps',
			'a very deep silence',
		],
	},
	{
		where: 'under the sea',
		ground: ['pink coral', 'smooth shells', 'green glass', 'white sand', 'sunken ships'],
		travel: [
			'ride on patient turtles',
			'swim through round doors',
			'drift along warm currents',
			'steer small glass boats',
		],
		sight: [
			'clouds of bright fish',
			'whales passing overhead',
			'forests of kelp',
			'light falling in blue bars',
		],
		sound: ['the song of whales', 'the click of crabs', 'a slow wash of waves', 'bubbles rising'],
	},
	{
		where: 'inside a mountain',
		ground: ['dark granite', 'bright crystal', 'warm copper', 'old oak beams', 'veins of gold'],
		travel: [
			'ride in rattling carts',
			'climb long stone stairs',
			'walk behind tame goats',
			'slide down smooth shafts',
		],
		sight: [
			'lakes that never see the sun',
			'walls that glitter',
			'glowing mushrooms',
			'a thin strip of sky',
		],
		sound: ['the drip of water', 'far hammers', 'echoes of old songs', 'the rumble of carts'],
	},
	{
		where: 'in the desert',
		ground: ['baked clay', 'yellow sandstone', 'woven palm', 'striped cloth', 'sun bleached wood'],
		travel: [
			'travel by night on camels',
			'sail on wheels across the sand',
			'walk from shade to shade',
			'follow the stars',
		],
		sight: [
			'dunes like frozen waves',
			'a pool with three palms',
			'more stars than sand',
			'heat dancing on the road',
		],
		sound: ['singing sand', 'the bells of camels', 'dry wind', 'a flute at dusk'],
	},
	{
		where: 'in a giant tree',
		ground: ['living wood', 'woven vines', 'broad leaves', 'smooth bark', 'amber'],
		travel: [
			'swing on strong vines',
			'climb rope ladders',
			'ride in baskets on pulleys',
			'run along the branches',
		],
		sight: [
			'nests as big as boats',
			'a green roof of leaves',
			'squirrels with lanterns',
			'the forest like a sea',
		],
		sound: [
			'leaves in the wind',
			'a choir of birds',
			'the creak of branches',
			'the knock of a woodpecker',
		],
	},
	{
		where: 'at the North Pole',
		ground: ['blue ice', 'packed snow', 'whale bone', 'thick felt', 'frozen fog'],
		travel: [
			'race on dog sleds',
			'skate along frozen streets',
			'ski over the roofs',
			'ride in a warm balloon',
		],
		sight: [
			'green lights in the sky',
			'icebergs like castles',
			'foxes in the snow',
			'a sun that never sets',
		],
		sound: ['the crack of ice', 'snow under boots', 'the howl of sled dogs', 'wind at the door'],
	},
	{
		where: 'on the back of a whale',
		ground: ['driftwood', 'dried kelp', 'old sails', 'barnacle stone', 'ship planks'],
		travel: [
			'row round in small boats',
			'run when the whale dives',
			'slide along wet ropes',
			'swim beside the great tail',
		],
		sight: [
			'a fountain at every hour',
			'islands going by',
			'dolphins at play',
			'the sea on all sides',
		],
		sound: ['one enormous heartbeat', 'gulls', 'a deep slow song', 'the splash of the tail'],
	},
	{
		where: 'inside a clock',
		ground: ['polished brass', 'steel springs', 'ruby pins', 'thin gold', 'painted tin'],
		travel: [
			'ride round on slow wheels',
			'step from tooth to tooth',
			'swing on the pendulum',
			'climb the long hand',
		],
		sight: [
			'wheels as high as houses',
			'a white moon of a dial',
			'the world through a keyhole',
			'dust like gold',
		],
		sound: ['a steady tick', 'chimes on the hour', 'the whirr of springs', 'the click of wheels'],
	},
	{
		where: 'on a train that never stops',
		ground: ['red leather', 'dark wood', 'brass rails', 'green velvet', 'painted iron'],
		travel: [
			'walk from car to car',
			'climb over the roofs',
			'ring a bell to change cars',
			'ride a tiny lift',
		],
		sight: [
			'whole countries in the window',
			'bridges over deep valleys',
			'cows that look up',
			'sunset on the rails',
		],
		sound: ['the beat of the wheels', 'a long whistle', 'steam', 'the rattle of cups'],
	},
	{
		where: 'at the end of a rainbow',
		ground: ['coloured glass', 'wet slate', 'gold coins', 'bright paint', 'clean rain'],
		travel: [
			'slide down the colours',
			'walk under big umbrellas',
			'jump from puddle to puddle',
			'ride striped ponies',
		],
		sight: [
			'seven bright roads',
			'drops that hang in the air',
			'gardens in every colour',
			'the sun behind rain',
		],
		sound: ['light rain on roofs', 'a soft ringing', 'laughter', 'frogs after a shower'],
	},
	{
		where: 'in an old volcano',
		ground: ['black rock', 'warm ash', 'red brick', 'dark glass', 'fire clay'],
		travel: [
			'ride in iron baskets',
			'hop over warm stones',
			'float up on hot air',
			'follow the painted arrows',
		],
		sight: ['a red glow far down', 'steam like white flags', 'hot pools', 'sparks in the evening'],
		sound: ['a deep rumble', 'the hiss of steam', 'pots that bubble', 'sleepy thunder'],
	},
	{
		where: 'on a floating island',
		ground: ['mossy stone', 'long roots', 'rope bridges', 'white chalk', 'light bamboo'],
		travel: [
			'cross rope bridges',
			'ride in balloon boats',
			'jump with parachutes',
			'lower baskets on ropes',
		],
		sight: [
			'waterfalls that end in air',
			'birds from above',
			'other islands drifting by',
			'the shadow on the sea',
		],
		sound: ['falling water', 'wind in the roots', 'gulls below', 'the creak of ropes'],
	},
	{
		where: 'at the bottom of a garden',
		ground: ['acorn caps', 'rose petals', 'birch bark', 'round pebbles', 'spider silk'],
		travel: ['ride on snails', 'fly on bees', 'row in walnut shells', 'run along the garden hose'],
		sight: [
			'grass as high as towers',
			'dew like glass balls',
			'a kind old toad',
			'roses like red roofs',
		],
		sound: ['bees at work', 'a cricket band', 'rain on leaves', 'the yawn of a cat'],
	},
	{
		where: 'in a giant teapot',
		ground: ['blue china', 'sugar cubes', 'tea leaves', 'silver spoons', 'white porcelain'],
		travel: [
			'paddle on lemon slices',
			'slide down the spout',
			'climb the curved handle',
			'sail in saucers',
		],
		sight: [
			'warm golden waves',
			'the round lid of the sky',
			'steam like morning fog',
			'a mountain of sugar',
		],
		sound: ['a soft whistle', 'the clink of spoons', 'gentle bubbling', 'the drip of the spout'],
	},
	{
		where: 'at the edge of the world',
		ground: ['grey stone', 'strong chain', 'weathered wood', 'thick rope', 'star dust'],
		travel: [
			'walk with ropes round the waist',
			'ride slow careful mules',
			'sail close to the drop',
			'lean into the wind',
		],
		sight: [
			'the sea falling into stars',
			'the moon from below',
			'comets like swallows',
			'a railing and then nothing',
		],
		sound: [
			'the roar of the great fall',
			'wind from nowhere',
			'a lonely bell',
			'whispers of stars',
		],
	},
	{
		where: 'inside a snow globe',
		ground: ['painted wood', 'clear glass', 'white glitter', 'tiny bricks', 'frosted tin'],
		travel: [
			'hold on when it shakes',
			'skate on a coin of ice',
			'walk in small circles',
			'ride a toy sleigh',
		],
		sight: ['a giant eye at the glass', 'snow that falls up', 'one perfect pine', 'a curved sky'],
		sound: ['a music box', 'glitter settling', 'tiny bells', 'a muffled voice outside'],
	},
	{
		where: 'in deep space',
		ground: ['white steel', 'solar sails', 'ice from comets', 'black glass', 'woven light'],
		travel: [
			'float along soft handrails',
			'kick off from the walls',
			'steer small rockets',
			'drift on long lines',
		],
		sight: [
			'rings of bright dust',
			'a slow blue planet',
			'stars without end',
			'a comet with two tails',
		],
		sound: ['the hum of engines', 'a radio from home', 'the tick of cooling steel', 'quiet breath'],
	},
	{
		where: 'on a river of honey',
		ground: ['golden wax', 'oat cakes', 'clover stems', 'amber tiles', 'warm bread'],
		travel: [
			'drift on biscuit rafts',
			'wade very slowly',
			'row with wooden spoons',
			'ride on kind bears',
		],
		sight: ['bees like small suns', 'banks of clover', 'a bridge of waffles', 'slow golden waves'],
		sound: ['buzzing', 'sticky steps', 'a bear that hums', 'the plop of drops'],
	},
	{
		where: 'in a quiet forest',
		ground: ['old oak', 'soft moss', 'river stone', 'pine planks', 'woven fern'],
		travel: [
			'follow paths of white stones',
			'ride on gentle deer',
			'cross streams on logs',
			'walk barefoot on moss',
		],
		sight: [
			'deer between the trees',
			'beams of green light',
			'mushrooms in rings',
			'an owl on every post',
		],
		sound: ['a small stream', 'wind in the pines', 'the call of a cuckoo', 'rain on leaves'],
	},
	{
		where: 'on top of a sleeping giant',
		ground: ['wool blankets', 'grassy turf', 'loose buttons', 'thick thread', 'oak pegs'],
		travel: [
			'walk on tiptoe',
			'ride the rise and fall of the chest',
			'climb the long beard',
			'slide off the nose',
		],
		sight: [
			'knees like hills',
			'birds in the beard',
			'a valley of folded hands',
			'the slow tide of breath',
		],
		sound: ['a mighty snore', 'whispers', 'one sleepy word', 'the thump of a heart'],
	},
	{
		where: 'in a city of robots',
		ground: ['shiny tin', 'copper wire', 'rubber tiles', 'blue lamps', 'clean chrome'],
		travel: [
			'roll on three wheels',
			'ride moving floors',
			'fly with small rotors',
			'wait for the blue light',
		],
		sight: [
			'signs that blink hello',
			'robots feeding pigeons',
			'a park of solar trees',
			'sparks at the welding yard',
		],
		sound: ['friendly beeps', 'the whirr of motors', 'a metal choir', 'the click of gears'],
	},
	{
		where: 'by a frozen lake',
		ground: ['pine logs', 'smooth ice', 'red brick', 'packed snow', 'reed mats'],
		travel: ['skate to work', 'pull wooden sleds', 'walk on snow shoes', 'sail in ice boats'],
		sight: [
			'fish under clear ice',
			'smoke from tall chimneys',
			'a ring of dark pines',
			'frost on every window',
		],
		sound: ['the scrape of skates', 'the boom of ice', 'a crackling fire', 'geese going south'],
	},
	{
		where: 'in an old lighthouse',
		ground: ['white brick', 'thick glass', 'iron steps', 'tarred rope', 'salted wood'],
		travel: [
			'climb the winding stair',
			'slide down the rail',
			'come by rowing boat',
			'ride in the supply basket',
		],
		sight: ['ships at night', 'waves on the rocks', 'a beam of gold', 'storms from far away'],
		sound: ['the fog horn', 'waves', 'gulls at the window', 'the turning lamp'],
	},
	{
		where: 'in a painting',
		ground: ['thick oil paint', 'rough canvas', 'gold leaf', 'blue ink', 'loose brush strokes'],
		travel: [
			'step over the frame',
			'walk behind the hills',
			'ride a sketched horse',
			'follow a line of ink',
		],
		sight: [
			'visitors looking in',
			'a sky of three blues',
			'trees that are only dots',
			'a sun that never moves',
		],
		sound: ['the guard asleep', 'a soft brush', 'steps on a wooden floor', 'painted birds'],
	},
];
