-- Finding anything: one row for each thing that can be found, with its words and with the keys of those who may find it.
-- Triggers keep the rows in the transaction of every change, so no slice can forget them. The keys only choose candidates;
-- whether somebody sees a candidate is decided by the rules of its list and page (docs/decisions/026-search.md).

-- The spelling in which words are compared; the same as `fold` in domain/search/folding.ts, and a test compares them.
-- Letters are listed, because lower() does not know them in every locale.
create function search_fold(given text) returns text language sql immutable parallel safe strict as $$
  select translate(normalize(given, nfc),
    'ABCDEFGHIJKLMNOPQRSTUVWXYZАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ'
      || 'ЁёӘәҒғҚқҢңӨөҰұҮүҺһІіÄäÁáĞğÑñÖöÓóŞşÜüŪūÚúİıÇçÉé',
    'abcdefghijklmnopqrstuvwxyzабвгдежзийклмнопрстуфхцчшщъыьэюя'
      || 'ееааггккннооууууххииaaaaggnnoooossuuuuuuiiccee')
$$;

-- The words of a text: runs of letters and digits. A number with its signs (77/2026) is also a word as a whole.
create function search_words(given text) returns text[] language sql immutable parallel safe strict as $$
  select coalesce(array_agg(distinct left(word, 64)), '{}')
  from regexp_matches(search_fold(given), '[0-9a-zа-я]+(?:[/.-][0-9a-zа-я]+)*', 'g') as found (run),
    lateral (
      select regexp_split_to_table(run[1], '[/.-]') as word
      union all
      select translate(run[1], '.-', '//') where run[1] ~ '[/.-]' and run[1] ~ '[0-9]') as words
$$;

create table search_entries (
  kind  text collate "C" not null
    check (kind in ('request', 'document', 'template', 'route', 'routeTemplate', 'point', 'person')),
  id    uuid not null,
  -- The words, and among them the kind and the keys of those who may find it, which begin with @.
  words tsvector not null,
  primary key (kind, id)
);

-- Written at once: searching through pending words would cost more than writing them down.
create index search_entries_words on search_entries using gin (words) with (fastupdate = off);

-- Always by the index: the planner expects a beginning of a word to be frequent, and would read the whole table for a rare one.
create function search_found(wanted tsquery, most integer) returns setof uuid
language plpgsql stable set enable_seqscan = off as $$
begin return query select e.id from search_entries e where e.words @@ wanted limit most; end $$;

-- Who may find a thing of an organisation: @o its owners, @a its author, @p all members.
create function search_keys(organization_id uuid, author_id uuid, is_common boolean)
returns text[] language sql immutable parallel safe as $$
  select array['@o' || organization_id, '@a' || organization_id || author_id]
    || case when is_common then array['@p' || organization_id] else '{}' end
$$;

-- The rows that these things should have.
create function search_rows(kind text, ids uuid[]) returns table (id uuid, words text[]) language plpgsql stable as $$
begin
  if kind = 'request' then
    return query
      select r.id,
        search_words(concat_ws(' ', r.name, r.description, r.file_name, r.sender_name, r.sender_bin, p.parties))
          || search_keys(r.organization_id, r.author_id, false) || coalesce(i.keys, '{}')
      from signing_requests r
        left join lateral (
          select string_agg(concat_ws(' ', p.organization_name, p.bin), ' ') as parties
          from request_points p where p.request_id = r.id and p.attempt = 0) p on true
        left join lateral (
          select array_agg('@i' || i.inbox) as keys from request_inboxes i where i.request_id = r.id) i on true
      where r.id = any (ids);
  elsif kind = 'document' then
    return query
      select d.id, search_words(concat_ws(' ', d.name, d.description))
        || search_keys(d.organization_id, d.author_id, d.visibility = 'public')
      from documents d where d.id = any (ids);
  elsif kind = 'template' then
    return query
      select t.id, search_words(concat_ws(' ', t.name, t.description))
        || search_keys(t.organization_id, t.author_id, t.visibility = 'public')
      from document_templates t where t.id = any (ids);
  elsif kind in ('route', 'routeTemplate') then
    return query
      select r.id, search_words(concat_ws(' ', r.name, r.description))
        || search_keys(r.organization_id, r.author_id, r.scope = 'common')
      from routes r
      where r.id = any (ids) and r.kind = case search_rows.kind when 'route' then 'route' else 'template' end;
  elsif kind = 'point' then
    return query
      select p.id, search_words(concat_ws(' ', p.name, p.description, p.organization_name, p.bin))
        || search_keys(p.organization_id, p.author_id, p.scope = 'common')
      from points p where p.id = any (ids);
  elsif kind = 'person' then
    return query
      select u.id, search_words(concat_ws(' ', u.full_name, u.email, u.login))
        || array_agg('@p' || m.organization_id)
      from users u join memberships m on m.user_id = u.id where u.id = any (ids) group by u.id;
  end if;
