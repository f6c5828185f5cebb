-- The first schema. application_id is "asnt"; user_version is the number of the
-- newest migration, so that opening needs no look into the migration table.

-- +goose Up
CREATE TABLE records (
    n       INTEGER PRIMARY KEY, -- from 1, without gaps
    leaf    BLOB NOT NULL,       -- the exact bytes that hash binds
    hash    TEXT NOT NULL,
    kind    TEXT NOT NULL,
    session TEXT NOT NULL
) STRICT;
CREATE INDEX records_session ON records (session, n) WHERE session <> '';
CREATE INDEX records_keys ON records (n) WHERE kind = 'key';

-- What agents sent. A row can be deleted without breaking the chain.
CREATE TABLE payloads (
    n    INTEGER PRIMARY KEY REFERENCES records (n),
    salt BLOB NOT NULL,
    body BLOB NOT NULL
) STRICT;

-- Approvals and questions. The body is what was asked; the columns are what is
-- searched, and what changes.
CREATE TABLE requests (
    n         INTEGER PRIMARY KEY, -- of "req_n"
    kind      TEXT NOT NULL,
    principal TEXT NOT NULL,
    session   TEXT NOT NULL,
    digest    TEXT NOT NULL,
    expires   INTEGER NOT NULL,    -- nanoseconds since 1970
    body      BLOB NOT NULL,
    state     TEXT NOT NULL,
    settled   TEXT NOT NULL,       -- RFC 3339, or empty
    grant_id  TEXT NOT NULL,
    asked     INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX requests_pending_key ON requests (session, digest, principal, kind)
    WHERE state = 'pending' AND digest <> '';
CREATE INDEX requests_due ON requests (expires, n) WHERE state = 'pending';
CREATE INDEX requests_waiting ON requests (session, n) WHERE state = 'pending';
CREATE INDEX requests_session ON requests (session, n);
CREATE INDEX requests_state ON requests (state, n);

-- Every answer given to a request, of which at most one settled it.
CREATE TABLE answers (
    n       INTEGER PRIMARY KEY,
    request INTEGER NOT NULL REFERENCES requests (n),
    settles INTEGER NOT NULL,
    body    BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX answers_settling ON answers (request) WHERE settles = 1;
CREATE INDEX answers_request ON answers (request, n);

-- A request with the answer that settled it.
CREATE VIEW answered AS
SELECT r.n, r.session, r.state, r.body, r.settled, r.grant_id, r.asked, a.body AS answer
FROM requests r LEFT JOIN answers a ON a.request = r.n AND a.settles = 1;

-- The body is sealed by the record; the columns repeat of it what is searched,
-- and hold what changes.
CREATE TABLE grants (
    n          INTEGER PRIMARY KEY, -- of "gr_n"
    parent     INTEGER REFERENCES grants (n),
    record     INTEGER NOT NULL REFERENCES records (n),
    digest     TEXT NOT NULL,       -- of an exact scope, else empty
    tool       TEXT NOT NULL,       -- of a class scope
    principal  TEXT NOT NULL,
    session    TEXT NOT NULL,
    width      TEXT NOT NULL,
    until      INTEGER NOT NULL,    -- nanoseconds since 1970
    uses       INTEGER NOT NULL,
    body       BLOB NOT NULL,
    used       INTEGER NOT NULL,
    last_used  TEXT NOT NULL,
    revoked    TEXT NOT NULL,
    revoked_by TEXT NOT NULL
) STRICT;
CREATE INDEX grants_exact ON grants (digest, n) WHERE digest <> '';
CREATE INDEX grants_exact_live ON grants (digest, n) WHERE digest <> '' AND revoked = '' AND used < uses;
CREATE INDEX grants_class ON grants (tool, session, n) WHERE digest = '';
CREATE INDEX grants_class_live ON grants (tool, session, n) WHERE digest = '' AND revoked = '' AND used < uses;
CREATE INDEX grants_session ON grants (session, n);
CREATE INDEX grants_unrevoked ON grants (n) WHERE revoked = '';

CREATE TABLE calls (
    n       INTEGER PRIMARY KEY, -- in the order of opening
    session TEXT NOT NULL,
    id      TEXT NOT NULL,
    digest  TEXT NOT NULL,
    request TEXT NOT NULL,
    grant_id TEXT NOT NULL,
    use     INTEGER NOT NULL,    -- which use of the grant it took
    opened  TEXT NOT NULL,
    closed  TEXT NOT NULL,
    UNIQUE (session, id, digest)
) STRICT;
CREATE INDEX calls_open ON calls (session, digest, n) WHERE closed = '';

CREATE TABLE sessions (
    id      TEXT PRIMARY KEY,
    started INTEGER NOT NULL, -- nanoseconds since 1970, for the order
    ended   TEXT NOT NULL,
    body    BLOB NOT NULL
) STRICT;
CREATE INDEX sessions_running ON sessions (started, id) WHERE ended = '';

PRAGMA application_id = 1634954868;
PRAGMA user_version = 1;
