"""The tables of a project, as migrations that are only ever added to."""

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from core.store.word_search import WORD_TABLES

migrations = Migrations("samesense")


@migrations()
def create_project(db: Database) -> None:
    """Corpus, vectors, pairs, groups, decisions and the runs that made them."""
    for statement in _FIRST:
        db.conn.execute(statement)


# AUTOINCREMENT where a number outlives its row: an undo step, a stored group or a remembered
# selection must never meet another row under the number of one that was removed.
_FIRST = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID",
    """CREATE TABLE runs (
        id INTEGER PRIMARY KEY, workflow TEXT NOT NULL, options TEXT NOT NULL,
        inputs TEXT NOT NULL, seed INTEGER, versions TEXT NOT NULL, device TEXT,
        started TEXT NOT NULL, ended TEXT, state TEXT NOT NULL, outcome TEXT, error TEXT)""",
    """CREATE TABLE sources (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, path TEXT NOT NULL,
        sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, settings TEXT NOT NULL,
        columns TEXT NOT NULL, state TEXT NOT NULL, report TEXT,
        run INTEGER REFERENCES runs, imported_at TEXT)""",
    """CREATE TABLE notes (
        source INTEGER NOT NULL REFERENCES sources ON DELETE CASCADE,
        line INTEGER NOT NULL, message TEXT NOT NULL)""",
    "CREATE INDEX notes_source ON notes (source, line)",
    """CREATE TABLE texts (
        id INTEGER PRIMARY KEY AUTOINCREMENT, hash TEXT NOT NULL UNIQUE, body TEXT NOT NULL,
        length INTEGER NOT NULL, very_short INTEGER NOT NULL, rows INTEGER NOT NULL DEFAULT 0)""",
    "CREATE INDEX texts_unseen ON texts (id) WHERE rows = 0",
    """CREATE TABLE documents (
        id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL REFERENCES sources,
        place INTEGER NOT NULL, line INTEGER NOT NULL, key TEXT,
        text INTEGER REFERENCES texts, cells TEXT NOT NULL, dates TEXT,
        live INTEGER NOT NULL DEFAULT 0, replaced_by INTEGER)""",
    "CREATE INDEX documents_text ON documents (text, live)",
    "CREATE UNIQUE INDEX documents_place ON documents (source, place)",
    "CREATE INDEX documents_key ON documents (key, source) WHERE key IS NOT NULL",
    "CREATE INDEX documents_replaced ON documents (replaced_by) WHERE replaced_by IS NOT NULL",
    """CREATE TABLE encoders (
        id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
        folder TEXT NOT NULL, dimension INTEGER NOT NULL, precision TEXT NOT NULL,
        settings TEXT NOT NULL, run INTEGER REFERENCES runs)""",
    """CREATE TABLE vectors (
        encoder INTEGER NOT NULL REFERENCES encoders, text INTEGER NOT NULL REFERENCES texts,
        row INTEGER NOT NULL, tokens INTEGER NOT NULL, windows INTEGER NOT NULL,
        first_window INTEGER, unreadable INTEGER NOT NULL,
        PRIMARY KEY (encoder, text)) WITHOUT ROWID""",
    "CREATE UNIQUE INDEX vectors_row ON vectors (encoder, row)",
    """CREATE TABLE pairings (
        id INTEGER PRIMARY KEY, encoder INTEGER NOT NULL REFERENCES encoders,
        floor REAL NOT NULL, rows_done INTEGER NOT NULL DEFAULT 0,
        finished INTEGER NOT NULL DEFAULT 0, run INTEGER REFERENCES runs)""",
    """CREATE TABLE pairs (
        pairing INTEGER NOT NULL REFERENCES pairings, left INTEGER NOT NULL,
        right INTEGER NOT NULL, cosine REAL NOT NULL, words REAL NOT NULL,
        flags INTEGER NOT NULL, PRIMARY KEY (pairing, left, right)) WITHOUT ROWID""",
    "CREATE INDEX pairs_right ON pairs (pairing, right)",
    """CREATE TABLE groupings (
        id INTEGER PRIMARY KEY AUTOINCREMENT, pairing INTEGER NOT NULL, threshold REAL NOT NULL,
        review REAL NOT NULL, keep TEXT NOT NULL, inputs TEXT NOT NULL, counts TEXT NOT NULL,
        run INTEGER REFERENCES runs)""",
    """CREATE TABLE groups (
        grouping INTEGER NOT NULL REFERENCES groupings ON DELETE CASCADE,
        text INTEGER NOT NULL, keeper INTEGER NOT NULL, rows INTEGER NOT NULL,
        texts INTEGER NOT NULL, weakest REAL, review INTEGER NOT NULL,
        strongest_review REAL, PRIMARY KEY (grouping, text)) WITHOUT ROWID""",
    """CREATE TABLE members (
        grouping INTEGER NOT NULL REFERENCES groupings ON DELETE CASCADE,
        document INTEGER NOT NULL, text INTEGER NOT NULL, kept_text INTEGER NOT NULL,
        keeper INTEGER NOT NULL, reason TEXT NOT NULL, cosine REAL, words REAL,
        PRIMARY KEY (grouping, document)) WITHOUT ROWID""",
    "CREATE INDEX members_group ON members (grouping, kept_text)",
    """CREATE TABLE review (
        grouping INTEGER NOT NULL REFERENCES groupings ON DELETE CASCADE,
        text INTEGER NOT NULL, candidate INTEGER NOT NULL, cosine REAL NOT NULL,
        words REAL NOT NULL, flags INTEGER NOT NULL,
        PRIMARY KEY (grouping, text, candidate)) WITHOUT ROWID""",
    "CREATE INDEX review_candidate ON review (grouping, candidate)",
    """CREATE TABLE decisions (
        left INTEGER NOT NULL REFERENCES texts, right INTEGER NOT NULL REFERENCES texts,
        verdict TEXT NOT NULL, at TEXT NOT NULL, edit INTEGER NOT NULL,
        PRIMARY KEY (left, right)) WITHOUT ROWID""",
    "CREATE INDEX decisions_right ON decisions (right)",
    "CREATE TABLE keepers (document INTEGER PRIMARY KEY REFERENCES documents, at TEXT NOT NULL)",
    """CREATE TABLE edits (
        id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, at TEXT NOT NULL,
        undone INTEGER NOT NULL DEFAULT 0)""",
    """CREATE TABLE edit_changes (
        edit INTEGER NOT NULL REFERENCES edits ON DELETE CASCADE, what TEXT NOT NULL,
        left INTEGER NOT NULL, right INTEGER NOT NULL, before TEXT, after TEXT,
        PRIMARY KEY (edit, what, left, right)) WITHOUT ROWID""",
)


