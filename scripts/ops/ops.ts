/**
 * `npm run -s ops -- COMMAND`: the content of the operator's page for a terminal; beside a running server or without
 * one.
 */
import { createPublicKey } from 'node:crypto'
import { parseArgs } from 'node:util'
import { openDatabase, type Database } from '@kelisim/db/db.ts'
import { readMigrations, refuseForeignHistory, type Applied } from '@kelisim/db/migrate.ts'
import { addDays, dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { isId } from '@kelisim/domain/ids.ts'
import { isTwelveDigits } from '@kelisim/domain/numbers.ts'
import { tariffs, tariffNames } from '@kelisim/domain/subscriptions/price-list.ts'
import { openQueue, type Queue } from '@kelisim/server/jobs/queue.ts'
import { countQueues, findChores, findDead } from '@kelisim/server/jobs/queries.ts'
import { findFeedback } from '@kelisim/server/landing/queries.ts'
import {
  dropDead,
  giveSubscription,
  retryDead,
  runChoreNow,
  type ActBy,
  type OperatorQueue,
} from '@kelisim/server/operator/acts.ts'
import { checkServices } from '@kelisim/server/operator/health.ts'
import { findOrphans, sweepNamed } from '@kelisim/server/operator/orphans.ts'
import {
  countMails,
  findActs,
  findBackups,
  findRevokedBefore,
  findSubscriptionTurns,
} from '@kelisim/server/operator/queries.ts'
import { findCertificates, findRevocationLists, measureStorage } from '@kelisim/server/operator/state.ts'
import { countTexts } from '@kelisim/server/search/texts/queries.ts'
import { reindex } from '@kelisim/server/search/queries/reindex.ts'
import { auditAll } from '@kelisim/server/operator/audit/audit.ts'
import { noteKeyOf, originAt } from '@kelisim/server/transparency/checkpoints.ts'
import { auditLog } from '@kelisim/server/transparency/audit.ts'
import { readLogKey } from '@kelisim/server/transparency/key.ts'
import { sequence } from '@kelisim/server/transparency/sequencing.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { rememberedBy } from '../auditor/remembered.ts'
import { exportCommand, importCommand, keepCommand, type MovingOptions } from './moving.ts'
import { openPlace, runCommand, UsageError, type Installation } from './place.ts'

type Row = Record<string, unknown>
/** `shown` is printed as a table, `json` as it is; a command that found a problem exits with 1. */
type CommandResult = { json: unknown; shown: Row[] | string; isBad?: boolean }

type CommandInput = Installation & {
  database: Database
  queue: OperatorQueue & Pick<Queue, 'add'>
  now: Date
  act: ActBy
  words: string[]
  options: MovingOptions & { tariff?: string; max?: string }
}
type Command = { says: string; run: (input: CommandInput) => Promise<CommandResult> }

const commands: Record<string, Command> = {
  health: {
    says: 'whether everything the product stands on answers; 1 if something does not',
    async run({ database, storage, config }) {
      const services = await checkServices({ ...config, mustEncrypt: !config.isDemo, database, storage })
      const isBad = services.some(({ state }) => state === 'bad')
      return { json: { version: packageJson.version, services }, shown: services, isBad }
    },
  },
  jobs: {
    says: 'what waits in the queues, and the chores with their last and next run',
    async run({ database: { db }, queue, now }) {
      const queues = await countQueues(db)
      const chores = (await findChores(db)).map((chore) => ({
        ...chore,
        nextAt: queue.nextOf(chore.cron, chore.timeZone, now),
      }))
      return { json: { queues, chores }, shown: `${table(queues)}\n\n${table(chores)}` }
    },
  },
  dead: {
    says: 'dead letters with their reasons, the newest hundred',
    run: async ({ database }) => list(await findDead(database.db, {}, { skip: 0, take: 100 })),
  },
  retry: {
    says: 'ID or NAME: retries dead letters, one or all of a kind',
    async run({ database, queue, act, words }) {
      const wanted = wordOf(words, 'retry ID|NAME')
      const count = await retryDead(database, queue, isId(wanted) ? { ids: [wanted] } : { name: wanted }, act)
      return counted(count, 'retried')
    },
  },
  drop: {
    says: 'ID: deletes a dead letter',
    async run({ database, queue, act, words }) {
      const id = wordOf(words, 'drop ID')
      if (!isId(id)) throw new UsageError('drop ID')
      return counted(await dropDead(database, queue, [id], act), 'dropped')
    },
  },
  run: {
    says: 'NAME: runs a chore now',
    async run({ database, queue, act, words }) {
      const name = wordOf(words, 'run NAME')
      const chores = await findChores(database.db)
      if (!chores.some((chore) => chore.name === name))
        throw new UsageError(`There is no ${name}; see: ops jobs`)
      const isQueued = await runChoreNow(database, queue, name, act)
      return {
        json: { isQueued },
        shown: isQueued ? 'queued; a running server does it' : 'it waits or runs already',
      }
    },
  },
  mail: {
    says: 'e-mails by state; those that arrived are of the last day',
    run: async ({ database, now }) => list(await countMails(database.db, now)),
  },
  storage: {
    says: 'how many files, how many bytes, what is free',
    run: async ({ database, storage }) => list([await measureStorage(database.db, storage)]),
  },
  texts: {
    says: 'how many texts of documents are read for the search, wait or could not be read',
    run: async ({ database }) => list(await countTexts(database.db)),
  },
  reindex: {
    says: 'makes the index of the search anew, beside a running server',
    run: async ({ database }) => counted(await reindex(database), 'looked at'),
  },
  'audit-storage': {
    says: 'stored files that no row refers to, a day old; the daily sweep removes them; 1 if there are any',
    async run({ database, storage, now }) {
      const orphans = await findOrphans(database.db, storage, now)
      return { ...list(orphans), isBad: orphans.length > 0 }
    },
  },
  'sweep-storage': {
    says: '--max N: removes what audit-storage lists, except foreign files, if there are at most N',
    async run({ database, storage, options: { max }, act }) {
      if (max === undefined || !/^\d+$/.test(max)) throw new UsageError('sweep-storage --max N')
      return counted(await sweepNamed(database, storage, Number(max), act), 'removed')
    },
  },
  backups: {
    says: 'the last twenty, newest first, begun and broken ones too; 1 if the last one failed or there is none',
    async run({ database }) {
      const backups = await findBackups(database.db, 20)
      const last = backups.find(({ endedAt, failure }) => endedAt !== null || failure !== null)
      return { ...list(backups), isBad: last === undefined || last.failure !== null }
    },
  },
  subscriptions: {
    says: 'those that end within thirty days, and those that begin later',
    async run({ database, now }) {
      const { ending, pending } = await findSubscriptionTurns(database.db, now)
      const shown = [
        ...ending.map((one) => ({ ...one, is: 'ending' })),
        ...pending.map((one) => ({ ...one, is: 'pending' })),
      ]
      return { json: { ending, pending }, shown }
    },
  },
  'give-subscription': {
    says: '--bin BIN --tariff NAME [--from DATE] --to DATE [--max N]: gives an organisation a subscription',
    async run({ database, options, now, act }) {
      const given = subscriptionOf(options, dateInAlmaty(now))
      if (!(await giveSubscription(database, given, act))) {
        throw new UsageError(`There is no confirmed organisation with the number ${given.bin}`)
      }
      return { json: given, shown: [given] }
    },
  },
  feedback: {
    says: 'what people wrote from the landing, the newest hundred',
    run: async ({ database }) => list(await findFeedback(database.db, 100)),
  },
  'audit-log': {
    says: 'makes the transparency log again from the database and names what differs; 1 if something does',
    async run({ database, config }) {
      const key = readLogKey(config.logKeyFile)
      if (!key) throw new UsageError(`There is no key of the log at ${config.logKeyFile}; set LOG_KEY_FILE`)
      await sequence(database)
      const { size, heads, faults } = await auditLog(database.db, createPublicKey(key))
      const shown = faults.length > 0 ? faults : `${size} entries, ${heads} signed heads: nothing differs`
      return { json: { size, heads, faults }, shown, isBad: faults.length > 0 }
    },
  },
  audit: {
    says: 'reads everything again: log, histories, files, and what the witnesses remember; 1 if something differs',
    async run({ database, storage, config, now }) {
      const key = readLogKey(config.logKeyFile)
      if (!key) throw new UsageError(`There is no key of the log at ${config.logKeyFile}; set LOG_KEY_FILE`)
      await sequence(database)
      const log = { key, origin: config.logOrigin ?? originAt(config.publicUrl) }
      const { witnesses } = config.witnesses
      const asked = await Promise.all(witnesses.map((witness) => rememberedBy(witness, noteKeyOf(log), now)))
      const known = asked.flatMap((one) => ('size' in one ? [one] : []))
      const silent = asked.flatMap((one) => ('reason' in one ? [one] : []))
      const audit = await auditAll(database.db, {
        log,
        witnesses: witnesses.map((witness) => witness.key),
        known,
        storage,
        now,
      })
      const { size, heads, files, faults } = audit
      const compared = `${size} entries, ${heads} heads, ${files} files, ${known.length} witnesses`
      const shown = [
        faults.length > 0 ? table(faults) : `${compared}: nothing differs`,
        ...silent.map(({ by, reason }) => `${by} was not compared with: ${reason}`),
      ].join('\n')
      return { json: { ...audit, witnesses: known.length, silent }, shown, isBad: faults.length > 0 }
    },
  },
  'export-organization': {
    says: '--bin BIN --to DIR --address URL: packs an organisation that moves to URL; 1 and a list if something is under way',
    run: exportCommand,
  },
  'import-organization': {
    says: '--from DIR [--expect HASH]: takes in an organisation from the package of another installation',
    run: importCommand,
  },
  'keep-organization': {
    says: '--bin BIN: lets an organisation that was exported work here again, if its package was imported nowhere',
    run: keepCommand,
  },
  trust: {
    says: 'certificates that are trusted and revocation lists; 1 if one ends within thirty days or is past its time',
    async run({ config, database, now }) {
      const certificates = findCertificates(config.trustRootsDir, now)
      const lists = await findRevocationLists(config.dataDir)
      const revokedBefore = await findRevokedBefore(database.db)
      const isBad =
        certificates.some(({ daysLeft }) => daysLeft < 30) || lists.some(({ nextUpdate }) => nextUpdate < now)
      const shown = [certificates, lists, revokedBefore].map(table).join('\n\n')
      return { json: { certificates, lists, revokedBefore }, shown, isBad }
    },
  },
  acts: {
    says: 'what operators did, the newest hundred',
    run: async ({ database }) => list((await findActs(database.db, { skip: 0, take: 100 })).items),
  },
}

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      bin: { type: 'string' },
      tariff: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      max: { type: 'string' },
      address: { type: 'string' },
      expect: { type: 'string' },
    },
  })
  const { json, ...options } = values
  const [name = 'help', ...words] = positionals
  if (name === 'help') {
    process.stdout.write(`${help()}\n`)
    return 0
  }
  const command = commands[name]
  if (!command) throw new UsageError(`There is no command ${name}\n\n${help()}`)
  const result = await inPlace((place) => command.run({ ...place, words, options }))
  process.stdout.write(`${json ? JSON.stringify(result.json, null, 2) : textOf(result.shown)}\n`)
  return result.isBad ? 1 : 0
})

