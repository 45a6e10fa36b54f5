-- Programs that act for an organisation: the tokens they come with, and the calls they have made, so that a repeated call
-- acts once (docs/decisions/031-who-acts-for-a-program.md, 032-repeated-calls-of-programs.md).

-- None is ever deleted: the history of requests names the program.
create table program_tokens (
  id                uuid primary key,
  organization_id   uuid not null references organizations (id),
  name              text not null check (name <> '' and length(name) <= 100),
  -- SHA-256 of the token, which is shown once and kept nowhere.
  token_hash        bytea not null unique check (length(token_hash) = 32),
  -- The last characters, by which its owner recognises it.
  ending            text not null check (length(ending) = 4),
  -- The member in whose name it acts.
  acts_as           uuid not null references users (id),
  scopes            text[] not null check (cardinality(scopes) > 0),
  -- Addresses and blocks from which it may be used; none: from anywhere.
  addresses         text[] not null,
  expires_at        timestamptz not null,
  made_by           uuid not null references users (id),
  made_at           timestamptz not null,
  last_used_at      timestamptz,
  last_used_address text check (length(last_used_address) <= 45),
  revoked_by        uuid references users (id),
  revoked_at        timestamptz,
  check ((revoked_by is null) = (revoked_at is null)),
  check ((last_used_at is null) = (last_used_address is null))
);

create index on program_tokens (organization_id, made_at desc, id desc);

create trigger immutable
  before update of id, organization_id, token_hash, acts_as, scopes, made_by, made_at on program_tokens
  for each row execute function refuse_other_contents();

-- A call that changes something, by the key that the program chose for it.
create table program_calls (
  token_id    uuid not null references program_tokens (id),
  key         text not null check (length(key) between 1 and 200),
  -- SHA-256 of the call and what it brought: a key stands for one call only.
  fingerprint bytea not null check (length(fingerprint) = 32),
  -- What the call makes carries this id, also when the call is repeated.
  call_id     uuid not null,
  begun_at    timestamptz not null,
  -- The text of the response, so that it is repeated letter by letter; null: the call is under way, broke off or was refused.
  response    text,
  primary key (token_id, key)
);

create index on program_calls (begun_at);
