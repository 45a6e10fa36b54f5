/** Classifiers: all members read them, owners add and change them. */
import { isUniqueViolation } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import {
  addClassifier,
  getClassifier,
  getClassifiers,
  getClassifiersByIds,
  saveClassifier,
} from '@kelisim/domain/classifiers/contract.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import type { Http } from '../http/open.ts'
import {
  addClassifierRow,
  type ClassifierRow,
  findClassifier,
  findClassifiers,
  findClassifiersAmong,
  saveClassifierRow,
} from './queries.ts'

export function openClassifiers({ serve }: Http): void {
  serve(getClassifiers, async ({ input: { name = '', ...filter }, who: { member }, db }) => {
    const { items, totalCount } = await findClassifiers(db, member.organizationId, { name, ...filter })
    return { totalCount, items: items.map((row) => classifierView(row, member.roles)) }
  })

  serve(getClassifiersByIds, async ({ input: { classificatorsId }, who: { member }, db }) => {
    const found = await findClassifiersAmong(db, member.organizationId, classificatorsId)
    return { totalCount: found.length, items: found.map((row) => classifierView(row, member.roles)) }
  })

  serve(getClassifier, async ({ input: { classificatorId }, who: { member }, db }) => {
    const found = await findClassifier(db, member.organizationId, classificatorId)
    return classifierView(found ?? refuse('classificator-not-found'), member.roles)
  })

  serve(addClassifier, ({ input: { name }, who: { userId, member }, now, write }) =>
    nameMustBeFree(
      write(async (tx) => {
        const id = newId(now.getTime())
        const { organizationId, roles } = member
        await addClassifierRow(tx, { id, organizationId, authorId: userId, name, createdAt: now })
        return classifierView((await findClassifier(tx, organizationId, id))!, roles)
      }),
    ),
  )

  serve(saveClassifier, ({ input, who: { member }, write }) =>
    nameMustBeFree(
      write(async (tx) => {
        const { classificatorId, name, currentVersion } = input
        const find = () => findClassifier(tx, member.organizationId, classificatorId)
        if (!(await find())) refuse('classificator-not-found')
        if (!(await saveClassifierRow(tx, classificatorId, currentVersion, name))) refuse('request-changed')
        return classifierView((await find())!, member.roles)
      }),
    ),
  )
}

/** The unique index decides if two owners use one name at the same time. */
async function nameMustBeFree<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error, 'classifiers_name')) refuse('classificator-name-already-in-use')
    throw error
  }
}

function classifierView(row: ClassifierRow, mine: number) {
  return {
    classificatorId: row.id,
    name: row.name,
    author: { userId: row.authorId, fullName: row.authorName },
    createdAt: row.createdAt.toISOString(),
    currentVersion: row.version,
    allowed: { rename: isOwner(mine) },
  }
}
