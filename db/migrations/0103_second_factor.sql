-- A second proof at sign-ins with a password. A version that does not know it lets people in without the code.

-- A program on the person's phone shows codes made of the secret and the time (RFC 6238).
create table sign_in_second_factors (
  account_id   uuid primary key references sign_in_accounts on delete cascade,
  secret       bytea not null check (length(secret) >= 20),
  -- Null: the first code was not typed yet, so nothing is asked at sign-ins.
  confirmed_at timestamptz,
  -- The newest code that was used, by its half minute: each is taken once.
  last_step    bigint not null,
  created_at   timestamptz not null
);

-- For a lost phone; each is taken once.
create table sign_in_recovery_codes (
  account_id uuid not null references sign_in_second_factors on delete cascade,
  sha256     bytea not null,
  primary key (account_id, sha256)
);

-- A sign-in whose password was right and whose code is awaited.
create table sign_in_second_steps (
  interaction_uid text primary key,
  account_id      uuid not null references sign_in_accounts on delete cascade,
  -- The proved number that the account gets when the code is right.
  iin             text,
  expires_at      timestamptz not null
);

create index on sign_in_second_steps (account_id);
create index on sign_in_second_steps (expires_at);
