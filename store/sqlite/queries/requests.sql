-- name: PendingOf :one
SELECT n FROM requests
WHERE session = ? AND digest = ? AND principal = ? AND kind = ? AND state = 'pending' AND digest <> '';

-- name: CountPending :one
SELECT count(*) FROM (SELECT 1 FROM requests WHERE state = 'pending' LIMIT sqlc.arg(most));

-- name: CountWaiting :one
SELECT count(*) FROM (SELECT 1 FROM requests q WHERE q.session = sqlc.arg(session) AND q.state = 'pending' LIMIT sqlc.arg(most));

-- name: LastRequest :one
SELECT CAST(coalesce(max(n), 0) AS INTEGER) AS n FROM requests;

-- name: InsertRequest :exec
INSERT INTO requests (n, kind, principal, session, digest, expires, body, advice, state, settled, grant_id, asked, mark)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '', '', ?, ?);

-- name: ChangeRequest :exec
UPDATE requests SET state = ?, settled = ?, grant_id = ?, asked = ?, advice = ?, mark = ? WHERE n = ?;

-- name: Request :one
SELECT * FROM answered
WHERE n = ?;

-- name: Requests :many
SELECT * FROM answered
WHERE n > sqlc.arg(after) ORDER BY n LIMIT sqlc.arg(most);

-- name: RequestsIn :many
SELECT * FROM answered
WHERE state = sqlc.arg(state) AND n > sqlc.arg(after) ORDER BY n LIMIT sqlc.arg(most);

-- name: RequestsOf :many
SELECT * FROM answered
WHERE session = sqlc.arg(session) AND n > sqlc.arg(after)
  AND (CAST(sqlc.arg(state) AS TEXT) = '' OR state = sqlc.arg(state))
ORDER BY n LIMIT sqlc.arg(most);

-- name: Due :many
SELECT n FROM requests INDEXED BY requests_due WHERE state = 'pending' AND expires <= sqlc.arg(now) ORDER BY expires, n LIMIT sqlc.arg(most);

-- name: InsertAnswer :exec
INSERT INTO answers (request, settles, body) VALUES (?, 1, ?);
