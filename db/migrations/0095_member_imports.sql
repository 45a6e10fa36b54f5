-- expands: tables for the import of members, and the groups into which an invitation leads.

-- Whoever accepts the invitation joins these.
create table invitation_groups (
  invitation_id uuid not null references invitations on delete cascade,
  group_id      uuid not null references groups on delete cascade,
  primary key (invitation_id, group_id)
);

create index on invitation_groups (group_id);

-- The table of people that an organisation imports; the next one takes its place.
create table member_imports (
  id              uuid primary key,
  organization_id uuid not null unique references organizations,
  author_id       uuid not null references users,
  file_name       text not null check (file_name <> '' and length(file_name) <= 250),
  columns         text[] not null,
  -- Of the invitations.
  language        text not null check (language in ('ru', 'kk', 'en')),
  -- The limit of e-mails is reached: it goes on then by itself.
  paused_until    timestamptz,
  created_at      timestamptz not null
);

create table member_import_rows (
  import_id uuid not null references member_imports on delete cascade,
  number    integer not null,
  cells     text[] not null,
  -- What could not be read.
  problems  jsonb not null,
  state     text not null check (state in ('new', 'queued', 'invited', 'failed')),
  failure   jsonb,
  primary key (import_id, number),
  check ((state = 'failed') = (failure is not null))
);

create index member_import_rows_queued on member_import_rows (import_id, number) where state = 'queued';

create trigger refuse_of_moved before insert or update on member_imports
  for each row execute function refuse_of_moved();
