/**
 * A page of any list with a million rows, against the same page with a thousand: all of one organisation and one
 * author, the worst case. The value is the worst ratio of the 95th percentiles.
 */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { rounded, type Measure } from './parts/measure.ts'
import { percentile95 } from './parts/percentile.ts'
import { someSession } from './parts/session.ts'
import { withProduct } from './parts/work.ts'

const goal = 2
const calls = 150
const warmUpCalls = 60
const few = 1_000
const many = 1_000_000

/**
 * The address of the list, and how its tables are filled: $1 the organisation, $2 the author, $3 the number of rows.
 */
type List = {
  at: (organizationId: string) => string
  tables: string[]
  fill: string | string[]
  /** The queries of the first page of each view. */
  views: Record<string, string>
}

/** Unique names; half are called agreements. */
const names = `(case n % 2 when 0 then 'Договор № ' else 'Приказ № ' end) || n || ' ' || md5(n::text)`
const created = `now() - n * interval '1 second'`
const found = {
  'found often': `name=${encodeURIComponent('договор')}`,
  // the name of the 777th, which no other has
  'found once': `name=${createHash('md5').update('777').digest('hex').slice(0, 12)}`,
  'found never': `name=${encodeURIComponent('щшъ')}`,
}

const documents: List = {
  at: (id) => `Documents/${id}`,
  tables: ['documents', 'document_counts'],
  fill: `insert into documents (id, organization_id, author_id, file_id, name, description, visibility, format, created_at)
    select gen_random_uuid(), $1, $2, (select id from files limit 1), ${names} || '.pdf', '',
      case n % 4 when 0 then 'private' else 'public' end, 'pdf', ${created}
    from generate_series(1, $3::int) n`,
  views: {
    mine: 'path=my',
    'by name': 'path=organization&sort=name',
    'by name, from the end': 'path=public&sort=-name',
    oldest: 'path=organization&sort=created',
    'found often': `path=my&${found['found often']}`,
    'found once': `path=my&${found['found once']}`,
    'found never': `path=public&${found['found never']}`,
  },
}

const classifiers: List = {
  at: (id) => `Classificators/${id}`,
  tables: ['classifiers', 'classifier_counts'],
  fill: `insert into classifiers (id, organization_id, author_id, name, created_at)
    select gen_random_uuid(), $1, $2, ${names}, ${created} from generate_series(1, $3::int) n`,
  views: { newest: '', 'by name': 'sort=name', 'by name, from the end': 'sort=-name', ...found },
}

/** The lists of the menu: private, common, by side; and the search of the route editor. */
const points: List = {
  at: (id) => `Points/${id}`,
  tables: ['points', 'point_counts'],
  fill: `insert into points (id, organization_id, author_id, name, description, type, scope, group_id,
      agreement_condition, is_eds_presentation_required, bin, organization_name, created_at, key_holder)
    select gen_random_uuid(), $1, $2, ${names}, '', type, case when n % 4 = 0 and type <> 4096 then 'personal' else 'common' end,
      case when type = 4 then null else (select id from groups where organization_id = $1 limit 1) end,
      'any', false, case when type = 4 then lpad((n % 5000)::text, 12, '1') end, '', ${created}, 'employee'
    from (select n, (array[1, 2, 4, 4096])[n / 4 % 4 + 1] as type from generate_series(1, $3::int) n) kinds`,
  views: {
    mine: 'ownScope=1',
    common: 'visibilityScope=2',
    'common by name': 'visibilityScope=2&sort=name',
    internal: 'pointType=1115',
    external: 'pointType=2468&sort=-name',
    counterparty: 'pointType=4096',
    'with people': 'ownScope=1&enrichCreatorAndParticipants=true',
    'in use': 'isActive=true',
    'of a number': 'bin=111111110777',
    ...found,
  },
}

function routesOf(kind: 'route' | 'template', address: string): List {
  return {
    at: (id) => `${address}/${id}`,
    tables: ['routes', 'route_counts'],
    fill: `insert into routes (id, organization_id, author_id, kind, name, description, scope, type, points_count,
        turns_count, is_active, created_at)
      select gen_random_uuid(), $1, $2, '${kind}', ${names}, '', case n % 4 when 0 then 'personal' else 'common' end,
        3, 2, 2, n % 3 > 0, ${created}
      from generate_series(1, $3::int) n`,
    views: {
      mine: 'ownScope=1',
      common: 'visibilityScope=2&sort=name',
      'by name, from the end': 'visibilityScope=2&sort=-name',
      'in use': 'isActive=true',
      ...found,
    },
  }
}

