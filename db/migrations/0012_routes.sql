-- Routes and route templates: points in order, with every version that was ever saved. Rules are in domain/routes.

create table routes (
  id              uuid primary key,
  organization_id uuid not null references organizations,
  author_id       uuid not null references users,
  kind            text not null check (kind in ('route', 'template')),
  name            text not null check (name <> '' and length(name) <= 250),
  description     text not null check (length(description) <= 500),
  scope           text not null check (scope in ('personal', 'common')),
  -- of its points, kept with it: lists show them without reading any point
  type            integer not null check (type between 1 and 8191),
  points_count    integer not null check (points_count > 0),
  turns_count     integer not null check (turns_count between 1 and points_count),
  template_id     uuid,
  is_active       boolean not null default true,
  version         integer not null default 1,
  created_at      timestamptz not null,
  unique (organization_id, id),
  foreign key (organization_id, template_id) references routes (organization_id, id),
  check (kind = 'route' or template_id is null)
);

create trigger immutable before update of id, organization_id, author_id, kind, template_id, created_at on routes
  for each row execute function refuse_other_contents();

create index on routes (organization_id, template_id) where template_id is not null;
-- Every list is a few pieces (whose, which scope, in use or not), each in the order it is shown.
create index routes_by_created on routes (organization_id, kind, scope, is_active, created_at desc, id desc);
create index routes_by_name on routes (organization_id, kind, scope, is_active, name, id);
create index routes_of_author_by_created
  on routes (organization_id, kind, author_id, scope, is_active, created_at desc, id desc);
create index routes_of_author_by_name on routes (organization_id, kind, author_id, scope, is_active, name, id);

do $$
begin
  if (select count(*) from pg_extension where extname in ('pg_trgm', 'btree_gin')) = 2 then
    -- Names alone: an organisation with a million routes would be read through in the index each time it is asked.
    -- Where a name is not rare, the indexes above find it.
    create index routes_names on routes using gin (lower(name) gin_trgm_ops);
  else
    create index routes_names on routes (organization_id, kind, lower(name) text_pattern_ops);
  end if;
end $$;

-- A point that stands in a route cannot go, whosever it is: a counterparty's published point belongs to another
-- organisation.
create table route_points (
  organization_id uuid not null references organizations,
  route_id        uuid not null,
  point_id        uuid not null references points,
  "order"         integer not null check ("order" > 0),
  place           integer not null, -- among those of its order, as they were put
  primary key (route_id, point_id),
  foreign key (organization_id, route_id) references routes (organization_id, id) on delete cascade
);

create index on route_points (point_id);

-- As it was saved each time. Points are kept by their names: they may have gone since.
create table route_versions (
  organization_id uuid not null references organizations,
  route_id        uuid not null,
  version         integer not null check (version > 0),
  name            text not null,
  description     text not null,
  scope           text not null,
  is_active       boolean not null,
  points          jsonb not null,
  saved_by        uuid not null references users,
  saved_at        timestamptz not null,
  primary key (route_id, version),
  foreign key (organization_id, route_id) references routes (organization_id, id) on delete cascade
);

create trigger append_only before update on route_versions for each row execute function refuse_change();

-- How long each list is, by the pieces that lists are made of.
create table route_counts (
  organization_id uuid not null references organizations,
  kind            text not null,
  author_id       uuid not null references users,
  scope           text not null,
  is_active       boolean not null,
  count           integer not null check (count >= 0),
  primary key (organization_id, kind, author_id, scope, is_active)
);

create function count_routes() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into route_counts
      select organization_id, kind, author_id, scope, is_active, count(*) from came
        group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (organization_id, kind, author_id, scope, is_active)
        do update set count = route_counts.count + excluded.count;
  end if;
  if tg_op <> 'INSERT' then
    update route_counts c set count = c.count - g.count
      from (select organization_id, kind, author_id, scope, is_active, count(*)::int as count
            from gone group by 1, 2, 3, 4, 5) g
      where (c.organization_id, c.kind, c.author_id, c.scope, c.is_active)
        = (g.organization_id, g.kind, g.author_id, g.scope, g.is_active);
  end if;
  return null;
end $$;

create trigger counted_in after insert on routes
  referencing new table as came for each statement execute function count_routes();
create trigger counted_over after update on routes
  referencing old table as gone new table as came for each statement execute function count_routes();
create trigger counted_out after delete on routes
  referencing old table as gone for each statement execute function count_routes();
