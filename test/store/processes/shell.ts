/** A process that reads and tidies up a database as the application does, until it is killed: DATABASE BUNDLE [ROUNDS]. */
import { openStore } from '../../../src-main/store/index.ts';

const [path = '', bundle = '', rounds = '1000000'] = process.argv.slice(2);
const store = await openStore({ path, patienceMs: 120_000 });
process.send?.('ready');
for (let round = 0; round < Number(rounds); round++) {
	const revision = store.revision();
	const { runs } = store.listRuns({ include: 'all', keys: ['loss'] });
	const own = runs.filter((run) => run.id.startsWith('fill-')).map((run) => run.id);
	store.updateRuns({ ids: own, patch: { name: `round ${round}` }, addTags: ['seen'] });
	store.search({ query: 'once fox', order: 'newest', offset: 0, limit: 10 });
	store.dropTexts(own.slice(0, 1));
	store.trashRuns(own);
	store.emptyTrash();
	await store.importFile(bundle);
	store.changesSince(revision);
}
store.close();
process.disconnect();