@migrations()
def add_search_clusters_maps_and_trainings(db: Database) -> None:
    """Words to search by, clusters with a person's edits, maps, judged pairs and trainings."""
    for statement in (*WORD_TABLES, *_SECOND):
        db.conn.execute(statement)


_SECOND = (
    """CREATE TABLE clusterings (
        id INTEGER PRIMARY KEY AUTOINCREMENT, encoder INTEGER NOT NULL REFERENCES encoders,
        options TEXT NOT NULL, inputs TEXT NOT NULL, levels TEXT NOT NULL, level INTEGER NOT NULL,
        most_unclustered REAL NOT NULL, counts TEXT NOT NULL, run INTEGER REFERENCES runs)""",
    """CREATE TABLE cluster_nodes (
        clustering INTEGER NOT NULL REFERENCES clusterings ON DELETE CASCADE,
        node INTEGER NOT NULL, parent INTEGER NOT NULL, birth REAL NOT NULL,
        persistence REAL NOT NULL, rows INTEGER NOT NULL, keywords TEXT NOT NULL,
        exemplars TEXT NOT NULL,
        PRIMARY KEY (clustering, node)) WITHOUT ROWID""",
    """CREATE TABLE cluster_texts (
        clustering INTEGER NOT NULL REFERENCES clusterings ON DELETE CASCADE,
        text INTEGER NOT NULL, node INTEGER NOT NULL, fall REAL NOT NULL,
        PRIMARY KEY (clustering, text)) WITHOUT ROWID""",
    """CREATE TABLE clusters (
        clustering INTEGER NOT NULL REFERENCES clusterings ON DELETE CASCADE,
        number INTEGER NOT NULL, name TEXT NOT NULL, keywords TEXT NOT NULL,
        rows INTEGER NOT NULL, texts INTEGER NOT NULL, exemplars TEXT NOT NULL,
        is_named INTEGER NOT NULL, is_excluded INTEGER NOT NULL, by_hand INTEGER NOT NULL,
        color INTEGER NOT NULL, PRIMARY KEY (clustering, number)) WITHOUT ROWID""",
    """CREATE TABLE memberships (
        clustering INTEGER NOT NULL REFERENCES clusterings ON DELETE CASCADE,
        text INTEGER NOT NULL, cluster INTEGER NOT NULL, strength REAL NOT NULL,
        how INTEGER NOT NULL, PRIMARY KEY (clustering, text)) WITHOUT ROWID""",
    "CREATE INDEX memberships_cluster ON memberships (clustering, cluster)",
    """CREATE TABLE cluster_edits (
        id INTEGER PRIMARY KEY AUTOINCREMENT, op TEXT NOT NULL, name TEXT NOT NULL,
        anchors TEXT NOT NULL, texts TEXT NOT NULL, target TEXT, newest INTEGER NOT NULL,
        at TEXT NOT NULL, active INTEGER NOT NULL DEFAULT 0)""",
    """CREATE TABLE maps (
        id INTEGER PRIMARY KEY AUTOINCREMENT, encoder INTEGER NOT NULL REFERENCES encoders,
        options TEXT NOT NULL, inputs TEXT NOT NULL, counts TEXT NOT NULL,
        run INTEGER REFERENCES runs)""",
    """CREATE TABLE coordinates (
        map INTEGER NOT NULL REFERENCES maps ON DELETE CASCADE, text INTEGER NOT NULL,
        x REAL NOT NULL, y REAL NOT NULL, PRIMARY KEY (map, text)) WITHOUT ROWID""",
    """CREATE TABLE pair_files (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, path TEXT NOT NULL,
        sha256 TEXT NOT NULL UNIQUE, pairs INTEGER NOT NULL, kind TEXT NOT NULL,
        note TEXT NOT NULL, added_at TEXT NOT NULL)""",
    """CREATE TABLE judged_pairs (
        file INTEGER NOT NULL REFERENCES pair_files ON DELETE CASCADE, place INTEGER NOT NULL,
        left TEXT NOT NULL, right TEXT NOT NULL, score REAL NOT NULL,
        PRIMARY KEY (file, place)) WITHOUT ROWID""",
    """CREATE TABLE trainings (
        id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER REFERENCES runs, name TEXT NOT NULL,
        folder TEXT NOT NULL, base_name TEXT NOT NULL, base_folder TEXT NOT NULL,
        state TEXT NOT NULL, made_at TEXT NOT NULL, data TEXT NOT NULL, options TEXT NOT NULL,
        figures TEXT NOT NULL, curve TEXT NOT NULL, held_curve TEXT NOT NULL,
        examples TEXT NOT NULL)""",
)


