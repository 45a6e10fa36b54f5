-- Files that are kept for ever as they came, and the documents that people uploaded.

-- Searching inside names wants trigrams. They come with every PostgreSQL, but not every database lets us have them:
-- without them names are searched by their beginning.
do $$
begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
exception when others then
  raise notice 'pg_trgm and btree_gin cannot be had: %', sqlerrm;
end $$;

-- The bytes lie in the storage under this id. Whatever needs them refers to the row, which cannot go before those do.
create table files (
  id              uuid primary key,
  organization_id uuid not null references organizations,
  sha256          bytea not null check (length(sha256) = 32),
  size            integer not null check (size > 0),
  created_at      timestamptz not null,
  released_at     timestamptz -- nobody asked for it any more: swept if nothing refers to it
);

create index on files (released_at) where released_at is not null;

create function refuse_other_contents() returns trigger language plpgsql as $$
begin raise exception 'what a row of % was made with never changes', tg_table_name; end $$;

create trigger immutable before update of id, organization_id, sha256, size, created_at on files
  for each row execute function refuse_other_contents();

create table documents (
  id              uuid primary key,
  organization_id uuid not null references organizations,
  author_id       uuid not null references users,
  file_id         uuid not null references files,
  name            text not null check (length(name) between 1 and 250),
  description     text not null check (length(description) <= 1000),
  visibility      text not null check (visibility in ('private', 'public')),
  format          text not null check (format in ('pdf', 'docx', 'xlsx')),
  version         integer not null default 1,
  created_at      timestamptz not null
);

create trigger immutable
  before update of id, organization_id, author_id, file_id, name, visibility, format, created_at on documents
  for each row execute function refuse_other_contents();

create index on documents (file_id);
-- One index for each list and each order of it: a page of a million is found as fast as a page of a thousand.
create index documents_mine on documents (organization_id, author_id, created_at desc, id desc);
create index documents_mine_by_name on documents (organization_id, author_id, name, id);
create index documents_public on documents (organization_id, created_at desc, id desc) where visibility = 'public';
create index documents_public_by_name on documents (organization_id, name, id) where visibility = 'public';
create index documents_all on documents (organization_id, created_at desc, id desc);
create index documents_all_by_name on documents (organization_id, name, id);

do $$
begin
  if (select count(*) from pg_extension where extname in ('pg_trgm', 'btree_gin')) = 2 then
    create index documents_names on documents using gin (organization_id, lower(name) gin_trgm_ops);
  else
    create index documents_names on documents (organization_id, lower(name) text_pattern_ops);
  end if;
end $$;

-- How long each list is, kept while documents come and go: nobody counts a million rows to show ten.
create table document_counts (
  organization_id uuid not null references organizations,
  author_id       uuid not null references users,
  visibility      text not null,
  count           integer not null check (count >= 0),
  primary key (organization_id, author_id, visibility)
);

create function count_documents() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into document_counts
      select organization_id, author_id, visibility, count(*) from changed group by 1, 2, 3 order by 1, 2, 3
      on conflict (organization_id, author_id, visibility)
        do update set count = document_counts.count + excluded.count;
  else
    update document_counts c set count = c.count - gone.count
      from (select organization_id, author_id, visibility, count(*)::int as count from changed group by 1, 2, 3) gone
      where (c.organization_id, c.author_id, c.visibility) = (gone.organization_id, gone.author_id, gone.visibility);
  end if;
  return null;
end $$;

create trigger counted_in after insert on documents
  referencing new table as changed for each statement execute function count_documents();
create trigger counted_out after delete on documents
  referencing old table as changed for each statement execute function count_documents();
