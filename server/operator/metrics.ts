/**
 * Metrics for Prometheus. Labels name our routes, kinds and states, never a person, an organisation or an id. Without
 * the token the endpoint responds 404.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { refuse } from '@kelisim/domain/errors.ts'
import { mailStates } from '@kelisim/domain/operator/contract.ts'
import { judge } from '@kelisim/domain/signatures/verdict.ts'
import type { Storage } from '../documents/storage/storage.ts'
import type { Http } from '../http/open.ts'
import { countQueues } from '../jobs/queries.ts'
import { findArchiveState } from '../outputs/archive/queries.ts'
import type { SignatureChecks } from '../signatures/check.ts'
import { findWitnesses } from '../transparency/checkpoint-queries.ts'
import { measureWaiting } from '../transparency/queries.ts'
import { countMails, lastGoodBackup } from './queries.ts'

export type Metrics = {
  watchCheck: (check: SignatureChecks['check']) => SignatureChecks['check']
  /**
   * Called once everything that is measured has been opened. `witnesses`: the names of the witnesses that are asked.
   */
  serve: (http: Http, storage: Storage, witnesses: readonly string[]) => void
}

const seconds = {
  http: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  check: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
}

export function openMetrics(app: FastifyInstance, token: string): Metrics {
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  const calls = new Histogram({
    name: 'kelisim_http_request_duration_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: seconds.http,
    registers,
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The registered route: the requested address contains ids. Open streams are not counted as responses.
    const route = request.routeOptions.url ?? 'unknown'
    if (reply.getHeader('content-type') !== 'text/event-stream') {
      const labels = { method: request.method, route, status: `${Math.floor(reply.statusCode / 100)}xx` }
      calls.observe(labels, reply.elapsedTime / 1000)
    }
    done()
  })
  const checks = new Histogram({
    name: 'kelisim_signature_check_duration_seconds',
    help: 'Time to check a signature, by verdict',
    labelNames: ['verdict', 'sub_indication'],
    buckets: seconds.check,
    registers,
  })
  const failures = new Counter({
    name: 'kelisim_signature_check_failures_total',
    help: 'Checks that came to no verdict at all',
    registers,
  })

  return {
    watchCheck: (check) => async (job, claimant) => {
      const took = checks.startTimer()
      try {
        const result = await check(job, claimant)
        const faults = [...result.faults, ...result.signers.flatMap((signer) => signer.faults)]
        // The process that checked it died or took too long: nothing is known of the signature.
        if (faults.includes('check-overdue')) {
          failures.inc()
          return result
        }
        const { verdict, subIndication } = judge(faults)
        took({ verdict, sub_indication: subIndication ?? '' })
        return result
      } catch (error) {
        failures.inc()
        throw error
      }
    },
    serve(http, storage, witnesses) {
      for (const gauge of gaugesOf(http, storage, witnesses)) register.registerMetric(gauge)
      const wanted = digestOf(`Bearer ${token}`)
      app.get('/metrics', { config: { access: 'anyone' } }, async (request, reply) => {
        // Comparing hashes of equal length takes the same time whatever was sent.
        if (!timingSafeEqual(digestOf(request.headers.authorization ?? ''), wanted)) refuse('page-not-found')
        const text = await register.metrics()
        return reply.type(register.contentType).send(text)
      })
    },
  }
}

