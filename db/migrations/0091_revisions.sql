-- expands: the document of a running request may be replaced; what was sent and every correction stay.

alter table signing_requests add column revision integer not null default 1 check (revision > 0);
-- Over which revision it was given.
alter table request_signatures add column revision integer not null default 1 check (revision > 0);

-- The documents of a request that was corrected, the first one too; none while there is only one.
create table request_revisions (
  request_id uuid not null references signing_requests,
  revision   integer not null check (revision > 0),
  file_id    uuid not null references files,
  file_name  text not null,
  format     text not null check (format in ('pdf', 'docx', 'xlsx', 'doc', 'xls')),
  -- The number of the event from which on everything is about this document.
  from_event integer not null check (from_event > 0),
  primary key (request_id, revision)
);

create index on request_revisions (file_id);

create trigger append_only before update or delete on request_revisions
  for each row execute function refuse_change();
create trigger append_only_all before truncate on request_revisions
  for each statement execute function refuse_change();

-- A document changes only together with its revision, and one at a time.
create function refuse_silent_correction() returns trigger language plpgsql as $$
begin
  if (new.file_id, new.file_name, new.format) is distinct from (old.file_id, old.file_name, old.format)
      and new.revision <> old.revision + 1 then
    raise exception 'a document is replaced by a new revision only';
  end if;
  if new.revision not in (old.revision, old.revision + 1) then
    raise exception 'revisions follow each other';
  end if;
  return new;
end $$;

drop trigger immutable on signing_requests;
create trigger immutable
  before update of id, organization_id, author_id, signing_date, is_quick, is_timestamp_required, language, created_at
  on signing_requests
  for each row execute function refuse_other_contents();
create trigger revisions before update of file_id, file_name, format, revision on signing_requests
  for each row execute function refuse_silent_correction();

drop trigger immutable on request_signatures;
create trigger immutable
  before update of id, request_id, attempt, point_id, actor, actor_id, comment, address, file_id, cms, timestamped_cms,
    received_at, revision on request_signatures
  for each row execute function refuse_other_contents();

-- A deleted document takes its text with it, unless a request has or had the same file.
create or replace function search_text_removed() returns trigger language plpgsql as $$
begin
  delete from search_texts t using changed c
    where t.file_id = c.file_id
      and not exists (select from signing_requests r where r.file_id = c.file_id)
      and not exists (select from request_revisions v where v.file_id = c.file_id)
      and not exists (select from documents d where d.file_id = c.file_id);
  return null;
end $$;

-- The text of what is sent now is found as that of what was sent first.
create function search_text_corrected() returns trigger language plpgsql as $$
begin
  insert into search_texts (file_id, keys)
    select new.file_id, array['@o' || new.organization_id] || coalesce((
      select array_agg(distinct '@i' || i.inbox) from request_inboxes i
      where i.request_id = new.id and not exists (
        select from groups g where g.id::text = i.inbox and g.organization_id = new.organization_id)), '{}')
    on conflict (file_id) do update set keys = array(
      select distinct unnest(search_texts.keys || excluded.keys));
  return null;
end $$;

create trigger search_text_corrected after update of file_id on signing_requests
  for each row execute function search_text_corrected();
