-- The embedded sign-in service: accounts, one-time links, what the OpenID provider keeps, and its secrets.

create table sign_in_accounts (
  id                 uuid primary key, -- the OpenID `sub`
  email              text not null check (email <> '' and email = lower(email)),
  full_name          text not null check (full_name <> ''),
  password_hash      text, -- null: this person signs in some other way
  language           text not null check (language in ('ru', 'kk', 'en')),
  email_confirmed_at timestamptz,
  iin                text check (iin ~ '^\d{12}$'),
  created_at         timestamptz not null,
  constraint sign_in_accounts_email_key unique (email),
  constraint sign_in_accounts_iin_key unique (iin)
);

-- A registration lives in its own letter until the letter's reader confirms it: nobody can put a password
-- of his own under an address he cannot read, not even before its owner comes.
create table sign_in_tokens (
  sha256          bytea primary key check (length(sha256) = 32),
  kind            text not null check (kind in ('confirm-email', 'reset-password')),
  account_id      uuid references sign_in_accounts on delete cascade,
  registration    jsonb,
  interaction_uid text, -- the sign-in this person was in the middle of
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  used_at         timestamptz,
  check ((kind = 'confirm-email') = (registration is not null)),
  check ((kind = 'reset-password') = (account_id is not null))
);

create index on sign_in_tokens (account_id) where account_id is not null;
create index on sign_in_tokens (expires_at);

-- Sessions, interactions, codes, grants and tokens of the OpenID provider.
create table sign_in_payloads (
  model       text not null,
  id          text not null,
  payload     jsonb not null,
  uid         text,
  user_code   text,
  grant_id    text,
  account_id  uuid,
  expires_at  timestamptz,
  consumed_at timestamptz,
  primary key (model, id)
);

create index on sign_in_payloads (model, uid) where uid is not null;
create index on sign_in_payloads (model, user_code) where user_code is not null;
create index on sign_in_payloads (grant_id) where grant_id is not null;
create index on sign_in_payloads (account_id) where model = 'Session';
create index on sign_in_payloads (expires_at);

-- Signing keys, cookie keys and the secrets of clients: made at the first start, the same for every process.
create table sign_in_keys (
  name       text primary key,
  value      jsonb not null,
  created_at timestamptz not null
);

-- Guesses at passwords, by a hash of account and address, and by a hash of the address alone.
create table sign_in_failures (
  key            text primary key,
  failures       int not null check (failures >= 0),
  last_failed_at timestamptz not null,
  blocked_until  timestamptz
);

create index on sign_in_failures (last_failed_at);

-- Counters of rate-limiter-flexible, whose layout this is; used by the whole product.
create table rate_limits (
  key    varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