const documentTemplates: List = {
  at: (id) => `DocumentTemplates/${id}`,
  tables: ['document_templates', 'document_template_counts', 'written_documents'],
  fill: `insert into document_templates (id, organization_id, author_id, name, description, template, language,
      visibility, created_at)
    select gen_random_uuid(), $1, $2, ${names}, '', '<p>x</p>', 'ru',
      case n % 4 when 0 then 'private' else 'public' end, ${created}
    from generate_series(1, $3::int) n`,
  views: {
    all: 'path=all',
    mine: 'path=my&sort=name',
    common: 'path=public',
    'by name, from the end': 'path=all&sort=-name',
    ...found,
  },
}

const journal = '00000000-0000-7000-9000-000000000001'
const [usualTag, rareTag] = ['00000000-0000-7000-9000-00000000000a', '00000000-0000-7000-9000-00000000000b']
const [usualBin, rareBin] = ['260140020007', '990140020008']

/** Values of the filters beside the list: such as match often, only the five oldest requests, or nothing. */
const requestFilters = {
  'an author of all': `author=${encodeURIComponent('а')}`,
  'an author of none': `author=${encodeURIComponent('щшъ')}`,
  'a usual number': `bin=${usualBin}`,
  'a rare number': `bin=${rareBin}`,
  'an unknown number': 'bin=990240020004',
  'a usual tag': `classificatorId=${usualTag}`,
  'a rare tag': `classificatorId=${rareTag}`,
  'a usual tag and a word it never meets': `classificatorId=${usualTag}&${found['found never']}`,
  'a journal': `journalId=${journal}`,
  'a usual register number': 'number=1',
  'a rare register number': 'number=777770',
  'a journal and a word it never meets': `journalId=${journal}&${found['found never']}`,
  'days of long ago': 'from=2020-01-01&to=2020-02-01',
  'the last days': 'from=2026-11-01',
  overdue: 'isOverdue=true',
}

/**
 * Each request waits for one group of the caller; one in thirty is completed. Every tenth also goes to a counterparty
 * and is registered.
 */
function requests(path: 'incomings' | 'outgoings'): List {
  const ids = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
  const status = `case when n % 30 = 0 then 8 else 2 end`
  const group = `(select id from groups where organization_id = $1 and name = 'Bench')`
  return {
    at: (id) => `SigningRequests/${id}/${path}`,
    tables: [
      'signing_requests',
      'request_points',
      'request_inboxes',
      'request_events',
      'request_classifiers',
      'registrations',
      'journals',
      'classifiers',
    ],
    fill: [
      `insert into groups (id, organization_id, name, created_at)
         values (gen_random_uuid(), $1, 'Bench', now()) on conflict do nothing`,
      `insert into group_participants (organization_id, group_id, user_id)
         select $1, ${group}, $2 on conflict do nothing`,
      `insert into signing_requests (id, organization_id, author_id, file_id, file_name, format, name, description,
          signing_date, route_name, is_quick, is_timestamp_required, language, additional_components, status,
          created_at, changed_at, status_changed_at, sender_name, sender_bin)
        select ${ids}, $1, $2, (select id from files limit 1), 'a.pdf', 'pdf', ${names}, '', '2026-11-15', '', false,
          false, 'ru', 0, ${status}, ${created}, now(), now(), 'Bench', '240540017348'
        from generate_series(1, $3::int) n`,
      `insert into request_points (request_id, attempt, point_id, "order", type, name, organization_id, group_id, bin,
          organization_name, emails, responsible, condition, is_eds_required, status, key_holder)
        select ${ids}, 0, ${ids}, 1, 1, 'Bench', $1::uuid, ${group}, '', '', '{}', '{}', 'any', false,
          case when n % 30 = 0 then 7 else 2 end, 'employee'
        from generate_series(1, $3::int) n where $2::uuid is not null`,
      `insert into request_inboxes (inbox, request_id, name, arrived_at, status, waits, is_done)
        select ${group}::text, ${ids}, ${names}, ${created}, ${status}, n % 30 > 0, n % 30 = 0
        from generate_series(1, $3::int) n where $2::uuid is not null`,
      `insert into request_points (request_id, attempt, point_id, "order", type, name, organization_id, group_id, bin,
          organization_name, emails, responsible, condition, is_eds_required, status, key_holder)
        select ${ids}, 0, gen_random_uuid(), 2, 4, 'Bench', null, null,
          case when n > $3 - 50 then '${rareBin}' else '${usualBin}' end, '', '{}', '{}', 'any', false, 1, 'employee'
        from generate_series(10, $3::int, 10) n where $1::uuid is not null and $2::uuid is not null`,
      `insert into classifiers (id, organization_id, author_id, name, created_at)
        values ('${usualTag}', $1, $2, 'Usual', now()), ('${rareTag}', $1, $2, 'Rare', now())`,
      `insert into request_classifiers (request_id, classifier_id)
        select ${ids}, '${usualTag}'::uuid from generate_series(1, $3::int) n
          where n % 3 = 0 and $1::uuid is not null and $2::uuid is not null
        union all select ${ids}, '${rareTag}' from generate_series($3::int - 4, $3::int) n`,
      `insert into journals (id, organization_id, name, direction, prefix, year_place, width, first_number, first_year,
          created_by, created_at)
        values ('${journal}', $1, 'Bench', 'outgoing', '', 'none', 1, 1, 2026, $2, now())`,
      `insert into registrations (organization_id, request_id, journal_id, year, counter, number, registered_by,
          registered_at)
        select $1, ${ids}, '${journal}', 2026, n, n::text, $2, now() from generate_series(10, $3::int, 10) n`,
      // Deadlines that have passed are those of the five oldest.
      `update signing_requests set due_on = '2020-01-01' where id in (
        select ${ids} from generate_series($3::int - 4, $3::int) n where $1::uuid is not null and $2::uuid is not null)`,
      `update request_inboxes set due_on = '2020-01-01' where request_id in (
        select ${ids} from generate_series($3::int - 4, $3::int) n where $1::uuid is not null and $2::uuid is not null)`,
    ],
    views: {
      newest: '',
      'by name': 'sort=name',
      completed: 'status=8',
      'two statuses': 'status=10',
      ...(path === 'incomings' && { waiting: 'signedStatus=1', done: 'signedStatus=2' }),
      ...found,
      ...requestFilters,
    },
  }
}

