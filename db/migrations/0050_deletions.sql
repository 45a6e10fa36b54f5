-- What somebody deleted, as it was, so that they can put it back for an hour (docs/decisions/028-putting-back.md). It stands in no list
-- and no search: what is deleted is gone from the tables that everything else reads.
create table deletions (
  id              uuid primary key,
  organization_id uuid not null references organizations,
  kind            text not null check (kind in ('document', 'documentTemplate', 'point', 'route', 'routeTemplate')),
  subject_id      uuid not null,
  deleted_by      uuid not null references users,
  deleted_at      timestamptz not null,
  -- its rows, in the order in which they are inserted again
  rows            jsonb not null,
  -- which rows of others referred to it
  referring       jsonb not null
);

create index on deletions (deleted_at);
