-- expands: triggers of organisations that live elsewhere refuse less.
-- Two changes are not made by the organisation and have to pass: a person who closes their account ends their substitutions, and a
-- document that every side has ordered to be destroyed leaves its request without one.
drop trigger refuse_of_moved on substitutions;
create trigger refuse_of_moved before insert on substitutions
  for each row execute function refuse_of_moved();

drop trigger refuse_of_moved on signing_requests;
create trigger refuse_of_moved
  before insert or update of name, description, status, attempt, version, events_count, lock_by, kind_id, expires_on
  on signing_requests for each row execute function refuse_of_moved();