const lists: Record<string, List> = {
  documentLists: documents,
  documentTemplateLists: documentTemplates,
  classifierLists: classifiers,
  pointLists: points,
  routeLists: routesOf('route', 'SignaturePointsRoutes'),
  routeTemplateLists: routesOf('template', 'SignaturePointsRouteTemplates'),
  incomingRequests: requests('incomings'),
  outgoingRequests: requests('outgoings'),
}

export const listMeasures: Record<string, () => Promise<Measure>> = Object.fromEntries(
  Object.entries(lists).map(([name, list]) => [name, () => measure(name, list)]),
)

async function measure(name: string, list: List): Promise<Measure> {
  return withProduct(3267, async ({ product, client, connection }) => {
    const { cookie, organizationId, userId } = await someSession(connection)
    const timesWith = async (rows: number) => {
      await fill(client, list, [organizationId, userId, rows])
      const times: Record<string, number> = {}
      for (const [page, address] of Object.entries(pagesOf(list))) {
        times[page] = await percentile95(`${product.url}/api/${list.at(organizationId)}/${address}`, cookie, {
          calls,
          warmUpCalls,
        })
      }
      return times
    }
    const small = await timesWith(few)
    const large = await timesWith(many)
    const ratios = Object.keys(small).map((page) => ({ page, ratio: large[page]! / small[page]! }))
    const worst = ratios.toSorted((a, b) => b.ratio - a.ratio)[0]!
    return {
      name,
      value: rounded(large[worst.page]!),
      anchor: rounded(small[worst.page]!),
      ratio: rounded(worst.ratio),
      goal: `ratio <= ${goal}`,
      ok: worst.ratio <= goal,
      note: `ms at the 95th percentile; ${ratios.map(({ page, ratio }) => `${page} ${rounded(ratio)}`).join(', ')}`,
    }
  })
}

/** The deepest page is the last of a list of a thousand. */
function pagesOf({ views }: List): Record<string, string> {
  const [first] = Object.values(views)
  const firstPages = Object.entries(views).map(([name, query]) => [name, `0/10?${query}`])
  return {
    ...Object.fromEntries(firstPages),
    'a hundred': `0/100?${first}`,
    deep: `${few - 10}/10?${first}`,
  }
}

async function fill(client: pg.Client, list: List, values: [string, string, number]): Promise<void> {
  await client.query('set statement_timeout = 0')
  // History tables refuse to be emptied; here they must be.
  await client.query('set session_replication_role = replica')
  await client.query(`truncate ${list.tables.join(', ')} cascade`)
  // Triggers that count rows must run; elsewhere a million rows need no foreign key checks.
  if (list.tables.some((table) => table.endsWith('_counts'))) {
    await client.query('set session_replication_role = origin')
  }
  for (const statement of [list.fill].flat()) {
    const used = values.slice(0, Math.max(...[...statement.matchAll(/\$(\d)/g)].map(([, n]) => Number(n))))
    await client.query(statement, used)
  }
  await client.query(`vacuum analyze ${list.tables.join(', ')}`)
}
