-- The texts of documents, to be found by. A row waits from the moment a document or a request has the file; a job reads the
-- file and writes the text down (docs/decisions/027-texts-of-documents.md). It goes with the file.
create table search_texts (
  file_id       uuid primary key references files on delete cascade,
  -- The organisations and inboxes that may find it; who of them sees it is decided later.
  keys          text[] not null,
  -- waiting: to be read; read; scan: it has no text, only pictures; failed: its reader gave up
  state         text not null default 'waiting' check (state in ('waiting', 'read', 'scan', 'failed')),
  tries         integer not null default 0,
  -- while a process reads it
  claimed_until timestamptz,
  words         tsvector,
  -- one text for each page; a document without pages has one
  pages         text[]
);

create index search_texts_words on search_texts using gin (keys, words) with (fastupdate = off);
-- Always by the index, as for names.
create function search_texts_found(whose text[], wanted tsquery, most integer) returns setof uuid
language plpgsql stable set enable_seqscan = off as $$
begin return query select t.file_id from search_texts t where t.keys && whose and t.words @@ wanted limit most; end $$;

-- Newer files have greater ids, and are read first.
create index search_texts_waiting on search_texts (file_id desc) where state = 'waiting';

create function search_text_added() returns trigger language plpgsql as $$
begin
  insert into search_texts (file_id, keys)
    select distinct on (c.file_id) c.file_id, array['@o' || c.organization_id] from changed c order by c.file_id
    on conflict (file_id) do nothing;
  return null;
end $$;

create trigger search_text_added after insert on documents referencing new table as changed
  for each statement execute function search_text_added();
create trigger search_text_added after insert on signing_requests referencing new table as changed
  for each statement execute function search_text_added();

-- Others than the organisation of the file find its text from when the request has reached them.
create function search_text_reached() returns trigger language plpgsql as $$
begin
  update search_texts t set keys = t.keys || n.keys
    from (
      select r.file_id, array_agg(distinct '@i' || c.inbox) as keys
      from changed c join signing_requests r on r.id = c.request_id
      where not exists (
        select from groups g where g.id::text = c.inbox and g.organization_id = r.organization_id)
      group by r.file_id) n
    where t.file_id = n.file_id and not t.keys @> n.keys;
  return null;
end $$;

create trigger search_text_reached after insert on request_inboxes referencing new table as changed
  for each statement execute function search_text_reached();

-- A deleted document takes its text with it, unless a request has the same file.
create function search_text_removed() returns trigger language plpgsql as $$
begin
  delete from search_texts t using changed c
    where t.file_id = c.file_id
      and not exists (select from signing_requests r where r.file_id = c.file_id)
      and not exists (select from documents d where d.file_id = c.file_id);
  return null;
end $$;

create trigger search_text_removed after delete on documents referencing old table as changed
  for each statement execute function search_text_removed();

-- What is there already waits to be read.
insert into search_texts (file_id, keys)
  select f.id, array['@o' || f.organization_id] || coalesce((
    select array_agg(distinct '@i' || i.inbox)
    from signing_requests r join request_inboxes i on i.request_id = r.id
    where r.file_id = f.id and not exists (
      select from groups g where g.id::text = i.inbox and g.organization_id = r.organization_id)), '{}')
  from files f
  where exists (select from documents d where d.file_id = f.id)
    or exists (select from signing_requests r where r.file_id = f.id);
