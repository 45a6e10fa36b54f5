-- When a point of a route is taken: {join, terms}; null: always.
alter table route_points add column condition jsonb;
-- What decided about the points of a request that have a condition: {facts, points}; null: the route has none.
alter table signing_requests add column conditions jsonb;
