-- name: LastGrant :one
SELECT CAST(coalesce(max(n), 0) AS INTEGER) AS n FROM grants;

-- name: InsertGrant :exec
INSERT INTO grants (n, parent, record, digest, tool, principal, session, width, until, uses, body, used, last_used, revoked, revoked_by, taken, changed, mark)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '', '', '', 0, ?, ?);

-- name: ChangeGrant :exec
UPDATE grants SET used = ?, last_used = ?, revoked = ?, revoked_by = ?, taken = ?, changed = ?, mark = ? WHERE n = ?;

-- name: NoteChange :exec
INSERT INTO changes (grant_n, record) VALUES (?, ?);

-- name: Grant :one
SELECT * FROM grants WHERE n = ?;

-- name: ExactLive :many
SELECT * FROM grants
WHERE digest = sqlc.arg(digest) AND digest <> '' AND revoked = '' AND used < uses AND until >= sqlc.arg(now)
  AND n > sqlc.arg(after)
ORDER BY n LIMIT sqlc.arg(most);

-- name: ClassLive :many
SELECT * FROM grants
WHERE digest = '' AND tool IN (sqlc.arg(tool), '*') AND session IN ('', sqlc.arg(session)) AND principal IN ('', sqlc.arg(principal))
  AND revoked = '' AND used < uses AND until >= sqlc.arg(now) AND n > sqlc.arg(after)
ORDER BY n LIMIT sqlc.arg(most);

-- name: ExactBefore :many
SELECT * FROM grants
WHERE digest = sqlc.arg(digest) AND digest <> '' AND n < sqlc.arg(before)
ORDER BY n DESC LIMIT sqlc.arg(most);

-- name: ClassBefore :many
SELECT * FROM grants
WHERE digest = '' AND tool IN (sqlc.arg(tool), '*') AND session IN ('', sqlc.arg(session)) AND principal IN ('', sqlc.arg(principal))
  AND n < sqlc.arg(before)
ORDER BY n DESC LIMIT sqlc.arg(most);

-- name: Unrevoked :many
SELECT * FROM grants WHERE revoked = '' ORDER BY n;

-- name: UnrevokedOf :many
SELECT * FROM grants
WHERE (session = sqlc.arg(session) OR session >= sqlc.arg(session) || '/' AND session < sqlc.arg(session) || '0') AND revoked = ''
ORDER BY n;

-- name: Grants :many
SELECT * FROM grants ORDER BY n;

-- name: GrantsOf :many
SELECT * FROM grants WHERE session = ? ORDER BY n;
