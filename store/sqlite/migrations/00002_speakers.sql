-- Every process that has spoken for a session, not the newest alone: who has
-- asked once does not answer, whatever it says of its sessions later.

-- +goose Up
ALTER TABLE sessions RENAME TO sessions_1;
DROP INDEX sessions_running;
CREATE TABLE sessions (
    id      TEXT NOT NULL,
    boot    TEXT NOT NULL,
    pid     INTEGER NOT NULL,
    start   INTEGER NOT NULL, -- of the process, in clock ticks since boot
    started INTEGER NOT NULL, -- of the session, nanoseconds since 1970, for the order
    ended   TEXT NOT NULL,
    body    BLOB NOT NULL,
    PRIMARY KEY (id, boot, pid, start)
) STRICT;
CREATE INDEX sessions_boot ON sessions (boot);
INSERT INTO sessions
SELECT id, coalesce(json_extract(CAST(body AS TEXT), '$.process.boot'), ''), coalesce(json_extract(CAST(body AS TEXT), '$.process.pid'), 0),
    coalesce(json_extract(CAST(body AS TEXT), '$.process.start'), 0), started, ended, body FROM sessions_1;
DROP TABLE sessions_1;

PRAGMA user_version = 2;
