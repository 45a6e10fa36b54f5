-- expands: an older version adds the same rows, and they are found from the same moment on
-- A request that is sent was written down for the search three times: when it was added, with its points, and with its inboxes. Once is
-- enough, at the commit, when all of it is there.
create or replace function search_changed() returns trigger language plpgsql as $$
declare
  ids uuid[];
begin
  execute format('select array_agg(distinct %I) from changed', tg_argv[1]) into ids;
  -- One without an entry is being added by this transaction, and gets it at the commit.
  if tg_argv[0] = 'request' then
    select array_agg(e.id) into ids from search_entries e where e.kind = 'request' and e.id = any (ids);
  end if;
  if ids is not null then perform search_refresh(tg_argv[0], ids); end if;
  return null;
end $$;

drop trigger search_added on signing_requests;
create constraint trigger search_added after insert on signing_requests
  deferrable initially deferred for each row execute function search_changed_row('request');
