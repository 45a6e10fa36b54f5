-- expands: a column; what an older version saves names nobody, and is not applied until it is saved again
-- A mapping is applied while whoever saved it is an owner. It stands in each row, as these are made anew at every save, also by an older version.
alter table group_mapping_rows add column saved_by uuid references users;

-- The history says who it was; somebody else may be the only owner today.
update group_mapping_rows r set saved_by = (
  select e.by from organization_events e
  where e.organization_id = r.organization_id and e.type = 'options-changed' and e.subject = 'groupMapping'
  order by e.id desc limit 1);
