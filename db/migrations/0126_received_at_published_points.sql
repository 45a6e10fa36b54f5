-- expands: an index
-- Documents that came to an organisation through points that it published (CounterParty, 4096), for its terms of retention.
create index request_points_published on request_points (organization_id, request_id) where attempt = 0 and type = 4096;
