-- Outsiders in the application, and organisations that people prove to speak for by a digital signature.

-- Within one sign-in service a number is one person's; another service's word about it takes nothing away.
alter table users add column iin text check (iin ~ '^[0-9]{12}$');
create unique index users_iin on users (issuer, iin) where iin is not null;

-- Proved a number by a signature and has no account. Other numbers make another outsider, also of the same subject:
-- so no session ever comes to speak for a number that was not proved when it began.
create table outsiders (
  id           uuid primary key,
  issuer       text not null,
  subject      text not null,
  iin          text not null check (iin ~ '^[0-9]{12}$'),
  bin          text check (bin ~ '^[0-9]{12}$'),
  full_name    text not null check (full_name <> ''),
  organization text,
  language     text not null check (language in ('ru', 'kk', 'en')),
  created_at   timestamptz not null,
  last_came_at timestamptz not null,
  constraint outsiders_key unique nulls not distinct (issuer, subject, iin, bin)
);

alter table sessions
  alter column user_id drop not null,
  add column outsider_id uuid references outsiders on delete cascade,
  add constraint sessions_of_one check (num_nonnulls(user_id, outsider_id) = 1);
create index on sessions (outsider_id);

-- What people sign to speak for an organisation: new each time, of one session, for one answer.
create table organization_challenges (
  id           text primary key check (length(id) >= 22),
  session_hash bytea not null references sessions on delete cascade,
  content      bytea not null, -- what is signed, byte for byte
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz
);

create index on organization_challenges (session_hash);
create index on organization_challenges (expires_at);

-- Append-only: by which signature somebody came to speak for an organisation, with all that the check rested on.
create table organization_signatures (
  id              uuid primary key,
  organization_id uuid not null references organizations,
  by              uuid not null references users,
  at              timestamptz not null,
  content         bytea not null,
  cms             bytea not null,
  verdict         text not null check (verdict in ('TOTAL-PASSED', 'TOTAL-FAILED', 'INDETERMINATE')),
  evidence        jsonb not null
);

create index on organization_signatures (organization_id, at);

create trigger append_only before update or delete on organization_signatures
  for each row execute function refuse_change();

-- A second claim of a confirmed organisation waits for the consent of its owners.
create table join_requests (
  id              uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  user_id         uuid not null references users on delete cascade,
  signature_id    uuid not null references organization_signatures,
  created_at      timestamptz not null,
  decided_at      timestamptz,
  decided_by      uuid references users,
  is_accepted     boolean,
  check (num_nonnulls(decided_at, decided_by, is_accepted) in (0, 3))
);

create unique index join_requests_open on join_requests (organization_id, user_id) where decided_at is null;
create index on join_requests (user_id);
