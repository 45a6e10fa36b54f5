-- When the deadline of a point passes, a person or group may be told, and may answer for its people.

alter table route_points
  add column escalation_user_id uuid,
  add column escalation_group_id uuid,
  -- Whether one of them may answer in place of the people of the point.
  add column escalation_acts boolean not null default false,
  add check (escalation_user_id is null or escalation_group_id is null);

alter table request_points
  add column escalation_user_id uuid,
  add column escalation_group_id uuid,
  add column escalation_acts boolean not null default false,
  -- When they were told last; they keep seeing the request.
  add column escalated_at timestamptz,
  add check (escalation_user_id is null or escalation_group_id is null);
