/** Kinds of place: what they are made up of (plural), who is there (plural) and what they do there. */
export interface Place {
	place: string;
	part: readonly string[];
	folk: readonly string[];
	deed: readonly string[];
}

export const places: readonly Place[] = [
	{
		place: 'city',
		part: ['towers', 'bridges', 'markets', 'gardens', 'street lamps'],
		folk: ['bakers', 'children', 'musicians', 'clock makers'],
		deed: [
			'trade stories for bread',
			'hang lanterns at dusk',
			'wave to every stranger',
			'dance on the roofs',
		],
	},
	{
		place: 'playground',
		part: ['swings', 'slides', 'tunnels', 'climbing nets', 'seesaws'],
		folk: ['children', 'parents', 'young explorers', 'small teams'],
		deed: [
			'race to the top',
			'take turns and cheer',
			'build forts together',
			'play tag until dinner',
		],
	},
	{
		place: 'library',
		part: ['shelves', 'reading nooks', 'ladders', 'map rooms', 'desks'],
		folk: ['readers', 'librarians', 'students', 'night owls'],
		deed: [
			'whisper the best lines',
			'lend books for a smile',
			'read aloud to the shy ones',
			'repair old pages',
		],
	},
	{
		place: 'school',
		part: ['classrooms', 'blackboards', 'corridors', 'benches', 'bells'],
		folk: ['pupils', 'teachers', 'young inventors', 'new friends'],
		deed: [
			'learn to count the stars',
			'ask strange questions',
			'paint the walls on Fridays',
			'share their lunch',
		],
	},
	{
		place: 'market',
		part: ['stalls', 'awnings', 'baskets', 'scales', 'fruit carts'],
		folk: ['traders', 'cooks', 'travellers', 'grandmothers'],
		deed: [
			'sell jars of weather',
			'bargain with jokes',
			'taste everything twice',
			'swap spices and songs',
		],
	},
	{
		place: 'hotel',
		part: ['rooms', 'balconies', 'lifts', 'soft beds', 'breakfast tables'],
		folk: ['guests', 'porters', 'maids', 'sleepy travellers'],
		deed: [
			'leave notes under the pillows',
			'carry trunks full of secrets',
			'sleep until noon',
			'collect keys from far lands',
		],
	},
	{
		place: 'garden',
		part: ['paths', 'flower beds', 'fountains', 'hedges', 'greenhouses'],
		folk: ['gardeners', 'bees', 'painters', 'old friends'],
		deed: [
			'water the flowers at dawn',
			'talk to the roses',
			'plant a seed for every birthday',
			'nap in the shade',
		],
	},
	{
		place: 'castle',
		part: ['towers', 'gates', 'halls', 'banners', 'secret stairs'],
		folk: ['knights', 'cooks', 'pages', 'polite ghosts'],
		deed: [
			'polish the old armour',
			'feast at long tables',
			'guard a golden key',
			'tell tales by the fire',
		],
	},
	{
		place: 'village',
		part: ['cottages', 'wells', 'chimneys', 'wooden gates', 'orchards'],
		folk: ['farmers', 'neighbours', 'weavers', 'children'],
		deed: [
			'share one big oven',
			'sing at harvest',
			'leave their doors open',
			'mend nets and roofs',
		],
	},
	{
		place: 'museum',
		part: ['halls', 'glass cases', 'statues', 'lamps', 'galleries'],
		folk: ['guards', 'visitors', 'scholars', 'artists'],
		deed: [
			'dust the oldest things',
			'draw what they see',
			'listen to talking masks',
			'guess the age of shells',
		],
	},
	{
		place: 'bakery',
		part: ['ovens', 'shelves', 'windows', 'cake stands', 'flour bins'],
		folk: ['bakers', 'hungry guests', 'early birds', 'apprentices'],
		deed: [
			'knead dough before dawn',
			'queue for warm rolls',
			'decorate cakes with care',
			'test the pies',
		],
	},
	{
		place: 'zoo',
		part: ['pens', 'ponds', 'bird houses', 'signs', 'shady trees'],
		folk: ['keepers', 'families', 'vets', 'sleepy animals'],
		deed: [
			'feed the small dragons',
			'learn each name by heart',
			'brush the giant cats',
			'watch from behind leaves',
		],
	},
	{
		place: 'theatre',
		part: ['curtains', 'seats', 'lamps', 'stages', 'balconies'],
		folk: ['actors', 'dancers', 'singers', 'dreamers'],
		deed: [
			'act out the news',
			'rehearse until midnight',
			'clap with both feet',
			'sew costumes of feathers',
		],
	},
	{
		place: 'harbour',
		part: ['docks', 'cranes', 'masts', 'nets', 'boat sheds'],
		folk: ['sailors', 'fishers', 'captains', 'rope makers'],
		deed: [
			'load crates of oranges',
			'sing while they row',
			'trade maps and knots',
			'watch for strange sails',
		],
	},
	{
		place: 'cafe',
		part: ['tables', 'cups', 'cushions', 'windows', 'cake trays'],
		folk: ['poets', 'waiters', 'regulars', 'chess players'],
		deed: [
			'sip cocoa with cinnamon',
			'write on paper napkins',
			'argue about the weather',
			'stay until closing time',
		],
	},
	{
		place: 'hospital for toys',
		part: ['tiny beds', 'button drawers', 'sewing tables', 'soft lamps', 'shelves'],
		folk: ['doctors', 'nurses', 'teddy bears', 'worried owners'],
		deed: ['sew on lost ears', 'wind up tired robots', 'bring get well cards', 'hug every patient'],
	},
	{
		place: 'train station',
		part: ['platforms', 'clocks', 'benches', 'ticket windows', 'arches'],
		folk: ['travellers', 'conductors', 'porters', 'street singers'],
		deed: [
			'wave with white scarves',
			'wait with warm pies',
			'guess where the trains go',
			'sell tickets to yesterday',
		],
	},
	{
		place: 'farm',
		part: ['barns', 'fields', 'fences', 'water wheels', 'hen houses'],
		folk: ['farmers', 'hens', 'harvest hands', 'kind dogs'],
		deed: [
			'grow pumpkins like houses',
			'rise before the sun',
			'sing to the cows',
			'mend the old fences',
		],
	},
	{
		place: 'music hall',
		part: ['pipes', 'drums', 'seats', 'balconies', 'bells'],
		folk: ['players', 'singers', 'listeners', 'tuners'],
		deed: ['tune the wind', 'play one note for an hour', 'hum along', 'write songs about rain'],
	},
	{
		place: 'park',
		part: ['benches', 'ponds', 'lawns', 'kiosks', 'old trees'],
		folk: ['walkers', 'dog owners', 'kite flyers', 'old couples'],
		deed: [
			'feed polite ducks',
			'fly kites at noon',
			'play chess in the shade',
			'run after lost hats',
		],
	},
	{
		place: 'workshop',
		part: ['benches', 'drawers', 'tools', 'lamps', 'half built machines'],
		folk: ['inventors', 'apprentices', 'menders', 'tinkers'],
		deed: [
			'build clocks that laugh',
			'file and hammer all day',
			'fix what others throw away',
			'test new wings',
		],
	},
	{
		place: 'swimming pool',
		part: ['diving boards', 'lanes', 'warm tubs', 'towels', 'water slides'],
		folk: ['swimmers', 'lifeguards', 'divers', 'floating readers'],
		deed: [
			'float on their backs',
			'practise silly dives',
			'race with rubber ducks',
			'splash the teacher',
		],
	},
	{
		place: 'post office',
		part: ['counters', 'letter boxes', 'stamps', 'sacks', 'sorting shelves'],
		folk: ['postmen', 'clerks', 'letter writers', 'carrier birds'],
		deed: [
			'sort letters by smell',
			'deliver wishes by noon',
			'stamp each card with care',
			'read addresses aloud',
		],
	},
	{
		place: 'observatory',
		part: ['telescopes', 'domes', 'star charts', 'stairs', 'notebooks'],
		folk: ['astronomers', 'students', 'night watchers', 'dreamers'],
		deed: ['name new stars', 'drink tea at midnight', 'count comets', 'draw the rings of planets'],
	},
	{
		place: 'restaurant',
		part: ['tables', 'kitchens', 'menus', 'candles', 'copper pots'],
		folk: ['cooks', 'waiters', 'guests', 'food critics'],
		deed: [
			'cook soup from starlight',
			'serve dessert first',
			'guess the secret spice',
			'lick the plates clean',
		],
	},
	{
		place: 'circus',
		part: ['tents', 'ropes', 'rings', 'ladders', 'painted wagons'],
		folk: ['acrobats', 'clowns', 'jugglers', 'tightrope walkers'],
		deed: ['juggle lanterns', 'walk on high ropes', 'practise brave jumps', 'laugh at every fall'],
	},
	{
		place: 'toy shop',
		part: ['shelves', 'windows', 'train sets', 'kites', 'music boxes'],
		folk: ['toy makers', 'children', 'collectors', 'wooden soldiers'],
		deed: ['paint small faces', 'try out every drum', 'march at midnight', 'wind up tin birds'],
	},
	{
		place: 'bridge',
		part: ['arches', 'lamps', 'ropes', 'benches', 'toll booths'],
		folk: ['travellers', 'guards', 'painters', 'friendly trolls'],
		deed: [
			'stop to look down',
			'pay the toll with riddles',
			'paint the rails each spring',
			'meet halfway for lunch',
		],
	},
	{
		place: 'sports hall',
		part: ['courts', 'nets', 'benches', 'score boards', 'climbing walls'],
		folk: ['players', 'coaches', 'fans', 'referees'],
		deed: [
			'cheer for both teams',
			'practise high jumps',
			'toss slow balls',
			'stretch before breakfast',
		],
	},
	{
		place: 'house',
		part: ['windows', 'doors', 'stairs', 'rooms', 'chimneys'],
		folk: ['cousins', 'cats', 'guests', 'two old sisters'],
		deed: [
			'share soup at six',
			'sleep in hammocks',
			'paint the doors blue',
			'keep a lamp lit all night',
		],
	},
];
