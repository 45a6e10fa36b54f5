/**
 * The initial data of the demo: two organisations and an individual, with people in every role and groups. All names
 * and numbers are fictional; the numbers have valid check digits.
 */
import { sql } from 'kysely'
import type { Database, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { agreementVersion } from '@kelisim/domain/identity/contract.ts'
import { asStaff, roles, type RoleName } from '@kelisim/domain/identity/roles.ts'
import { createAccount } from '@kelisim/sign-in/accounts/account-queries.ts'
import { addClassifiers } from './classifiers.ts'
import { groups, organizations, people } from './people.ts'
import { addPoints } from './points.ts'
import { addRegisters } from './registers.ts'
import { addTemplates } from './templates.ts'
import { addRoutes } from './routes.ts'

/** An arbitrary number of our own, for the advisory lock. */
const seedLock = 5_700_258

/** The operator of the demo, who sees the operator's page. */
export const demoOperator = people[0]!.email

/** The people who can be signed in with one click. */
export const demoAccounts = people.map(({ email, fullName, note }) => ({ email, fullName, note }))

/** Done once: a second start finds the first organisation and changes nothing. True if it was done this time. */
export function seedDemo(database: Database, issuer: string, now: Date): Promise<boolean> {
  return database.write(async (tx) => {
    await sql`select pg_advisory_xact_lock(${seedLock})`.execute(tx) // one process at a time
    const known = await tx
      .selectFrom('organizations')
      .select('id')
      .where('bin', '=', organizations[0]!.bin)
      .where('confirmedAt', 'is not', null)
      .executeTakeFirst()
    if (known) return false
    const organizationIds = await addOrganizations(tx, now)
    const userIds = await addPeople(tx, issuer, now)
    await addMemberships(tx, organizationIds, userIds, now)
    await addGroups(tx, organizationIds, userIds, now)
    await addPoints(tx, organizationIds, userIds, now)
    await addRoutes(tx, organizationIds, userIds, now)
    await addClassifiers(tx, organizationIds, userIds, now)
    await addRegisters(tx, organizationIds, userIds, now)
    await addTemplates(tx, organizationIds, userIds, now)
    return true
  })
}

async function addOrganizations(tx: Tx, now: Date): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const { key, ...card } of organizations) {
    const id = newId()
    ids.set(key, id)
    await tx
      .insertInto('organizations')
      .values({ id, ...card, confirmedAt: now, createdAt: now })
      .execute()
  }
  return ids
}

async function addPeople(tx: Tx, issuer: string, now: Date): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const { email, fullName, language, iin } of people) {
    const subject = await createAccount(
      tx,
      { email, fullName, password: null, language, confirmedAt: now, iin },
      now,
    )
    const id = newId()
    ids.set(email, id)
    await tx
      .insertInto('users')
      .values({
        id,
        issuer,
        subject,
        login: email,
        fullName,
        email,
        isEmailConfirmed: true,
        language,
        agreementVersion,
        agreementAcceptedAt: now,
        createdAt: now,
      })
      .execute()
  }
  return ids
}

async function addMemberships(
  tx: Tx,
  organizationIds: Map<string, string>,
  userIds: Map<string, string>,
  now: Date,
): Promise<void> {
  const rows = people.flatMap((person) =>
    Object.entries(person.roles).map(([key, names]) => ({
      organizationId: organizationIds.get(key)!,
      userId: userIds.get(person.email)!,
      roles: maskOf(names),
      joinedAt: now,
    })),
  )
  await tx.insertInto('memberships').values(rows).execute()
  const founders = rows.filter((row) => roles.has(row.roles, 'Owner'))
  const others = rows.filter((row) => !roles.has(row.roles, 'Owner'))
  await tx
    .insertInto('organizationEvents')
    .values(
      founders.map(({ organizationId, userId }) => ({
        organizationId,
        by: userId,
        at: now,
        type: 'organization-added',
        subject: organizations.find((o) => organizationIds.get(o.key) === organizationId)!.shortName,
      })),
    )
    .execute()
  await tx
    .insertInto('organizationEvents')
    .values(
      others.map(({ organizationId, userId }) => ({
        organizationId,
        by: userId,
        at: now,
        type: 'joined',
        subject: people.find((person) => userIds.get(person.email) === userId)!.fullName,
      })),
    )
    .execute()
}

async function addGroups(
  tx: Tx,
  organizationIds: Map<string, string>,
  userIds: Map<string, string>,
  now: Date,
): Promise<void> {
  for (const group of groups) {
    const id = newId()
    const organizationId = organizationIds.get(group.organization)!
    await tx.insertInto('groups').values({ id, organizationId, name: group.name, createdAt: now }).execute()
    await tx
      .insertInto('groupParticipants')
      .values(
        group.participants.map((email) => ({ organizationId, groupId: id, userId: userIds.get(email)! })),
      )
      .execute()
  }
}

function maskOf(names: readonly RoleName[]): number {
  return asStaff(roles.of(...names))
}
