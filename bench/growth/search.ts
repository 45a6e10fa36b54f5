/**
 * Finding anything in an organisation with a million requests and a hundred thousand documents with text, against one
 * with a thousand: all of one organisation, asked by an owner, who sees everything. The value is the worst 95th percentile.
 */
import type pg from 'pg'
import { rounded, type Measure } from '../parts/measure.ts'
import { percentile95 } from '../parts/percentile.ts'
import { someSession } from '../parts/session.ts'
import { withProduct, type Started } from '../parts/work.ts'

const goalMs = 100
const goalRatio = 2
const calls = 100
const warmUpCalls = 30
const few = { requests: 1_000, documents: 100 }
const many = { requests: 1_000_000, documents: 100_000 }

/** What people type; the numbers and names are those of things that exist in both sizes. */
const queries: Record<string, string> = {
  newest: '',
  'a letter': 'д',
  beginning: 'дог',
  'frequent word': 'договор',
  'other forms': 'договорами поставку',
  'wrong layout': 'ljujdjh fhtyls',
  transliterated: 'dogovor arendy',
  number: '777/2026',
  counterparty: 'Алатау777',
  BIN: '990140000777',
  'rare word': 'Бәйтерек',
  'frequent and rare': 'договор Бәйтерек',
  'frequent in texts': 'обязательства сторон',
  'rare in texts': 'слово777',
  nothing: 'щшъэю',
}

export function search(): Promise<Measure> {
  return withProduct(3268, async (started) => {
    const small = await timesWith(started, few)
    const large = await timesWith(started, many)
    const ratios = Object.keys(queries).map((query) => ({ query, ratio: large[query]! / small[query]! }))
    const worst = ratios.toSorted((one, other) => other.ratio - one.ratio)[0]!
    const slowest = Math.max(...Object.values(large))
    const note = ratios.map(({ query, ratio }) => `${query} ${rounded(large[query]!)} ms (${rounded(ratio)})`)
    return {
      name: 'search',
      value: rounded(slowest),
      anchor: rounded(small[worst.query]!),
      ratio: rounded(worst.ratio),
      goal: `<= ${goalMs} ms, ratio <= ${goalRatio}`,
      ok: slowest <= goalMs && worst.ratio <= goalRatio,
      note: `95th percentiles; ${note.join(', ')}`,
    }
  })
}

async function timesWith(
  { product, client, connection }: Started,
  size: typeof few,
): Promise<Record<string, number>> {
  const { cookie, organizationId, userId } = await someSession(connection)
  await fill(client, organizationId, userId, size)
  const times: Record<string, number> = {}
  for (const [name, query] of Object.entries(queries)) {
    const url = `${product.url}/api/Search/${organizationId}?q=${encodeURIComponent(query)}`
    times[name] = await percentile95(url, cookie, { calls, warmUpCalls })
  }
  return times
}

const created = `now() - n * interval '1 second'`
const subjects = ['аренды', 'поставки', 'подряда', 'оказания услуг', 'хранения', 'перевозки', 'страхования']
const kinds = ['Договор', 'Акт', 'Приказ', 'Счёт', 'Соглашение']

export function nameOf(n: number): string {
  return `${kinds[n % 5]} ${subjects[Math.floor(n / 5) % 7]} № ${n}/2026`
}

const array = (words: readonly string[]) => `(array['${words.join("', '")}'])`
/** The same names as those of `nameOf`, in SQL; one has a word that no other has. */
const names = `${array(kinds)}[n % 5 + 1] || ' ' || ${array(subjects)}[n / 5 % 7 + 1] || ' № ' || n || '/2026'
  || case n when 900 then ' Бәйтерек' else '' end`
const bins = `lpad((n % 5000)::text, 12, '990140000000')`

