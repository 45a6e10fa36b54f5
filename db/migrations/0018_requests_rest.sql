-- What was left of signing requests: how long a document was held while it was signed, and codes on printed documents.

-- {turn, by: {person: milliseconds}}: a lock that is asked for again and again has an end (domain/requests/lock.ts);
-- null: nobody has held it yet
alter table signing_requests add column lock_held jsonb;

-- Whoever holds a printed document opens what was signed with the code on it. Letters and digits are few enough to be
-- typed, so their hash is one that takes its time; a QR code holds 128 random bits.
create table request_access_codes (
  request_id uuid not null references signing_requests,
  kind       text not null check (kind in ('letters', 'qr')),
  hash       bytea not null,
  created_at timestamptz not null,
  primary key (request_id, kind, hash)
);

-- Wrong codes, request by request: each makes the next one wait longer.
create table request_code_tries (
  request_id uuid primary key references signing_requests,
  wrong      integer not null check (wrong > 0),
  last_at    timestamptz not null
);
