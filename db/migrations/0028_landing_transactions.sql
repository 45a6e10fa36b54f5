-- Quick send without registration: what was begun on the landing and is not a request yet.

-- From the token on (after the captcha) to the request. Whoever holds the token, the number of the transaction and the link
-- that follows the request has them in words; here are their hashes.
create table landing_transactions (
  id                uuid primary key,
  token_hash        bytea not null unique,
  -- of the network it came from
  network           text not null,
  created_at        timestamptz not null,
  -- until when it may be begun with
  token_expires_at  timestamptz not null,

  -- what was begun with it; the file lies in the storage under this id, of nobody's organisation yet
  transaction_hash  bytea unique,
  begun_at          timestamptz,
  sender_email      text check (length(sender_email) <= 254),
  sender_phone      text check (length(sender_phone) <= 50),
  recipient_bin     text check (recipient_bin ~ '^[0-9]{12}$'),
  recipient_name    text check (length(recipient_name) <= 250),
  recipient_email   text check (length(recipient_email) <= 254),
  language          text check (language in ('ru', 'kk', 'en')),
  file_id           uuid,
  file_name         text check (length(file_name) between 1 and 250),
  format            text check (format in ('pdf', 'docx', 'xlsx', 'doc', 'xls')),
  sha256            bytea check (length(sha256) = 32),
  size              integer check (size > 0),
  -- signatures that were refused
  tries             integer not null default 0,

  -- by phone: one way at a time, answered once
  phone_id          text unique check (length(phone_id) = 32),
  phone_token       text,
  phone_state       text check (phone_state in ('new', 'meta', 'data', 'canceled', 'fail', 'done')),
  phone_refusal     jsonb,
  phone_expires_at  timestamptz,

  -- what became of it
  follow_hash       bytea unique,
  sender_number     text check (sender_number ~ '^[0-9]{12}$'),
  request_id        uuid unique references signing_requests,
  committed_at      timestamptz,

  check (num_nonnulls(transaction_hash, begun_at, sender_email, sender_phone, recipient_bin, recipient_name,
    recipient_email, language, file_id, file_name, format, sha256, size) in (0, 13)),
  check (num_nonnulls(phone_id, phone_token, phone_state, phone_expires_at) in (0, 4)),
  check (num_nonnulls(follow_hash, sender_number, request_id, committed_at) in (0, 4)),
  check (committed_at is null or begun_at is not null)
);

-- What is abandoned goes after a day; how much came from where, from whom and to whom within a day is counted.
create index on landing_transactions (created_at) where committed_at is null;
create index on landing_transactions (network, created_at);
create index on landing_transactions (sender_number, committed_at) where committed_at is not null;
create index on landing_transactions (recipient_email, committed_at) where committed_at is not null;
create index on landing_transactions (sender_email, committed_at) where committed_at is not null;

-- Who wants no letters about documents that people without an account send: SHA-256 of the address.
create table stopped_letters (
  address_hash bytea primary key check (length(address_hash) = 32),
  at           timestamptz not null
);

-- Sent by somebody without an account.
alter table signing_requests add column is_from_landing boolean not null default false;

-- Made of the certificate of somebody who sent a document without an account: nobody belongs to it before somebody shows
-- a signature with its number, who then finds there what was sent.
alter table organizations add column is_unclaimed boolean not null default false;
create unique index organizations_unclaimed on organizations (bin) where is_unclaimed;

-- The landing takes the office formats of before 2007 too.
alter table documents drop constraint documents_format_check,
  add constraint documents_format_check check (format in ('pdf', 'docx', 'xlsx', 'doc', 'xls'));
alter table signing_requests drop constraint signing_requests_format_check,
  add constraint signing_requests_format_check check (format in ('pdf', 'docx', 'xlsx', 'doc', 'xls'));
