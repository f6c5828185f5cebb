-- name: Call :one
SELECT * FROM calls
WHERE session = ? AND id = ? AND digest = ?;

-- name: NewestOpenCall :one
SELECT * FROM calls
WHERE session = ? AND digest = ? AND closed = '' ORDER BY n DESC LIMIT 1;

-- name: PutCall :exec
INSERT OR REPLACE INTO calls (n, session, id, digest, request, grant_id, use, opened, closed, broker, child, began, mark)
VALUES ((SELECT coalesce(max(o.n), 0) + 1 FROM calls o), ?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?);

-- name: UpdateCall :exec
UPDATE calls SET request = ?, grant_id = ?, use = ?, closed = ?, broker = ?, child = ?, began = ?, mark = ?
WHERE session = ? AND id = ? AND digest = ?;

-- name: EndCall :exec
UPDATE calls SET closed = sqlc.arg(closed), mark = NULL WHERE session = sqlc.arg(session) AND id = sqlc.arg(id) AND closed = '';

-- name: CloseCall :exec
UPDATE calls SET closed = sqlc.arg(closed), mark = NULL WHERE session = sqlc.arg(session) AND id = sqlc.arg(id) AND closed = '' AND began = '';

-- name: CloseCalls :exec
UPDATE calls SET closed = sqlc.arg(closed), mark = NULL WHERE session = sqlc.arg(session) AND closed = '' AND began = '';

-- name: CloseCallsWithin :exec
UPDATE calls SET closed = sqlc.arg(closed), mark = NULL
WHERE (session = sqlc.arg(session) OR session >= sqlc.arg(session) || '/' AND session < sqlc.arg(session) || '0') AND closed = '' AND began = '';

-- name: RunningCalls :many
SELECT * FROM calls WHERE began <> '' AND closed = '' ORDER BY n;

-- name: SpentCalls :many
SELECT * FROM calls WHERE grant_id <> '' AND closed = '' ORDER BY n;
