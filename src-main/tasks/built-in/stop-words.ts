/** Words that say little about what a text is about, left out where the overlap of two texts is measured. */
export const stopWords: ReadonlySet<string> = new Set(
	`a about after all also am an and any are as at be because been before being both but by can could did do
	does each even ever every few for from get got had has have he her here hers him his how i if in into is
	it its just like made make many may me might mine more most much must my near neither no none nor not now
	of off on once one only or other our ours out over own rather same she should since so some still such
	than that the their them then there these they this those though through thus to too two under until up
	upon us very was we were what when where whether which while who whom whose why will with within without
	would yes yet you your yours`.split(/\s+/u),
);
