-- expands: one more way to sign in; a version that does not know it offers none, and nothing else changes.

-- A key pair that the person's device keeps for this site (WebAuthn); the device asks for a finger, a face or a PIN.
create table sign_in_passkeys (
  -- The credential id that the device chose, in base64url.
  id           text primary key check (length(id) between 1 and 1400),
  account_id   uuid not null references sign_in_accounts on delete cascade,
  -- COSE, as the device gave it.
  public_key   bytea not null,
  -- How often it was used, as the device counts; one that goes back shows a copy.
  counter      bigint not null check (counter >= 0),
  name         text not null check (length(name) between 1 and 60),
  created_at   timestamptz not null,
  last_used_at timestamptz
);

create index on sign_in_passkeys (account_id);

-- What a device is asked to sign: once, for a few minutes, by one browser. A row is deleted when it is answered.
create table sign_in_passkey_challenges (
  id         text primary key,
  purpose    text not null check (purpose in ('add', 'enter')),
  bound_to   text not null,
  account_id uuid references sign_in_accounts on delete cascade,
  challenge  text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check ((purpose = 'add') = (account_id is not null))
);

create index on sign_in_passkey_challenges (bound_to);
create index on sign_in_passkey_challenges (account_id);
create index on sign_in_passkey_challenges (expires_at);
