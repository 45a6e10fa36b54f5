/** What operators of the installation see and may do: no contents, and as little about people as possible. */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, listOf, Moment, Nothing, Page } from '../fields.ts'
import { tariffNames } from '../subscriptions/price-list.ts'

const Count = z.int()
const Seconds = z.number()
/** The name of a kind of job or chore. */
const WorkName = z.string().check(z.regex(/^[a-z][a-z-]{0,60}$/))

export const serviceNames = ['database', 'storage', 'mail', 'ocsp', 'timestamps', 'revocation-lists'] as const
const ServiceState = z.object({
  name: z.enum(serviceNames),
  /** off: not configured, so there is nothing to check. */
  state: z.enum(['good', 'bad', 'off']),
  /** The response time. */
  milliseconds: z.nullable(Count),
  /** The address of the service, or what is wrong. */
  detail: z.string(),
})

export const getHealth = endpoint({
  method: 'GET',
  path: '/api/Operator/health',
  access: 'operator',
  summary: 'Whether everything the product stands on answers',
  input: Nothing,
  result: z.object({
    version: z.string(),
    build: z.string(),
    startedAt: Moment,
    services: z.array(ServiceState),
  }),
  refusals: ['page-not-found'],
})

export const QueueState = z.object({
  name: z.string(),
  /** Jobs that could run now. */
  ready: Count,
  /** Jobs scheduled for later, most of them retries. */
  waiting: Count,
  active: Count,
  dead: Count,
  oldestSeconds: z.nullable(Seconds),
})

export const ChoreState = z.object({
  name: z.string(),
  cron: z.string(),
  timeZone: z.string(),
  nextAt: z.nullable(Moment),
  lastAt: z.nullable(Moment),
  /** null: not remembered. */
  lastOutcome: z.nullable(z.enum(['waiting', 'running', 'done', 'failed'])),
  lastReason: z.nullable(z.string()),
})

export const mailStates = [
  'queued',
  'handing-over',
  'sent',
  'refused',
  'failed',
  'uncertain',
  'kept',
] as const

export const BackupState = z.object({
  id: Id,
  beganAt: Moment,
  /** null: the backup is being made, or, with a failure, was aborted. */
  endedAt: z.nullable(Moment),
  place: z.string(),
  failure: z.nullable(z.string()),
  isVerified: z.boolean(),
  files: Count,
  bytes: Count,
})

export const SubscriptionState = z.object({
  organization: z.string(),
  bin: z.string(),
  tariff: z.enum(tariffNames),
  startDate: z.iso.date(),
  endDate: z.iso.date(),
})

export const CertificateState = z.object({
  subject: z.string(),
  isRoot: z.boolean(),
  validTo: Moment,
  daysLeft: Count,
})

export const ListState = z.object({
  issuer: z.string(),
  fetchedAt: Moment,
  nextUpdate: Moment,
  bytes: Count,
})

/** The archive: accepted signatures under timestamps that are renewed before they end. */
export const ArchiveState = z.object({
  archived: Count,
  /** Accepted signatures that are not archived yet. */
  waiting: Count,
  /** Archived signatures that have no timestamp yet. */
  unproved: Count,
  timestamps: Count,
  newestAt: z.nullable(Moment),
  /** The service and the hash algorithm of the newest timestamp. */
  service: z.nullable(z.string()),
  hash: z.nullable(z.string()),
  /** When the first timestamp that is not renewed ends. */
  endsAt: z.nullable(Moment),
  daysLeft: z.nullable(Count),
})

export const getOverview = endpoint({
  method: 'GET',
  path: '/api/Operator/overview',
  access: 'operator',
  summary: 'Queues, scheduled work, mail, storage, backups, subscriptions and trust, as they are now',
  input: Nothing,
  result: z.object({
    queues: z.array(QueueState),
    chores: z.array(ChoreState),
    mail: z.array(z.object({ state: z.enum(mailStates), count: Count })),
    storage: z.object({ files: Count, bytes: Count, freeBytes: z.nullable(Count) }),
    archive: ArchiveState,
    backups: z.array(BackupState),
    subscriptions: z.object({ ending: z.array(SubscriptionState), pending: z.array(SubscriptionState) }),
    trust: z.object({
      certificates: z.array(CertificateState),
      lists: z.array(ListState),
      /** Accepted signatures whose certificate had already been revoked, which became known only later. */
      revokedBefore: z.array(
        z.object({ requestId: Id, signatureId: Id, revokedAt: z.nullable(Moment), checkedAt: Moment }),
      ),
    }),
  }),
  refusals: ['page-not-found'],
})

export const DeadLetter = z.object({
  id: Id,
  name: z.string(),
  /** The data of the job: our own ids. */
  data: z.string(),
  reason: z.string(),
  tries: Count,
  queuedAt: z.nullable(Moment),
  diedAt: Moment,
})

export const getDeadLetters = endpoint({
  method: 'GET',
  path: '/api/Operator/deadLetters/:skip/:take',
  access: 'operator',
  summary: 'Work that was given up, newest first',
  input: Page,
  result: listOf(DeadLetter),
  refusals: ['page-not-found'],
})

export const retryDeadLetters = endpoint({
  method: 'POST',
  path: '/api/Operator/deadLetters/retry',
  access: 'operator',
  summary: 'Does given-up work again: that with these ids, or all of a kind',
  input: z.object({
    ids: z.optional(z.array(Id).check(z.maxLength(100))),
    name: z.optional(WorkName),
  }),
  result: z.object({ count: Count }),
  refusals: ['page-not-found'],
})

export const dropDeadLetters = endpoint({
  method: 'POST',
  path: '/api/Operator/deadLetters/drop',
  access: 'operator',
  summary: 'Forgets given-up work',
  input: z.object({ ids: z.array(Id).check(z.maxLength(100)) }),
  result: z.object({ count: Count }),
  refusals: ['page-not-found'],
})

export const runChore = endpoint({
  method: 'POST',
  path: '/api/Operator/chores/:name/run',
  access: 'operator',
  summary: 'Does scheduled work now, unless it waits or runs already',
  input: z.object({ name: WorkName }),
  result: z.object({ isQueued: z.boolean() }),
  refusals: ['page-not-found'],
})

export const actTypes = [
  'retried',
  'dropped',
  'ran',
  'gave-subscription',
  'restored',
  'organization-exported',
  'organization-imported',
  'organization-kept',
  'swept',
] as const

export const getOperatorActs = endpoint({
  method: 'GET',
  path: '/api/Operator/acts/:skip/:take',
  access: 'operator',
  summary: 'What operators did, newest first',
  input: Page,
  result: listOf(
    z.object({
      id: z.int(),
      at: Moment,
      /** null: the command line. */
      by: z.nullable(z.string()),
      type: z.enum(actTypes),
      details: z.string(),
    }),
  ),
  refusals: ['page-not-found'],
})
