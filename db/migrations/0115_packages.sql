-- Several documents that are sent as one package (decision 093). A version that does not know packages lets people act on one document
-- of those that are acted on together.

create table packages (
  id              uuid primary key,
  organization_id uuid not null references organizations,
  author_id       uuid not null references users,
  name            text not null,
  -- Nobody answers for one of its documents alone.
  is_together     boolean not null,
  created_at      timestamptz not null
);

create index on packages (organization_id);

alter table signing_requests
  add column package_id uuid references packages,
  add column package_position integer check (package_position > 0);

create unique index on signing_requests (package_id, package_position) where package_id is not null;

create trigger refuse_of_moved before insert or update on packages
  for each row execute function refuse_of_moved();

-- The documents that one code of the phone signs beside the first one, with the signatures that came; null: none.
alter table mobile_signings add column also jsonb;
