/**
 * The page of a request and the first page of its history with ten thousand events, against ten: rounds of terminating
 * and refusing, and refused signatures. The value is the worse ratio of the 95th percentiles.
 */
import { rounded, type Measure } from './parts/measure.ts'
import { someSession } from './parts/session.ts'
import { withProduct } from './parts/work.ts'

const goal = 2
const [few, many] = [10, 10_000]
const calls = 300
const warmUpCalls = 100

/** $1 the organisation, $2 the author, $3 the number of events, $4 the request. */
const fill = [
  `insert into signing_requests (id, organization_id, author_id, file_id, file_name, format, name, description,
      signing_date, route_name, is_quick, is_timestamp_required, language, additional_components, status, attempt,
      events_count, created_at, changed_at, status_changed_at, sender_name, sender_bin)
    select $4::uuid, $1::uuid, $2::uuid, (select id from files limit 1), 'a.pdf', 'pdf', 'Bench', '', '2026-11-15', '',
      false, false, 'ru', 0, 8, $3::int / 10, $3::int, now(), now(), now(),
      'Bench', '240540017348'`,
  `insert into request_points (request_id, attempt, point_id, "order", type, name, organization_id, group_id, bin,
      organization_name, emails, responsible, condition, is_eds_required, status, key_holder)
    select $4::uuid, n, $4::uuid, 1, 2, 'Bench', $1::uuid, (select id from groups where organization_id = $1 limit 1),
      '', '', '{}', '{}', 'any', false, case n when 0 then 1 else 5 end, 'employee'
    from generate_series(0, $3::int / 10) n`,
  // Of every ten events, four are about signatures and six about two rounds of terminating.
  `insert into request_events (request_id, number, at, type, attempt, point_id, actor, address, comment, data, before, after)
    select $4::uuid, n, now(), (array['termination-begun', 'turn-came', 'rejected', 'termination-begun', 'turn-came',
        'rejected', 'signature-taken', 'signature-refused', 'signature-taken', 'signature-refused'])[n % 10 + 1],
      case when n % 10 < 6 then n / 10 else 0 end, $4::uuid,
      json_build_object('id', $2::uuid, 'fullName', 'Bench'), '127.0.0.1', 'Bench', '{}', 8, 8
    from generate_series(1, $3::int) n`,
  `insert into request_terminations (request_id, attempt, begun_by, begun_at, comment, file_id, from_status)
    select $4::uuid, n, json_build_object('id', $2::uuid, 'fullName', 'Bench'), now(), 'Bench',
      (select id from files limit 1), 8 from generate_series(1, $3::int / 10) n`,
  // At most ten people, who submit bad signatures at one point.
  `insert into request_signatures (id, request_id, attempt, point_id, actor, actor_id, comment, file_id, cms, received_at,
      state, tries, verdict, owner, evidence)
    select gen_random_uuid(), $4::uuid, 0, $4::uuid, json_build_object('id', $2::uuid, 'fullName', 'Bench'), $2::uuid, '',
      (select id from files limit 1), decode(repeat('ab', 4000), 'hex'), now() - n * interval '1 minute',
      case n when 1 then 'accepted' else 'refused' end, 1, '{"verdict": "TOTAL-FAILED", "subIndication": null, "code": "DS-001", "faults": []}',
      '{"fullName": "Bench", "iin": null, "bin": null, "organization": null, "serialNumber": "1", "issuer": "Bench",
        "validFrom": "2026-01-01T00:00:00Z", "validTo": "2027-01-01T00:00:00Z", "algorithm": "RSA",
        "revocation": "ocsp", "timestampTime": null}', null
    from generate_series(1, least($3::int / 5, 1000)) n`,
]

export async function requestPage(): Promise<Measure> {
  return withProduct(3267, async ({ product, client, connection }) => {
    const { cookie, organizationId, userId } = await someSession(connection)
    // History tables refuse direct inserts; here triggers are off.
    await client.query('set session_replication_role = replica')
    const ids = [few, many].map((_, i) => `00000000-0000-7000-8000-00000000000${i}`)
    for (const [i, events] of [few, many].entries()) {
      for (const statement of fill) {
        const mentioned = [...statement.matchAll(/\$(\d)/g)].map(([, n]) => Number(n))
        const values = [organizationId, userId, events, ids[i]]
        // Each statement gets only the parameters that it mentions, under consecutive numbers.
        const used = [...new Set(mentioned)].toSorted((a, b) => a - b)
        const text = statement.replaceAll(/\$(\d)/g, (_, n: string) => `$${used.indexOf(Number(n)) + 1}`)
        await client.query(
          text,
          used.map((n) => values[n - 1]),
        )
      }
    }
    await client.query('vacuum analyze request_events, request_points, request_signatures, signing_requests')
    const address = (id: string) => `${product.url}/api/SigningRequests/${organizationId}/${id}`
    const pages = { page: '', 'first events': '/history/0/20' }
    const ratios: { page: string; small: number; large: number; ratio: number }[] = []
    for (const [page, rest] of Object.entries(pages)) {
      const [small, large] = await percentiles(
        ids.map((id) => address(id) + rest),
        cookie,
      )
      ratios.push({ page, small: small!, large: large!, ratio: large! / small! })
    }
    const worst = ratios.toSorted((a, b) => b.ratio - a.ratio)[0]!
    return {
      name: 'requestPage',
      value: rounded(worst.large),
      anchor: rounded(worst.small),
      ratio: rounded(worst.ratio),
      goal: `ratio <= ${goal}`,
      ok: worst.ratio <= goal,
      note: `ms at the 95th percentile; ${ratios.map(({ page, ratio }) => `${page} ${rounded(ratio)}`).join(', ')}`,
    }
  })
}

/** Alternating, so that other load on the machine affects both. */
async function percentiles(urls: readonly string[], cookie: string): Promise<number[]> {
  const times: number[][] = urls.map(() => [])
  for (let i = 0; i < warmUpCalls + calls; i++) {
    for (const [which, url] of urls.entries()) {
      const began = performance.now()
      const answer = await fetch(url, { headers: { cookie } })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
      if (i >= warmUpCalls) times[which]!.push(performance.now() - began)
    }
  }
  return times.map((ofOne) => ofOne.toSorted((a, b) => a - b)[Math.floor(calls * 0.95)]!)
}
