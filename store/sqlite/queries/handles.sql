-- name: LastHandle :one
SELECT CAST(coalesce(max(n), 0) AS INTEGER) AS n FROM handles;

-- name: InsertHandle :exec
INSERT INTO handles (n, hash, record, body, mark) VALUES (?, ?, ?, ?, ?);

-- name: Handle :one
SELECT * FROM handles WHERE n = ?;

-- name: HandleByHash :one
SELECT * FROM handles WHERE hash = ?;

-- name: Handles :many
SELECT * FROM handles ORDER BY n;
