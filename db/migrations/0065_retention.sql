-- How long an organisation keeps its documents: a table of rules by kind, each from a day on. Rules are only added, so that it can be
-- told later by which rule a document was kept.
create table retention_terms (
  id              uuid primary key,
  -- Of two rules of one day the later one counts.
  position        bigint generated always as identity,
  organization_id uuid not null references organizations,
  -- Null: for documents of all kinds that have no term of their own.
  kind_id         uuid references document_kinds,
  -- Null: for ever.
  years           integer check (years between 0 and 200),
  basis           text not null check (length(basis) between 1 and 500),
  valid_from      date not null,
  added_by        uuid not null references users,
  added_at        timestamptz not null
);

create index on retention_terms (organization_id);
create trigger append_only before update or delete on retention_terms for each row execute function refuse_change();

-- Documents that a court or an inspection needs: while one is held, its term does not end.
create table legal_holds (
  id              uuid primary key,
  organization_id uuid not null references organizations,
  request_id      uuid not null references signing_requests,
  reason          text not null check (length(reason) between 1 and 500),
  set_by          uuid not null references users,
  set_at          timestamptz not null,
  lifted_by       uuid references users,
  lifted_at       timestamptz,
  check ((lifted_by is null) = (lifted_at is null))
);

create unique index legal_holds_one on legal_holds (organization_id, request_id) where lifted_at is null;
create index on legal_holds (request_id);

-- The documents of an organisation that have ended, the longest ended first.
create index signing_requests_ended on signing_requests (organization_id, status_changed_at, id)
  where status in (4, 8, 16, 1024);
