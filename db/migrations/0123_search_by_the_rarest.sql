-- expands: nothing that an older version uses changes
-- The things with one rare term, of which those are wanted that have everything else too. To join the terms, the index would read the
-- whole list of every beginning of a word, however long. A null at the end says that the list of the rare one was cut off.
create function search_found_by(rare tsquery, wanted tsquery, most integer) returns setof uuid
language plpgsql stable set enable_seqscan = off as $$
begin return query
  with read as materialized (
    select e.id, e.words @@ wanted as is_wanted from search_entries e where e.words @@ rare limit most)
  select r.id from read r where r.is_wanted
  union all
  select null where (select count(*) from read) = most;
end $$;
