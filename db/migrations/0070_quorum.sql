-- How many of a group must act where neither one is enough nor all are needed. A request keeps the number it was sent with.
alter table points add column quorum integer check (quorum between 2 and 100);
alter table request_points add column quorum integer check (quorum between 2 and 100);