async function inPlace(
  work: (input: Omit<CommandInput, 'words' | 'options'>) => Promise<CommandResult>,
): Promise<CommandResult> {
  const place = await openPlace()
  const database = openDatabase({ ...place.connection, max: 2 }, () => {})
  try {
    await refuseOtherVersion(database)
    const queue = await openQueue(place.connection)
    try {
      const now = new Date()
      return await work({ ...place, database, queue, now, act: { by: null, at: now } })
    } finally {
      await queue.stop()
    }
  } finally {
    await database.close()
    await place.close()
  }
}

/**
 * Refuses a database of another version: only the server migrates it, because commands that read must change nothing.
 */
async function refuseOtherVersion({ pool }: Database): Promise<void> {
  const { rows } = await pool
    .query<Applied>('select name, sha256, only_adds from migrations')
    .catch(() => ({ rows: [] }))
  const ours = readMigrations()
  try {
    refuseForeignHistory(rows, ours)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
  if (ours.some(({ name }) => !rows.some((row) => row.name === name))) {
    throw new UsageError('The database is older than this program: start the server of this version once')
  }
}

function subscriptionOf({ bin = '', tariff, from, to = '', max }: CommandInput['options'], today: string) {
  const nameKey = tariffNames.find((one) => one === tariff)
  const startDate = from ?? today
  const maximum = max === undefined ? (nameKey ? tariffs[nameKey].outgoing : null) : Number(max)
  const isRight =
    isTwelveDigits(bin) &&
    nameKey !== undefined &&
    isDay(startDate) &&
    isDay(to) &&
    startDate <= to &&
    (maximum === null || (Number.isInteger(maximum) && maximum >= 0))
  if (!isRight) {
    throw new UsageError(
      'give-subscription --bin BIN --tariff NAME [--from 2026-01-01] --to 2026-12-31 [--max N]\n' +
        `  tariffs: ${tariffNames.join(', ')}; without --from it begins today, without --max it has the number of its tariff`,
    )
  }
  return { bin, tariff: nameKey, startDate, endDate: to, maximum }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text
}

function wordOf([word]: string[], usage: string): string {
  if (word === undefined) throw new UsageError(usage)
  return word
}

function list(rows: readonly Row[]): CommandResult {
  return { json: rows, shown: [...rows] }
}

/** The result of an act on so many things; none is a failure. */
function counted(count: number, what: string): CommandResult {
  return { json: { count }, shown: `${what}: ${count}`, isBad: count === 0 }
}

function help(): string {
  const lines = Object.entries(commands).map(([name, { says }]) => `  ${name.padEnd(19)} ${says}`)
  const codes = 'Ends with 0: good, 1: something is not, 2: wrong usage, 78: the environment is wrong.'
  return `npm run -s ops -- COMMAND [--json]\n\n${lines.join('\n')}\n  ${'help'.padEnd(19)} this\n\n${codes}`
}

function textOf(shown: CommandResult['shown']): string {
  return typeof shown === 'string' ? shown : table(shown)
}

/** Columns as wide as their content. */
function table(rows: readonly Row[]): string {
  if (rows.length === 0) return '(none)'
  const names = Object.keys(rows[0]!)
  const cells = [names, ...rows.map((row) => names.map((name) => cellOf(row[name])))]
  const widths = names.map((_, i) => Math.max(...cells.map((line) => line[i]!.length)))
  return cells
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString().replace(/\.\d+Z$/, 'Z')
  if (typeof value === 'number') return String(Math.round(value * 10) / 10)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
