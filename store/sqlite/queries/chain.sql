-- name: Head :one
SELECT n, hash FROM records ORDER BY n DESC LIMIT 1;

-- name: InsertRecord :exec
INSERT INTO records (n, leaf, hash, kind, session) VALUES (?, ?, ?, ?, ?);

-- name: InsertPayload :exec
INSERT INTO payloads (n, salt, body) VALUES (?, ?, ?);

-- name: Record :one
SELECT leaf, hash FROM records WHERE n = ?;

-- name: Vouching :one
SELECT r.leaf, r.hash, CAST((SELECT coalesce(max(c.record), 0) FROM changes c WHERE c.grant_n = sqlc.arg(grant)) AS INTEGER) AS newest
FROM records r WHERE r.n = sqlc.arg(n);

-- name: Lines :many
SELECT r.n, r.leaf, r.hash, p.salt, p.body
FROM records r LEFT JOIN payloads p ON p.n = r.n
WHERE r.n > sqlc.arg(after) ORDER BY r.n LIMIT sqlc.arg(most);

-- name: Session :one
SELECT * FROM sessions WHERE id = ? AND boot = ? AND pid = ? AND start = ?;

-- name: PutSession :exec
INSERT OR REPLACE INTO sessions (id, boot, pid, start, started, ended, body, mark) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: ForgetSessions :exec
DELETE FROM sessions WHERE boot > '' AND boot < sqlc.arg(boot) OR boot > sqlc.arg(boot);

-- name: SessionsWithin :many
SELECT * FROM sessions
WHERE id = sqlc.arg(id) OR id >= sqlc.arg(id) || '/' AND id < sqlc.arg(id) || '0';

-- name: Sessions :many
SELECT * FROM sessions ORDER BY started, id, boot, pid, start;

-- name: KeyRecords :many
SELECT n, leaf, hash FROM records INDEXED BY records_keys WHERE kind = 'key' ORDER BY n;

-- name: NewestChange :one
SELECT CAST(coalesce(max(record), 0) AS INTEGER) AS n FROM changes WHERE grant_n = ?;