@migrations()
def keep_examples_and_checked_pairs(db: Database) -> None:
    """Files of labelled pairs, triplets and labelled texts too, how each training came about, and
    what cross-encoders say of pairs."""
    for statement in (*_EXAMPLES, *_CHECKED):
        db.conn.execute(statement)


_EXAMPLES = (
    """CREATE TABLE example_files (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, path TEXT NOT NULL,
        sha256 TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, examples INTEGER NOT NULL,
        names TEXT NOT NULL, topics INTEGER NOT NULL, counts TEXT NOT NULL,
        findings TEXT NOT NULL, note TEXT NOT NULL, added_at TEXT NOT NULL)""",
    """CREATE TABLE examples (
        file INTEGER NOT NULL REFERENCES example_files ON DELETE CASCADE, place INTEGER NOT NULL,
        first TEXT NOT NULL, second TEXT, third TEXT, judgement REAL, topic TEXT NOT NULL,
        PRIMARY KEY (file, place)) WITHOUT ROWID""",
    """INSERT INTO example_files SELECT id, name, path, sha256,
        CASE kind WHEN 'label' THEN 'labelled pairs' ELSE 'scored pairs' END, pairs,
        CASE kind WHEN 'label' THEN '["different", "same"]' ELSE '[]' END, 0, '[]', '[]', note,
        added_at FROM pair_files""",
    """INSERT INTO examples SELECT file, place, left, right, NULL, score, '' FROM judged_pairs""",
    "DROP TABLE judged_pairs",
    "DROP TABLE pair_files",
    "ALTER TABLE trainings ADD COLUMN how TEXT NOT NULL DEFAULT '{}'",
)

