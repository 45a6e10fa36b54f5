-- The steps ahead of a running request may be changed. A version before this one would show other sides what the sender changed
-- inside (event "rerouted"), and would call a side that was taken out a fault, so this does not only expand.

-- Whoever has had the document stays: only a step that nobody has reached is taken out.
create function refuse_removal_of_reached() returns trigger language plpgsql as $$
begin
  if old.attempt > 0 or old.turn_came_at is not null or old.acted <> '{}' then
    raise exception 'a step that was reached is not taken out of a request';
  end if;
  return old;
end $$;

create trigger reached_stay before delete on request_points
  for each row execute function refuse_removal_of_reached();

-- A side that was taken out is not found by its name any more.
create trigger search_removed after delete on request_points referencing old table as changed
  for each statement execute function search_changed('request', 'request_id');
