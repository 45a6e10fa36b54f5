/** The operator's page. Every call here requires `access: 'operator'`. */
import { refuse } from '@kelisim/domain/errors.ts'
import {
  actTypes,
  dropDeadLetters,
  getDeadLetters,
  getHealth,
  getOperatorActs,
  getOverview,
  retryDeadLetters,
  runChore,
} from '@kelisim/domain/operator/contract.ts'
import type { Storage } from '../documents/storage/storage.ts'
import type { Http } from '../http/open.ts'
import { countDead, countQueues, findChores, findDead } from '../jobs/queries.ts'
import { day } from '@kelisim/domain/durations.ts'
import { findArchiveState, type ArchiveState } from '../outputs/archive/queries.ts'
import type { PkiConfig } from '../signatures/outbound/centre.ts'
import { dropDead, retryDead, runChoreNow, type OperatorQueue } from './acts.ts'
import { checkServices } from './health.ts'
import { countMails, findActs, findBackups, findRevokedBefore, findSubscriptionTurns } from './queries.ts'
import { findCertificates, findRevocationLists, measureStorage } from './state.ts'

/** What the page needs besides the database and the storage. */
export type OperatorParts = {
  /** E-mails or IINs of the operators. */
  operators: readonly string[]
  queue: OperatorQueue
  smtpUrl: string | undefined
  mustEncrypt: boolean
  pki: PkiConfig
  trustRootsDir: string | undefined
  dataDir: string
}

export function openOperator(
  { serve, database, release, clock }: Http,
  { storage, queue, ...installation }: OperatorParts & { storage: Storage },
): void {
  const { version, build } = release
  const startedAt = clock()
  serve(getHealth, async () => ({
    version,
    build,
    startedAt: startedAt.toISOString(),
    services: await checkServices({ ...installation, database, storage }),
  }))

  serve(getOverview, async ({ db, now }) => {
    const [queues, chores, mail, measured, backups, subscriptions, lists, revokedBefore, archive] =
      await Promise.all([
        countQueues(db),
        findChores(db),
        countMails(db, now),
        measureStorage(db, storage),
        findBackups(db, 5),
        findSubscriptionTurns(db, now),
        findRevocationLists(installation.dataDir),
        findRevokedBefore(db),
        findArchiveState(db),
      ])
    return {
      queues,
      mail,
      storage: measured,
      archive: archiveView(archive, now),
      subscriptions,
      chores: chores.map(({ lastAt, ...chore }) => ({
        ...chore,
        lastAt: isoOf(lastAt),
        nextAt: isoOf(queue.nextOf(chore.cron, chore.timeZone, now)),
      })),
      backups: backups.map(({ beganAt, endedAt, ...backup }) => ({
        ...backup,
        beganAt: beganAt.toISOString(),
        endedAt: isoOf(endedAt),
      })),
      trust: {
        certificates: findCertificates(installation.trustRootsDir, now).map(
          ({ validTo, ...certificate }) => ({
            ...certificate,
            validTo: validTo.toISOString(),
          }),
        ),
        lists: lists.map(({ fetchedAt, nextUpdate, ...list }) => ({
          ...list,
          fetchedAt: fetchedAt.toISOString(),
          nextUpdate: nextUpdate.toISOString(),
        })),
        revokedBefore: revokedBefore.map(({ revokedAt, checkedAt, ...signature }) => ({
          ...signature,
          revokedAt: isoOf(revokedAt),
          checkedAt: checkedAt.toISOString(),
        })),
      },
    }
  })

  serve(getDeadLetters, async ({ input, db }) => ({
    totalCount: await countDead(db),
    items: (await findDead(db, {}, input)).map(({ data, queuedAt, diedAt, ...letter }) => ({
      ...letter,
      data: JSON.stringify(data),
      queuedAt: isoOf(queuedAt),
      diedAt: diedAt.toISOString(),
    })),
  }))

  serve(retryDeadLetters, async ({ input, who, now }) => ({
    count: await retryDead(database, queue, input, { by: who.userId, at: now }),
  }))

  serve(dropDeadLetters, async ({ input, who, now }) => ({
    count: await dropDead(database, queue, input.ids, { by: who.userId, at: now }),
  }))

  serve(runChore, async ({ input, who, now, db }) => {
    const chores = await findChores(db)
    if (!chores.some(({ name }) => name === input.name)) refuse('page-not-found')
    return { isQueued: await runChoreNow(database, queue, input.name, { by: who.userId, at: now }) }
  })

  serve(getOperatorActs, async ({ input, db }) => {
    const { items, totalCount } = await findActs(db, input)
    return {
      totalCount,
      items: items.map(({ at, details, type, ...act }) => ({
        ...act,
        at: at.toISOString(),
        type: actTypes.find((one) => one === type)!,
        details: JSON.stringify(details),
      })),
    }
  })
}

function isoOf(moment: Date | null): string | null {
  return moment?.toISOString() ?? null
}

function archiveView({ newest, endsAt, ...counts }: ArchiveState, now: Date) {
  return {
    ...counts,
    newestAt: isoOf(newest),
    endsAt: isoOf(endsAt),
    daysLeft: endsAt && Math.floor((endsAt.getTime() - now.getTime()) / day),
  }
}
