-- Marks: what the home's own key says of rows on which authority depends. Who edits
-- them, or puts one in, cannot make a mark.
--
-- Rows from before have none, and nobody can tell whose they are: where there is a key
-- they do not count. What was granted before must be granted anew.

-- +goose Up
ALTER TABLE grants ADD COLUMN taken INTEGER NOT NULL DEFAULT 0;   -- uses ever taken, those given back too
ALTER TABLE grants ADD COLUMN changed INTEGER NOT NULL DEFAULT 0; -- the record of the last change
ALTER TABLE grants ADD COLUMN mark BLOB;
UPDATE grants SET taken = used;

-- Which records changed which grants: an older row that is put back, with the mark
-- that it had, is not the newest.
CREATE TABLE changes (
    grant_n INTEGER NOT NULL,
    record  INTEGER NOT NULL REFERENCES records (n),
    PRIMARY KEY (grant_n, record)
) STRICT, WITHOUT ROWID;

DROP VIEW answered;
ALTER TABLE requests ADD COLUMN mark BLOB;
CREATE VIEW answered AS
SELECT r.n, r.kind, r.principal, r.session, r.digest, r.expires, r.state, r.body, r.settled, r.grant_id, r.asked, r.advice, a.body AS answer, r.mark
FROM requests r LEFT JOIN answers a ON a.request = r.n AND a.settles = 1;

-- A call is marked from when it has spent a use until it is closed.
ALTER TABLE calls ADD COLUMN broker BLOB;
ALTER TABLE calls ADD COLUMN child BLOB;
ALTER TABLE calls ADD COLUMN began TEXT NOT NULL DEFAULT '';
ALTER TABLE calls ADD COLUMN mark BLOB;
CREATE INDEX calls_running ON calls (n) WHERE began <> '' AND closed = '';

CREATE TABLE handles (
    n      INTEGER PRIMARY KEY, -- of "hd_n"
    hash   TEXT NOT NULL UNIQUE,
    record INTEGER NOT NULL REFERENCES records (n),
    body   BLOB NOT NULL,
    mark   BLOB
) STRICT;

-- Who is noted first for a session holds what it was granted.
ALTER TABLE sessions ADD COLUMN mark BLOB;

PRAGMA user_version = 4;