/** Collected at each scrape. A value that cannot be read now is left out, the others are still reported. */
function gaugesOf(
  { database, transactions, streams, release, clock }: Http,
  storage: Storage,
  witnesses: readonly string[],
): Gauge[] {
  const { pool, writers, db } = database
  const registers: Registry[] = []
  const plain = (name: string, help: string, value: () => number | null | Promise<number | null>): Gauge =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const now = await Promise.resolve(value()).catch(() => null)
        if (now === null) this.remove()
        else this.set(now)
      },
    })
  type Point = [labels: Record<string, string>, value: number]
  const labelled = (
    name: string,
    help: string,
    labelNames: string[],
    points: () => Promise<Point[]>,
  ): Gauge =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const found = await points().catch(() => [])
        this.reset()
        for (const [labels, value] of found) this.set(labels, value)
      },
    })
  const queues = sharedWhilePending(() => countQueues(db))
  const archive = sharedWhilePending(() => findArchiveState(db))
  const secondsSince = (moment: Date) => Math.max(0, (clock().getTime() - moment.getTime()) / 1000)
  // A witness that is no longer asked is left out; one that never co-signed has been silent since it was first asked.
  const asked = async () => {
    const known = await findWitnesses(db)
    return witnesses.map((witness) => ({ witness, last: known.find(({ name }) => name === witness) }))
  }
  return [
    labelled('kelisim_info', 'Which version runs', ['version'], async () => [
      [{ version: release.version }, 1],
    ]),
    labelled('kelisim_database_connections', 'Connections by pool', ['pool', 'state'], async () => [
      ...Object.entries({ readers: pool, writers }).flatMap(([name, of]): Point[] => [
        [{ pool: name, state: 'busy' }, of.totalCount - of.idleCount],
        [{ pool: name, state: 'idle' }, of.idleCount],
        [{ pool: name, state: 'waited-for' }, of.waitingCount],
      ]),
      [{ pool: 'turns of writers', state: 'waited-for' }, transactions.waiting()],
    ]),
    plain('kelisim_open_lines', 'Open streams of server-sent events', streams.countOpen),
    plain('kelisim_storage_free_bytes', 'Free space of the storage, if it has an end', storage.freeBytes),
    plain(
      'kelisim_storage_failures',
      'Failures of the storage since the start',
      () => storage.failures().count,
    ),
    plain('kelisim_storage_failing', '1 while files cannot be stored', () =>
      Number(storage.failures().isFailing),
    ),
    plain('kelisim_backup_age_seconds', 'Since the last good backup began', async () => {
      const last = await lastGoodBackup(db)
      return last && (clock().getTime() - last.getTime()) / 1000
    }),
    labelled('kelisim_jobs', 'Jobs by kind and state', ['queue', 'state'], async () =>
      (await queues()).flatMap(({ name: queue, ready, waiting, active, dead }) =>
        Object.entries({ ready, waiting, active, dead }).map(([state, count]): Point => [
          { queue, state },
          count,
        ]),
      ),
    ),
    labelled('kelisim_jobs_oldest_seconds', 'How long the oldest job waits', ['queue'], async () =>
      (await queues()).map(({ name: queue, oldestSeconds }): Point => [{ queue }, oldestSeconds ?? 0]),
    ),
    plain('kelisim_log_waiting', 'Events that are not in the transparency log yet', async () => {
      const { count } = await measureWaiting(db)
      return count
    }),
    plain('kelisim_log_waiting_seconds', 'How long the oldest of them waits', async () => {
      const { since } = await measureWaiting(db)
      return since === null ? 0 : secondsSince(since)
    }),
    labelled(
      'kelisim_log_witness_seconds',
      'How long ago each witness has co-signed the log',
      ['witness'],
      async () =>
        (await asked()).map(({ witness, last }): Point => [
          { witness },
          last?.at ? secondsSince(last.at) : process.uptime(),
        ]),
    ),
    labelled(
      'kelisim_log_witness_alarm',
      '1: a witness has seen another log, or a longer one',
      ['witness'],
      async () =>
        (await asked()).map(({ witness, last }): Point => [
          { witness },
          last?.failure === 'contradicts' || last?.failure === 'knows-more' ? 1 : 0,
        ]),
    ),
    plain(
      'kelisim_archive_waiting',
      'Accepted signatures that no timestamp of the archive covers',
      async () => {
        const { waiting, unproved } = await archive()
        return waiting + unproved
      },
    ),
    plain('kelisim_archive_waiting_seconds', 'How long the oldest of them waits', async () => {
      const { waitingSince } = await archive()
      return waitingSince === null ? 0 : secondsSince(waitingSince)
    }),
    plain('kelisim_archive_ends_seconds', 'Until the first timestamp ends that is not renewed', async () => {
      const { endsAt } = await archive()
      return endsAt && (endsAt.getTime() - clock().getTime()) / 1000
    }),
    // States without e-mails are reported as 0, so that the first e-mail shows as a change.
    labelled('kelisim_mails', 'E-mails by state; sent: of one day', ['state'], async () => {
      const counted = await countMails(db, clock())
      return mailStates.map((state): Point => [
        { state },
        counted.find((found) => found.state === state)?.count ?? 0,
      ])
    }),
  ]
}

/** Concurrent calls share one pending result. */
function sharedWhilePending<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null
  return () => (asked ??= ask().finally(() => (asked = null)))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
