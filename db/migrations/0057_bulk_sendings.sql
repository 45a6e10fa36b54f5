-- Bulk sending: a table, what its columns are for, and what became of each row. Rules are in domain/bulk.

create table bulk_sendings (
  id              uuid primary key,
  organization_id uuid not null references organizations,
  author_id       uuid not null references users,
  file_name       text not null check (file_name <> '' and length(file_name) <= 250),
  columns         text[] not null,
  plan            jsonb,
  -- The text of the template as it was when sending began: all rows are of one text.
  template        text,
  variables       jsonb,
  language        text not null check (language in ('ru', 'kk', 'en')),
  address         text not null,
  state           text not null check (state in ('draft', 'running', 'paused', 'done')),
  -- The process that sends renews it; when it has passed, another may go on.
  lease_until     timestamptz,
  created_at      timestamptz not null,
  changed_at      timestamptz not null,
  check (state = 'draft' or (plan is not null and template is not null and variables is not null))
);

create index bulk_sendings_of_author on bulk_sendings (organization_id, author_id, created_at desc, id desc);
create index bulk_sendings_running on bulk_sendings (lease_until nulls first) where state = 'running';

create table bulk_rows (
  bulk_id    uuid not null references bulk_sendings on delete cascade,
  number     integer not null,
  cells      text[] not null,
  -- What could not be read.
  problems   jsonb not null,
  state      text not null check (state in ('waiting', 'skipped', 'sent', 'failed')),
  failure    jsonb,
  request_id uuid references signing_requests,
  primary key (bulk_id, number),
  -- A row is sent exactly if there is its request: both are written by one transaction.
  check ((state = 'sent') = (request_id is not null))
);

create unique index bulk_rows_requests on bulk_rows (request_id) where request_id is not null;
create index bulk_rows_waiting on bulk_rows (bulk_id, number) where state = 'waiting';
