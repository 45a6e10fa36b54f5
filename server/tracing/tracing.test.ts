import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startExport } from './export.ts'
import {
  causeHeaders,
  collectSpansIn,
  inCauseOf,
  inSpan,
  statementName,
  type FinishedSpan,
} from './tracing.ts'

afterEach(() => collectSpansIn(undefined))

function collected(share = 1): FinishedSpan[] {
  const spans: FinishedSpan[] = []
  collectSpansIn({ share, collect: (span) => void spans.push(span) })
  return spans
}

test.each([
  ['select "id" from "signing_requests" where "id" = $1', 'select signing_requests'],
  ['insert into "documents" ("id") values ($1)', 'insert documents'],
  ['update "users" set "login" = $1', 'update users'],
  ['delete from "sessions"', 'delete sessions'],
  ['\n  with mine as (select * from memberships) select 1', 'with memberships'],
  ['insert into "pgboss"."job" values ($1)', 'insert pgboss.job'],
  ['begin', 'begin'],
  ['', 'statement'],
])('the statement %j is named %s', (sql, name) => {
  expect(statementName(sql)).toBe(name)
})

test('work without a cause collects no spans', async () => {
  const spans = collected()
  expect(await inSpan('client', 'GET storage', {}, async () => causeHeaders())).toEqual({})
  expect(spans).toEqual([])
})

test('the span of failed work is marked, and the error is passed on', async () => {
  const spans = collected()
  const work = inCauseOf(undefined, 'internal', 'sweep-files', () =>
    inSpan('client', 'GET storage', {}, () => Promise.reject(new Error('away'))),
  )
  await expect(work).rejects.toThrow('away')
  expect(spans).toMatchObject([
    { name: 'GET storage', isFailed: true, parentId: spans[1]!.spanId },
    { name: 'sweep-files', isFailed: true, parentId: undefined },
  ])
})

test('a share of zero collects only traces that the proxy has sampled', async () => {
  const spans = collected(0)
  await inCauseOf(undefined, 'internal', 'own', async () => {})
  expect(spans).toEqual([])
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  await inCauseOf({ requestId: 'of-the-proxy', traceparent }, 'consumer', 'theirs', async () => {})
  expect(spans).toMatchObject([{ name: 'theirs', parentId: '00f067aa0ba902b7' }])
})

test('an unavailable collector loses the spans and nothing else', async () => {
  const problems: { reason: string; dropped: number }[] = []
  const url = new URL('http://127.0.0.1:9/v1/traces')
  const sending = startExport({ url, headers: {}, serviceName: 'x', share: 1 }, '1', (one) =>
    problems.push(one),
  )
  collectSpansIn(sending)
  await inCauseOf(undefined, 'internal', 'chore', async () => {})
  await sending.stop()
  expect(problems).toMatchObject([{ dropped: 1 }])
})

test('without a configured collector the sending code is not loaded', () => {
  const start = join(import.meta.dirname, '..', '..', 'start', 'tracing.ts')
  const script = `
    const { registerHooks } = await import('node:module')
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    const { openTracing } = await import(${JSON.stringify(start)})
    await openTracing({ tracing: undefined }, '1', {})
    process.stdout.write(JSON.stringify(loaded))`
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script]
  const loaded = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[]
  expect(loaded.some((url) => url.endsWith('/tracing/tracing.ts'))).toBe(true)
  expect(loaded.filter((url) => url.endsWith('/tracing/export.ts'))).toEqual([])
})
