-- Who acts instead of whom, from one day to another (domain/substitutions). Rows are never taken away: what was done by a
-- substitute must be explainable for as long as the document is.

create table substitutions (
  id              uuid primary key,
  organization_id uuid not null references organizations,
  absent_id       uuid not null references users,
  substitute_id   uuid not null references users,
  -- days in Almaty, both included
  from_date       date not null,
  to_date         date not null,
  created_at      timestamptz not null,
  ended_at        timestamptz,
  ended_by        uuid references users,
  check (absent_id <> substitute_id),
  check (from_date <= to_date),
  check (num_nulls(ended_at, ended_by) in (0, 2))
);

create index on substitutions (substitute_id, organization_id, to_date) where ended_at is null;
create index on substitutions (organization_id, to_date) where ended_at is null;
create index on substitutions (organization_id, absent_id, from_date desc, id desc);
create index on substitutions (organization_id, substitute_id, from_date desc, id desc);

create trigger immutable
  before update of id, organization_id, absent_id, substitute_id, from_date, to_date, created_at on substitutions
  for each row execute function refuse_other_contents();
create trigger stays before delete on substitutions for each row execute function refuse_change();

-- Who acted at a point instead of somebody: what one signed one may look at for good.
alter table request_points add column stood_in uuid[] not null default '{}';
