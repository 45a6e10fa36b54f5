-- How long the lists of classifiers and points are, kept while rows come and go: nobody counts a million rows
-- to show ten.

create table classifier_counts (
  organization_id uuid primary key references organizations,
  count           integer not null check (count >= 0)
);

create function count_classifiers() returns trigger language plpgsql as $$
begin
  insert into classifier_counts
    select organization_id, count(*) from came group by 1 order by 1
    on conflict (organization_id) do update set count = classifier_counts.count + excluded.count;
  return null;
end $$;

create trigger counted_in after insert on classifiers
  referencing new table as came for each statement execute function count_classifiers();
create trigger stays before delete on classifiers for each row execute function refuse_change();

insert into classifier_counts select organization_id, count(*) from classifiers group by 1;

-- By the pieces that the lists of points are made of.
create table point_counts (
  organization_id uuid not null references organizations,
  author_id       uuid not null references users,
  scope           text not null,
  type            integer not null,
  count           integer not null check (count >= 0),
  primary key (organization_id, author_id, scope, type)
);

create function count_points() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into point_counts
      select organization_id, author_id, scope, type, count(*) from came group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (organization_id, author_id, scope, type)
        do update set count = point_counts.count + excluded.count;
  end if;
  if tg_op <> 'INSERT' then
    update point_counts c set count = c.count - g.count
      from (select organization_id, author_id, scope, type, count(*)::int as count
            from gone group by 1, 2, 3, 4) g
      where (c.organization_id, c.author_id, c.scope, c.type) = (g.organization_id, g.author_id, g.scope, g.type);
  end if;
  return null;
end $$;

create trigger counted_in after insert on points
  referencing new table as came for each statement execute function count_points();
create trigger counted_over after update on points
  referencing old table as gone new table as came for each statement execute function count_points();
create trigger counted_out after delete on points
  referencing old table as gone for each statement execute function count_points();

insert into point_counts select organization_id, author_id, scope, type, count(*) from points group by 1, 2, 3, 4;

-- Names are looked for by their letters alone: an index that has the organisation too reads all of a large organisation to
-- find one name in it. In a small one nobody needs an index of names.
do $$
begin
  if (select count(*) from pg_extension where extname in ('pg_trgm', 'btree_gin')) = 2 then
    drop index documents_names;
    drop index classifiers_names;
    drop index points_names;
    create index documents_names on documents using gin (lower(name) gin_trgm_ops);
    create index classifiers_names on classifiers using gin (lower(name) gin_trgm_ops);
    create index points_names on points using gin (lower(name) gin_trgm_ops);
  end if;
end $$;
