-- What an ended session, a foreign registration and a patient guesser could still do to a person.

-- A login of an earlier second counts for nothing, whatever request still carries it.
alter table sign_in_accounts
  add column sessions_valid_from timestamptz
    check (sessions_valid_from = date_trunc('second', sessions_valid_from));

-- The password is chosen by the reader of the letter: those typed before the letter was sent are thrown away.
alter table sign_in_tokens
  add column replaced_at timestamptz; -- a newer registration of the same address took its place

update sign_in_tokens set registration = registration - 'passwordHash' where registration is not null;

create index on sign_in_tokens ((registration ->> 'email')) where registration is not null;

-- Whoever reads this table must not be able to show what is in it: identifiers are kept as SHA-256.
delete from sign_in_payloads where model = 'Interaction';
update sign_in_payloads
  set id = encode(sha256(convert_to(id, 'UTF8')), 'hex'), payload = payload - 'jti';

-- Applications that have yet to hear that a session has ended.
create table sign_in_pending_logouts (
  id              bigint generated always as identity primary key,
  client_id       text not null,
  account_id      uuid not null, -- no reference: the account may be gone, the application must hear of it all the same
  sid             text not null,
  created_at      timestamptz not null,
  attempts        int not null check (attempts >= 0),
  next_attempt_at timestamptz not null
);

create index on sign_in_pending_logouts (next_attempt_at);

-- Where a person has signed in lately, others' guesses do not keep them out.
alter table sign_in_failures
  add column last_succeeded_at timestamptz;
