-- expands: an index
-- What waits to be made is counted at each question, so that those who asked for less are served first.
create index on request_outputs ((coalesce(viewer ->> 'organizationId', viewer ->> 'id'))) where state = 'in-process';