_CHECKED = (
    """CREATE TABLE cross_encoders (
        id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
        folder TEXT NOT NULL, used_at TEXT NOT NULL, uses INTEGER NOT NULL)""",
    """CREATE TABLE checked_pairs (
        cross_encoder INTEGER NOT NULL REFERENCES cross_encoders ON DELETE CASCADE,
        left INTEGER NOT NULL, right INTEGER NOT NULL, score REAL NOT NULL,
        PRIMARY KEY (cross_encoder, left, right)) WITHOUT ROWID""",
    "CREATE INDEX checked_pairs_right ON checked_pairs (cross_encoder, right)",
)


@migrations()
def keep_differences_and_augmentations(db: Database) -> None:
    """What a change of the encoder gained and lost, and pairs that a cross-encoder labelled."""
    for statement in (*_DIFFERENCES, *_AUGMENTATIONS):
        db.conn.execute(statement)


# Texts are no references here: one that was removed since takes its lines out of sight only.
_DIFFERENCES = (
    """CREATE TABLE differences (
        id INTEGER PRIMARY KEY AUTOINCREMENT, made_at TEXT NOT NULL,
        encoder_before INTEGER NOT NULL REFERENCES encoders,
        encoder_after INTEGER NOT NULL REFERENCES encoders,
        threshold_before REAL NOT NULL, review_before REAL NOT NULL,
        threshold_after REAL NOT NULL, review_after REAL NOT NULL,
        inputs TEXT NOT NULL, counts TEXT NOT NULL)""",
    """CREATE TABLE difference_pairs (
        difference INTEGER NOT NULL REFERENCES differences ON DELETE CASCADE,
        place INTEGER NOT NULL, left INTEGER NOT NULL, right INTEGER NOT NULL,
        gained INTEGER NOT NULL, before REAL NOT NULL, after REAL NOT NULL,
        stood INTEGER NOT NULL, stands INTEGER NOT NULL,
        PRIMARY KEY (difference, place)) WITHOUT ROWID""",
    """CREATE TABLE difference_groups (
        difference INTEGER NOT NULL REFERENCES differences ON DELETE CASCADE,
        place INTEGER NOT NULL, kind TEXT NOT NULL, kept INTEGER NOT NULL,
        texts_before INTEGER NOT NULL, texts_after INTEGER NOT NULL,
        joined INTEGER NOT NULL, gone INTEGER NOT NULL,
        PRIMARY KEY (difference, place)) WITHOUT ROWID""",
    """CREATE TABLE difference_texts (
        difference INTEGER NOT NULL REFERENCES differences ON DELETE CASCADE,
        place INTEGER NOT NULL, at INTEGER NOT NULL, kept INTEGER NOT NULL,
        text INTEGER NOT NULL, joined INTEGER NOT NULL, before REAL NOT NULL, after REAL NOT NULL,
        stood INTEGER NOT NULL, stands INTEGER NOT NULL,
        PRIMARY KEY (difference, place, at)) WITHOUT ROWID""",
)

_AUGMENTATIONS = (
    """CREATE TABLE augmentations (
        id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER REFERENCES runs, state TEXT NOT NULL,
        made_at TEXT NOT NULL, options TEXT NOT NULL, gold TEXT NOT NULL, teachers TEXT NOT NULL,
        sheet TEXT NOT NULL, training INTEGER)""",
    """CREATE TABLE silver_pairs (
        augmentation INTEGER NOT NULL REFERENCES augmentations ON DELETE CASCADE,
        place INTEGER NOT NULL, left TEXT NOT NULL, right TEXT NOT NULL, score REAL NOT NULL,
        corrected REAL, dropped INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (augmentation, place)) WITHOUT ROWID""",
)
