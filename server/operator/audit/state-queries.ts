/**
 * Compares what screens and outputs show of a request with its events, which are in the log: each query finds the
 * requests where a stored fact is not what the history says.
 */
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'

export type StateFault = { fault: 'state-other'; what: StateFact; requestId: string }

export type StateFact = keyof typeof facts

/** The number of the event that last replaced the document, from which all points began anew. */
const lastCorrection = sql`coalesce((select max(v.from_event) from request_revisions v
  where v.request_id = request_events.request_id and v.revision > 1), 0)`

const facts = {
  'status or number of events': sql`
    select r.id from signing_requests r
    left join lateral (
      select e.number, e.after from request_events e where e.request_id = r.id order by e.number desc limit 1) last on true
    where r.status is distinct from last.after or r.events_count is distinct from last.number`,
  // The history of requests that earlier versions sent does not contain these.
  'name or sender': sql`
    select r.id from signing_requests r
    join request_events e on e.request_id = r.id and e.number = 1 and e.type = 'sent' and e.data ? 'sender'
    where r.name is distinct from e.data->>'name'
      or r.sender_name is distinct from e.data->'sender'->>'name'
      or r.sender_bin is distinct from e.data->'sender'->>'bin'
      or r.sender_confirmed_at is distinct from (e.data->'sender'->>'confirmedAt')::timestamptz
      or r.created_at is distinct from e.at`,
  sides: sql`
    select e.request_id as id from request_events e
    cross join lateral jsonb_array_elements(e.data->'sides') side
    left join request_points p
      on p.request_id = e.request_id and p.attempt = 0 and p.point_id::text = side->>'pointId'
    where e.data ? 'sides' and (p.organization_name is distinct from side->>'name' or p.bin is distinct from side->>'bin')
      and e.number = (select max(last.number) from request_events last
        where last.request_id = e.request_id and last.type in ('sent', 'sides-changed'))`,
  'the steps ahead': sql`
    select e.request_id as id from request_events e
    cross join lateral jsonb_array_elements(e.data->'after') step
    left join request_points p
      on p.request_id = e.request_id and p.attempt = 0 and p.point_id::text = step->>'pointId'
    where (p.name is distinct from step->>'name' or p."order"::text is distinct from step->>'order')
      and e.type = 'rerouted' and e.number = (select max(last.number) from request_events last
        where last.request_id = e.request_id and last.type = 'rerouted')
    union all
    select p.request_id as id from request_points p
    join lateral (select e.data from request_events e
      where e.request_id = p.request_id and e.type = 'rerouted' order by e.number desc limit 1) last on true
    where p.attempt = 0 and p.turn_came_at is null
      and not last.data->'after' @> jsonb_build_array(jsonb_build_object('pointId', p.point_id))`,
  'a point that is done': sql`
    select p.request_id as id from request_points p
    full join (select request_id, attempt, point_id, max(at) as at from request_events
      where type in ('point-done', 'rejected') and (attempt > 0 or number > ${lastCorrection})
      group by request_id, attempt, point_id) e
      on e.request_id = p.request_id and e.attempt = p.attempt and e.point_id = p.point_id
    where p.done_at is distinct from e.at`,
  'a signature that was accepted': sql`
    select coalesce(s.request_id, e.request_id) as id
    from (select * from request_signatures where state = 'accepted') s
    full join (select * from request_events where type = 'signature-accepted') e
      on e.request_id = s.request_id and e.attempt = s.attempt and e.point_id = s.point_id
      and e.data->>'signatureId' = s.id::text
    where s.id is null or e.request_id is null`,
  'who signed and when': sql`
    select s.request_id as id from request_signatures s
    left join request_events e
      on e.request_id = s.request_id and e.type = 'signature-taken' and e.data->>'signatureId' = s.id::text
    where s.received_at is distinct from e.at or s.actor is distinct from e.actor
      or s.comment is distinct from e.comment or s.address is distinct from e.address`,
  'the owner of a key': sql`
    select s.request_id as id from request_signatures s
    join request_events e
      on e.request_id = s.request_id and e.type = 'signature-accepted' and e.data->>'signatureId' = s.id::text
    where e.data ? 'owner' and s.owner->>'fullName' is distinct from e.data->>'owner'`,
  'the document of a signature': sql`
    select s.request_id as id from request_signatures s
    join signing_requests r on r.id = s.request_id
    left join request_revisions v on v.request_id = s.request_id and v.revision = s.revision
    left join request_terminations t on t.request_id = s.request_id and t.attempt = s.attempt
    left join request_points p
      on p.request_id = s.request_id and p.attempt = s.attempt and p.point_id = s.point_id
    -- inside a PDF it is over a revision of its own
    where (s.gap_from is null and s.file_id is distinct from coalesce(t.file_id, v.file_id, r.file_id))
      or (s.gap_from is not null) is distinct from (p.signature_form = 'pades')
      -- inside XML it is an element
      or (substring(s.cms for 1) = decode('3c', 'hex')) is distinct from (p.signature_form = 'xades')`,
  'a revision': sql`
    select r.id from signing_requests r left join request_revisions v on v.request_id = r.id and v.revision = r.revision
    where (v.request_id is null and r.revision > 1) or (v.request_id is not null and v.file_id <> r.file_id)
    union all
    select coalesce(v.request_id, e.request_id) as id
    from (select * from request_revisions where revision > 1) v
    full join (select * from request_events where type = 'corrected') e
      on e.request_id = v.request_id and e.number = v.from_event
    left join files f on f.id = v.file_id
    where encode(f.sha256, 'hex') is distinct from e.data->>'document'
      or v.revision::text is distinct from e.data->>'revision'`,
  'a termination': sql`
    select t.request_id as id from request_terminations t
    left join request_events e
      on e.request_id = t.request_id and e.attempt = t.attempt and e.type = 'termination-begun'
    where t.begun_at is distinct from e.at or t.comment is distinct from e.comment
      or t.begun_by is distinct from e.actor`,
}

