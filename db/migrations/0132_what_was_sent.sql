-- expands: a column that older versions leave empty
-- The SHA-256 of what the call of sending brought: a repeated call that brings something else is not told that it was sent.
alter table signing_requests add column sent_digest bytea;
