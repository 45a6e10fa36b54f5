-- Classifiers (tags of requests) and points (steps of routes). Rules are in domain/classifiers and domain/points.

-- What a person typed, as a pattern for lower(name). Inside of names it is looked for with trigrams, which need three
-- letters; where there are none, and for one or two letters, by the beginning.
do $$
declare has_trigrams boolean :=
  (select count(*) = 2 from pg_extension where extname in ('pg_trgm', 'btree_gin'));
begin
  execute format($f$
    create function name_pattern(typed text) returns text language sql immutable as $body$
      select case when %L::boolean and length(typed) > 2 then '%%' else '' end
        || lower(regexp_replace(typed, '([\\%%_])', '\\\1', 'g')) || '%%'
    $body$ $f$, has_trigrams);
end $$;

create table classifiers (
  id              uuid primary key,
  organization_id uuid not null references organizations,
  author_id       uuid not null references users,
  name            text not null check (name <> '' and length(name) <= 256),
  version         integer not null default 1,
  created_at      timestamptz not null
);

create unique index classifiers_name on classifiers (organization_id, lower(name));
create index classifiers_by_created on classifiers (organization_id, created_at desc, id desc);
create index classifiers_by_name on classifiers (organization_id, name, id);

create table points (
  id                            uuid primary key,
  organization_id               uuid not null references organizations,
  author_id                     uuid not null references users,
  name                          text not null check (name <> '' and length(name) <= 250),
  description                   text not null check (length(description) <= 250),
  type                          integer not null
    check (type in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)),
  scope                         text not null check (scope in ('personal', 'common')),
  -- null also when the group was removed: the point then waits for another
  group_id                      uuid,
  agreement_condition           text not null check (agreement_condition in ('any', 'all')),
  is_eds_presentation_required  boolean not null,
  bin                           text check (bin ~ '^[0-9]{12}$'),
  organization_name             text not null check (length(organization_name) <= 250),
  is_active                     boolean not null default true,
  version                       integer not null default 1,
  created_at                    timestamptz not null,
  foreign key (organization_id, group_id) references groups (organization_id, id) on delete set null (group_id),
  -- A number outside is what the external kinds are about; people told directly (512) have none.
  check (type = 512 or (type & 2468 <> 0) = (bin is not null)),
  -- A published point is nobody's secret.
  check (type <> 4096 or scope = 'common')
);

create index on points (organization_id, group_id);
create index on points (organization_id, bin, created_at desc, id desc) where bin is not null;
-- Every list is a few pieces (whose, which scope, which kind), each in the order it is shown: a page of a million is
-- merged from them as fast as a page of a thousand. What quick sending makes is in no list of people.
create index points_by_created on points (organization_id, scope, created_at desc, id desc)
  include (type, is_active) where type not in (64, 128, 512);
create index points_by_name on points (organization_id, scope, name, id)
  include (type, is_active) where type not in (64, 128, 512);
create index points_of_author_by_created on points (organization_id, author_id, scope, created_at desc, id desc)
  include (type, is_active) where type not in (64, 128, 512);
create index points_of_author_by_name on points (organization_id, author_id, scope, name, id)
  include (type, is_active) where type not in (64, 128, 512);
create index points_of_type_by_created on points (organization_id, scope, type, created_at desc, id desc)
  include (is_active);
create index points_of_type_by_name on points (organization_id, scope, type, name, id) include (is_active);
create index points_published on points (organization_id, name, id) where type = 4096 and is_active;

do $$
begin
  if (select count(*) from pg_extension where extname in ('pg_trgm', 'btree_gin')) = 2 then
    create index classifiers_names on classifiers using gin (organization_id, lower(name) gin_trgm_ops);
    create index points_names on points using gin (organization_id, lower(name) gin_trgm_ops);
  else
    create index classifiers_names on classifiers (organization_id, lower(name) text_pattern_ops);
    create index points_names on points (organization_id, lower(name) text_pattern_ops);
  end if;
end $$;

create table point_emails (
  point_id uuid not null references points on delete cascade,
  email    text not null check (email <> '' and length(email) <= 254),
  place    integer not null, -- as they were typed
  primary key (point_id, email)
);

-- Who leaves the group is no longer responsible for what is asked of it.
create table point_responsible_persons (
  point_id uuid not null references points on delete cascade,
  group_id uuid not null,
  user_id  uuid not null,
  primary key (point_id, user_id),
  foreign key (group_id, user_id) references group_participants (group_id, user_id) on delete cascade
);

create index on point_responsible_persons (group_id, user_id);

-- What the directory of contractors said, for a day; null: that there is no such number.
create table contractor_names (
  bin      text primary key check (bin ~ '^[0-9]{12}$'),
  name     text check (name <> '' and length(name) <= 250),
  asked_at timestamptz not null
);

create index on contractor_names (asked_at);