export async function auditState(db: Db): Promise<StateFault[]> {
  const faults: StateFault[] = []
  for (const [what, wrong] of Object.entries(facts) as [StateFact, (typeof facts)[StateFact]][]) {
    const { rows } = await sql<{ id: string }>`select distinct id from (${wrong}) w limit 1000`.execute(db)
    faults.push(...rows.map(({ id }) => ({ fault: 'state-other', what, requestId: id }) as const))
  }
  return faults
}

/** Every file that a history refers to, in order of id; files that an act has destroyed do not count as missing. */
export async function findFilesOfHistories(db: Db, after: string | null, count: number) {
  const { rows } = await sql<{ id: string; organizationId: string; sha256: Buffer; size: number }>`
    select f.id, f.organization_id as "organizationId", f.sha256, f.size from files f
    where (${after}::uuid is null or f.id > ${after}::uuid)
      and (exists (select from signing_requests r where r.file_id = f.id)
        or exists (select from request_revisions v where v.file_id = f.id)
        or exists (select from request_proposals p where p.file_id = f.id)
        or exists (select from request_terminations t where t.file_id = f.id)
        or exists (select from request_signatures s where s.file_id = f.id))
      and not (f.destroyed_at is not null and exists (
        select from destruction_items i join destruction_acts a on a.id = i.act_id
        join signing_requests r on r.id = i.request_id
        left join request_terminations t on t.request_id = r.id
        left join request_revisions v on v.request_id = r.id
        left join request_proposals p on p.request_id = r.id
        where a.carried_out_at is not null and (f.id in (r.file_id, t.file_id, v.file_id, p.file_id) or exists (
          select from request_signatures s join signing_requests other on other.id = s.request_id
          where s.file_id = f.id and other.file_id = r.file_id))))
    order by f.id limit ${count}`.execute(db)
  return rows
}
