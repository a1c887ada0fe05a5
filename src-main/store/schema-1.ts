/**
 * Version 1 of the database. Released schemas never change; later versions are steps in migrations.ts.
 * Strict tables and checks: a value of another kind is an error, also in a file that a stranger made (an
 * integrity check finds it).
 * Times are milliseconds since 1970. `run` is the internal number of a run, `run_id` the name the world knows it by.
 */
export const schema1 = `
CREATE TABLE workspace (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	-- Grows with every change to runs or points, by whichever process.
	revision INTEGER NOT NULL,
	-- Texts up to this one are in text_search; later ones are searched one by one.
	searchable_to INTEGER NOT NULL,
	-- The highest number that a text ever had: numbers are never given twice.
	newest_text INTEGER NOT NULL,
	-- Grows when texts are removed: whoever remembers numbers of texts must forget them.
	texts_removed INTEGER NOT NULL
) STRICT;
INSERT INTO workspace VALUES (1, 0, 0, 0, 0);

CREATE TABLE runs (
	run INTEGER PRIMARY KEY,
	run_id TEXT NOT NULL UNIQUE,
	project TEXT NOT NULL,
	name TEXT NOT NULL,
	status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'paused', 'finished', 'stopped', 'failed', 'crashed')),
	color_index INTEGER NOT NULL,
	created_ms REAL NOT NULL,
	started_ms REAL,
	ended_ms REAL,
	heartbeat_ms REAL,
	step INTEGER NOT NULL DEFAULT 0,
	total_steps INTEGER NOT NULL DEFAULT 0,
	env_step INTEGER NOT NULL DEFAULT 0,
	task_hash TEXT,
	task_name TEXT NOT NULL,
	task_path TEXT,
	model TEXT NOT NULL,
	device TEXT NOT NULL,
	-- Text: a seed may exceed 2^53.
	seed TEXT NOT NULL,
	grove_version TEXT NOT NULL,
	git TEXT,
	parent_run_id TEXT,
	fork_step INTEGER,
	tags TEXT NOT NULL,
	archived INTEGER NOT NULL DEFAULT 0,
	deleted_ms REAL,
	error TEXT,
	host TEXT NOT NULL,
	pid INTEGER,
	-- Tells a process from a later one with the same number.
	process_start TEXT,
	revision INTEGER NOT NULL DEFAULT 0,
	points_revision INTEGER NOT NULL DEFAULT 0,
	first_point_ms REAL,
	-- What the run has added to the file; indexes not counted, shared texts counted with the first that had them.
	metric_bytes INTEGER NOT NULL DEFAULT 0,
	tree_bytes INTEGER NOT NULL DEFAULT 0,
	text_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What the runs table does not need at every look.
CREATE TABLE run_details (
	run INTEGER PRIMARY KEY REFERENCES runs (run) ON DELETE CASCADE,
	config TEXT NOT NULL,
	config_text TEXT NOT NULL,
	notes TEXT NOT NULL,
	-- Per agent: its name and its model.
	agents TEXT NOT NULL
) STRICT;

CREATE TABLE task_sources (
	hash TEXT PRIMARY KEY,
	text TEXT NOT NULL
) STRICT;

-- Runs that are gone for good, so that other processes learn of it.
CREATE TABLE removed_runs (
	run_id TEXT PRIMARY KEY,
	revision INTEGER NOT NULL
) STRICT;

CREATE TABLE metric_keys (
	id INTEGER PRIMARY KEY,
	key TEXT NOT NULL UNIQUE
) STRICT;

-- The newest points of a run, one row a moment (a step, or part of one), all its keys packed together (points.ts).
CREATE TABLE metric_tail (
	run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
	seq INTEGER NOT NULL,
	data BLOB NOT NULL,
	PRIMARY KEY (run, seq)
) WITHOUT ROWID, STRICT;

-- Older points: a block of moments with its axes once, and the values of each key in a row of their own.
CREATE TABLE metric_blocks (
	run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
	block INTEGER NOT NULL,
	moments INTEGER NOT NULL,
	axes BLOB NOT NULL,
	PRIMARY KEY (run, block)
) STRICT;
CREATE TABLE metric_chunks (
	id INTEGER PRIMARY KEY,
	run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
	key INTEGER NOT NULL,
	block INTEGER NOT NULL,
	data BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX metric_chunks_place ON metric_chunks (run, key, block);

-- Last, extremes and mean of every key of a run, kept with every point (metric-summaries.ts).
CREATE TABLE metric_summaries (
	run INTEGER PRIMARY KEY REFERENCES runs (run) ON DELETE CASCADE,
	data BLOB NOT NULL
) STRICT;

-- Texts are numbered, each stored once, in compressed blocks of neighbours (text-blocks.ts).
-- A block begins with text number first_text.
CREATE TABLE text_blocks (
	first_text INTEGER PRIMARY KEY,
	texts INTEGER NOT NULL,
	codec INTEGER NOT NULL,
	bytes INTEGER NOT NULL,
	data BLOB NOT NULL
) STRICT;
-- By hash, in parts of neighbouring numbers, and a filter for each part that is complete (text-hashes.ts).
CREATE TABLE text_hashes (
	part INTEGER NOT NULL,
	hash BLOB NOT NULL,
	text INTEGER NOT NULL,
	PRIMARY KEY (part, hash)
) WITHOUT ROWID, STRICT;
CREATE TABLE text_filters (
	part INTEGER PRIMARY KEY,
	bits BLOB NOT NULL
) STRICT;
-- Where a text is used: a node of a tree, and the place in it (text-places.ts).
CREATE TABLE text_places (
	text INTEGER NOT NULL,
	node INTEGER NOT NULL,
	slot INTEGER NOT NULL,
	PRIMARY KEY (text, node, slot)
) WITHOUT ROWID, STRICT;
CREATE VIRTUAL TABLE text_search USING fts5 (
	words, content='', detail=none, columnsize=0,
	-- Letters and numbers of any age: what is not plain ASCII is parted and folded before (search-words.ts).
	tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Cn Co Cs'"
);

CREATE TABLE trees (
	tree INTEGER PRIMARY KEY,
	run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
	purpose TEXT NOT NULL CHECK (purpose IN ('train', 'eval')),
	step INTEGER NOT NULL,
	item_index INTEGER NOT NULL,
	item_id TEXT NOT NULL,
	title INTEGER NOT NULL,
	epoch INTEGER NOT NULL,
	env_step INTEGER NOT NULL,
	joint_mode TEXT NOT NULL CHECK (joint_mode IN ('aligned', 'cross')),
	-- Nodes of the tree are first_node, first_node + 1, ... in depth-first order.
	first_node INTEGER NOT NULL,
	nodes INTEGER NOT NULL CHECK (nodes > 0),
	joints INTEGER NOT NULL,
	reward_by_turn TEXT NOT NULL,
	best_reward REAL,
	worst_reward REAL,
	zero_variance_share REAL NOT NULL
) STRICT;
CREATE UNIQUE INDEX trees_place ON trees (run, purpose, step, item_index);

CREATE TABLE nodes (
	id INTEGER PRIMARY KEY,
	tree INTEGER NOT NULL,
	turn INTEGER NOT NULL CHECK (turn > 0),
	parent_node INTEGER,
	parent_joint INTEGER,
	env_step INTEGER NOT NULL,
	reward_mean REAL,
	return_mean REAL,
	ended TEXT CHECK (ended IN ('last-turn', 'threshold', 'done', 'error')),
	zero_variance INTEGER NOT NULL,
	-- JSON lists with one entry per joint completion; null: not scored, not trained on, none.
	rewards TEXT NOT NULL,
	returns TEXT NOT NULL,
	advantages TEXT NOT NULL,
	children TEXT NOT NULL,
	-- Everything else (node-content.ts).
	content BLOB NOT NULL
) STRICT;

CREATE TABLE logs (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
	time_ms REAL NOT NULL,
	level TEXT NOT NULL CHECK (level IN ('info', 'warning', 'error')),
	source TEXT NOT NULL,
	step INTEGER NOT NULL,
	text TEXT NOT NULL
) STRICT;
CREATE INDEX logs_place ON logs (run, id);

CREATE TABLE checkpoints (
	run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
	step INTEGER NOT NULL,
	env_step INTEGER NOT NULL,
	path TEXT NOT NULL,
	bytes INTEGER NOT NULL,
	wall_ms REAL NOT NULL,
	-- NaN as text (sql-number.ts).
	score ANY,
	is_best INTEGER NOT NULL,
	is_final INTEGER NOT NULL,
	PRIMARY KEY (run, step)
) STRICT;

CREATE TABLE annotations (
	id TEXT PRIMARY KEY,
	run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,
	step INTEGER NOT NULL,
	item_index INTEGER NOT NULL,
	purpose TEXT NOT NULL CHECK (purpose IN ('train', 'eval')),
	node INTEGER NOT NULL,
	joint INTEGER,
	bookmark INTEGER NOT NULL,
	score REAL,
	text TEXT NOT NULL,
	created_ms REAL NOT NULL
) STRICT;
CREATE INDEX annotations_run ON annotations (run);
`;
