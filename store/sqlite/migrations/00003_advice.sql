-- What the approver said of a request, or that it is being asked.

-- +goose Up
DROP VIEW answered;
ALTER TABLE requests ADD COLUMN advice BLOB;
CREATE VIEW answered AS
SELECT r.n, r.session, r.state, r.body, r.settled, r.grant_id, r.asked, r.advice, a.body AS answer
FROM requests r LEFT JOIN answers a ON a.request = r.n AND a.settles = 1;

PRAGMA user_version = 3;