/** Replaces all requests and documents by so many of one organisation, with texts of the documents; takes minutes. */
export async function fill(
  client: pg.Client,
  organizationId: string,
  userId: string,
  { requests, documents }: typeof few,
): Promise<void> {
  const ids = (kind: number) => `('00000000-0000-7000-800${kind}-' || lpad(to_hex(n), 12, '0'))::uuid`
  const run = (statement: string, ...values: unknown[]) => client.query(statement, values)
  await run('set statement_timeout = 0')
  // A million rows need neither foreign keys nor triggers; what the triggers would write is written at the end.
  await run('set session_replication_role = replica')
  await run(
    `truncate signing_requests, request_points, request_inboxes, request_events, documents, search_entries,
      search_texts cascade`,
  )
  await run(
    `insert into signing_requests (id, organization_id, author_id, file_id, file_name, format, name, description,
        sender_name, sender_bin, signing_date, route_name, is_quick, is_timestamp_required, language,
        additional_components, status, created_at, changed_at, status_changed_at)
      select ${ids(1)}, $1, $2, ('00000000-0000-7000-8003-' || lpad(to_hex((n - 1) % $4::int + 1), 12, '0'))::uuid, 'a.pdf', 'pdf', ${names}, '', 'Отправитель',
        '990140009999', '2026-11-15', '', false, false, 'ru', 0, case when n % 30 = 0 then 8 else 2 end,
        ${created}, now(), now()
      from generate_series(1, $3::int) n`,
    organizationId,
    userId,
    requests,
    documents,
  )
  await run(
    `insert into request_points (request_id, attempt, point_id, "order", type, name, organization_id, group_id, bin,
        organization_name, emails, responsible, condition, is_eds_required, key_holder, status)
      select ${ids(1)}, 0, ${ids(1)}, 1, 4, 'Bench', null, null, ${bins}, 'ТОО «Алатау' || n % 5000 || '»', '{}', '{}',
        'any', false, 'head', case when n % 30 = 0 then 7 else 2 end
      from generate_series(1, $1::int) n`,
    requests,
  )
  // Each document has a file of its own, whose text has about three hundred words of twenty thousand.
  await run(`delete from files where created_at = '2000-01-01'`)
  await run(
    `insert into files (id, organization_id, sha256, size, created_at)
      select ${ids(3)}, $1, sha256(n::text::bytea), 1000, '2000-01-01' from generate_series(1, $2::int) n`,
    organizationId,
    documents,
  )
  await run('drop index search_texts_words')
  await run(
    // The words of a text as search_words() would find them, which would take half an hour for all of them.
    `insert into search_texts (file_id, keys, state, words, pages)
      select ${ids(3)}, array['@o' || $1::text], 'read', array_to_tsvector(common.words || texts.words), array[page]
      from (select search_words('Права и обязательства сторон') as words, search_fold('слово') as word) common,
        generate_series(1, $2::int) n, lateral (
          select 'Права и обязательства сторон слово' || n || ' ' || string_agg('слово' || number, ' ') as page,
            array_agg(common.word || number) || (common.word || n) as words
          from (select (w * w * 7 + n * 31) % 20000 as number from generate_series(1, 300) w) numbers) texts`,
    organizationId,
    documents,
  )
  await run(
    `insert into documents (id, organization_id, author_id, file_id, name, description, visibility, format, created_at)
      select ${ids(2)}, $1, $2, ${ids(3)}, ${names} || '.pdf', '', 'public', 'pdf', ${created}
      from generate_series(1, $3::int) n`,
    organizationId,
    userId,
    documents,
  )
  await index(client)
  await run('create index search_texts_words on search_texts using gin (keys, words) with (fastupdate = off)')
  await run('set session_replication_role = origin')
  await run(`vacuum analyze files, signing_requests, request_points, request_inboxes, documents, search_entries,
    search_texts`)
}

/** Indexes are made after their rows, which takes a tenth of the time. */
async function index(client: pg.Client): Promise<void> {
  await client.query('drop index search_entries_words')
  for (const [kind, table] of [
    ['request', 'signing_requests'],
    ['document', 'documents'],
  ]) {
    await client.query(
      `insert into search_entries
        select '${kind}', r.id, array_to_tsvector(r.words || '@k${kind}'::text)
        from search_rows('${kind}', array(select id from ${table})) r`,
    )
  }
  await client.query(
    'create index search_entries_words on search_entries using gin (words) with (fastupdate = off)',
  )
}
