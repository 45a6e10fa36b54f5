-- Finds what a substitute acted on, for their list of incoming requests.
create index request_points_stood_in on request_points using gin (stood_in) where stood_in <> '{}';