end $$;

create function search_refresh(of_kind text, ids uuid[]) returns void language plpgsql as $$
begin
  -- Whoever changes the same thing at the same time waits, and then sees what the other has written.
  perform from search_entries e where e.kind = of_kind and e.id = any (ids) order by e.id for update;
  with fresh as materialized (select r.id, r.words from search_rows(of_kind, ids) r),
    gone as (
      delete from search_entries e
      where e.kind = of_kind and e.id = any (ids) and not exists (select from fresh f where f.id = e.id))
  insert into search_entries
    select of_kind, f.id, array_to_tsvector(f.words || ('@k' || of_kind)) from fresh f order by f.id
    on conflict (kind, id) do update set words = excluded.words where search_entries.words <> excluded.words;
end $$;

-- After a statement. The first argument is the kind, the second the column with the id of the thing.
create function search_changed() returns trigger language plpgsql as $$
declare
  ids uuid[];
begin
  execute format('select array_agg(distinct %I) from changed', tg_argv[1]) into ids;
  if ids is not null then perform search_refresh(tg_argv[0], ids); end if;
  return null;
end $$;

-- After the change of a row, for changes of a few columns, which a trigger of statements cannot choose.
create function search_changed_row() returns trigger language plpgsql as $$
begin
  perform search_refresh(tg_argv[0], array[new.id]);
  return null;
end $$;

create trigger search_added after insert on signing_requests referencing new table as changed
  for each statement execute function search_changed('request', 'id');
create trigger search_changed after update of name, description on signing_requests
  for each row execute function search_changed_row('request');
create trigger search_added after insert on request_points referencing new table as changed
  for each statement execute function search_changed('request', 'request_id');
create trigger search_added after insert on request_inboxes referencing new table as changed
  for each statement execute function search_changed('request', 'request_id');
create trigger search_removed after delete on request_inboxes referencing old table as changed
  for each statement execute function search_changed('request', 'request_id');

create trigger search_added after insert on documents referencing new table as changed
  for each statement execute function search_changed('document', 'id');
create trigger search_changed after update of description on documents
  for each row execute function search_changed_row('document');
create trigger search_removed after delete on documents referencing old table as changed
  for each statement execute function search_changed('document', 'id');

create trigger search_added after insert on document_templates referencing new table as changed
  for each statement execute function search_changed('template', 'id');
create trigger search_changed after update of name, description, visibility on document_templates
  for each row execute function search_changed_row('template');
create trigger search_removed after delete on document_templates referencing old table as changed
  for each statement execute function search_changed('template', 'id');

create trigger search_added after insert on routes referencing new table as changed
  for each statement execute function search_changed('route', 'id');
create trigger search_changed after update of name, description, scope on routes
  for each row when (new.kind = 'route') execute function search_changed_row('route');
create trigger search_removed after delete on routes referencing old table as changed
  for each statement execute function search_changed('route', 'id');
create trigger search_template_added after insert on routes referencing new table as changed
  for each statement execute function search_changed('routeTemplate', 'id');
create trigger search_template_changed after update of name, description, scope on routes
  for each row when (new.kind = 'template') execute function search_changed_row('routeTemplate');
create trigger search_template_removed after delete on routes referencing old table as changed
  for each statement execute function search_changed('routeTemplate', 'id');

create trigger search_added after insert on points referencing new table as changed
  for each statement execute function search_changed('point', 'id');
create trigger search_changed after update of name, description, scope, bin, organization_name on points
  for each row execute function search_changed_row('point');
create trigger search_removed after delete on points referencing old table as changed
  for each statement execute function search_changed('point', 'id');

create trigger search_added after insert on memberships referencing new table as changed
  for each statement execute function search_changed('person', 'user_id');
create trigger search_removed after delete on memberships referencing old table as changed
  for each statement execute function search_changed('person', 'user_id');
create trigger search_changed after update of full_name, email, login on users
  for each row execute function search_changed_row('person');

-- Also for `ops reindex`: everything anew.
create function search_refresh_all() returns void language plpgsql as $$
begin
  delete from search_entries;
  perform search_refresh('request', array(select id from signing_requests));
  perform search_refresh('document', array(select id from documents));
  perform search_refresh('template', array(select id from document_templates));
  perform search_refresh('route', array(select id from routes where kind = 'route'));
  perform search_refresh('routeTemplate', array(select id from routes where kind = 'template'));
  perform search_refresh('point', array(select id from points));
  perform search_refresh('person', array(select user_id from memberships));
end $$;

select search_refresh_all();
