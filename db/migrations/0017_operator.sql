-- What those who run the installation see and do.

-- Every act of an operator, from the page or from the command line. Append-only.
create table operator_acts (
  id      bigint generated always as identity primary key,
  at      timestamptz not null,
  -- null: the command line, whoever sat at it
  by      uuid references users,
  type    text not null check (length(type) between 1 and 50),
  details jsonb not null
);

create trigger append_only before update or delete on operator_acts
  for each row execute function refuse_change();
create trigger append_only_all before truncate on operator_acts
  for each statement execute function refuse_change();

-- Each backup that came to an end, good or bad.
create table backups (
  id          uuid primary key,
  began_at    timestamptz not null,
  ended_at    timestamptz not null,
  place       text not null,
  -- null: done
  failure     text,
  is_verified boolean not null,
  rows        bigint not null,
  files       bigint not null,
  bytes       bigint not null
);

create index on backups (ended_at desc);

-- A certificate may have been revoked when it signed, without the centre having said so yet: asked once more a day later.
-- What was decided then is never changed; this stands beside it.
create table signature_rechecks (
  signature_id uuid primary key references request_signatures,
  tries        integer not null check (tries > 0),
  checked_at   timestamptz not null,
  -- null: the centre could not be asked, it is tried again
  outcome      text check (outcome in ('good', 'revoked-later', 'revoked-before', 'unknown')),
  revoked_at   timestamptz,
  next_try_at  timestamptz,
  check ((outcome is null) = (next_try_at is not null))
);

create index on signature_rechecks (next_try_at) where outcome is null;
create index on signature_rechecks (checked_at desc) where outcome = 'revoked-before';
create index signatures_to_recheck on request_signatures (checked_at) where state = 'accepted';

-- What the owners of an organisation were told about a subscription: once each.
create table subscription_letters (
  subscription_id uuid not null references subscriptions on delete cascade,
  kind            text not null check (kind in ('began', 'ending', 'ended')),
  at              timestamptz not null,
  primary key (subscription_id, kind)
);
