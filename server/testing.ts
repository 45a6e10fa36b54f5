/**
 * For `*.db.test.ts`: the whole server on its own database, called without a network. Factories create what a test
 * names; only external things (the sign-in service, the clock) are replaced, never our own code.
 */
import type { LightMyRequestResponse } from 'fastify'
import type * as z from 'zod/mini'
import { testDatabase } from '@kelisim/db/testing.ts'
import { newId } from '@kelisim/db/id.ts'
import { fillPath, type Access, type Endpoint } from '@kelisim/domain/endpoint.ts'
import { commonRefusals, type ErrorBody } from '@kelisim/domain/errors.ts'
import type { Email } from '@kelisim/domain/mail/email.ts'
import { agreementVersion } from '@kelisim/domain/identity/contract.ts'
import { asStaff, roles, type RoleName } from '@kelisim/domain/identity/roles.ts'
import type { GivenKey } from '@kelisim/domain/points/key-holder.ts'
import { checkDigit } from '@kelisim/domain/numbers.ts'
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unknownOperator } from './http/site/operator.ts'
import { createApp } from './app.ts'
import type { AppParts } from './app-parts.ts'
import { folderStorage } from './documents/storage/folder.ts'
import { testWorkers } from './testing-workers.ts'

export const publicUrl = new URL('http://localhost:3000')

/** Has either `result` or `error`, depending on the status. */
export type CallResult<R> = {
  status: number
  result: R
  error: ErrorBody
  headers: LightMyRequestResponse['headers']
}

/** What a test replaces; the rest has defaults. */
export type TestParts = Partial<Omit<AppParts, Grouped>> & { [P in Grouped]?: Partial<AppParts[P]> }
type Grouped = 'release' | 'http' | 'queues' | 'signatures' | 'about'

export async function startTestApp(overrides: TestParts = {}) {
  const database = overrides.database ?? (await testDatabase()).database
  const emails: Email[] = []
  /** The outputs that were requested. */
  const outputs: string[] = []
  const logKey = overrides.logKey ?? generateKeyPairSync('ed25519').privateKey
  const time = { now: new Date('2026-11-15T06:00:00Z') }
  const archive = overrides.archive ?? {
    storage: await folderStorage(mkdtempSync(join(tmpdir(), 'kelisim-files-'))),
    checks: testWorkers.checks,
  }
  const { printing, revisions, richText } = testWorkers
  const app = await createApp({
    database,
    archive,
    printing,
    revisions,
    richText,
    signIn: { issuer: new URL('http://issuer.invalid'), clientId: 'kelisim', clientSecret: 'secret' },
    logKey,
    publicUrl,
    clock: () => time.now,
    ...overrides,
    release: { version: '0.57.0', build: 'test', ...overrides.release },
    http: { trustProxy: 0, logLevel: 'silent', callsPerMinute: 100_000, ...overrides.http },
    queues: {
      queueMail: async (_, email) => void emails.push(email),
      queueSettling: async () => {},
      queueOutput: async (_, outputId) => void outputs.push(outputId),
      queueImport: async () => {},
      ...overrides.queues,
    },
    signatures: { ...overrides.signatures },
    about: {
      isDemo: false,
      supportEmail: 'support@kelisim.kz',
      operator: unknownOperator,
      ...overrides.about,
    },
  })

  /** Calls an endpoint as the person (or anonymously) and fails on a refusal that the endpoint does not list. */
  async function call<A extends Access, I extends z.ZodMiniType, R extends z.ZodMiniType>(
    personId: string | null,
    e: Endpoint<A, I, R>,
    input: z.input<I>,
  ): Promise<CallResult<z.output<R>>> {
    const { path, rest } = fillPath(e.path, input as Record<string, unknown>)
    const response = await app.inject({
      method: e.method,
      url: path,
      ...(e.method === 'GET' ? { query: asQuery(rest) } : { payload: rest }),
      headers: {
        origin: publicUrl.origin,
        ...(personId && { cookie: `session=${await tokenOf(personId)}` }),
      },
    })
    const body = response.json<never>()
    const error: ErrorBody = body
    if (response.statusCode >= 400) {
      const alias = error.ExceptionData.Alias
      if (![...e.refusals, ...commonRefusals].includes(alias)) {
        throw new Error(`${e.method} ${e.path} refused with ${alias}, which its contract does not list`)
      }
    }
    return { status: response.statusCode, result: body, error, headers: response.headers }
  }

  const tokens = new Map<string, string>()
  const outsiders = new Set<string>()

  async function tokenOf(personId: string): Promise<string> {
    const known = tokens.get(personId)
    if (known) return known
    const token = randomBytes(32).toString('base64url')
    await database.write((tx) =>
      tx
        .insertInto('sessions')
        .values({
          tokenHash: createHash('sha256').update(token).digest(),
          ...(outsiders.has(personId)
            ? { userId: null, outsiderId: personId }
            : { userId: personId, outsiderId: null }),
          providerSession: null,
          idToken: null,
          createdAt: time.now,
          lastSeenAt: time.now,
          expiresAt: new Date(time.now.getTime() + 1e9),
        })
        .execute(),
    )
    tokens.set(personId, token)
    return token
  }

  let count = 0
  const make = {
    async person(fullName = `Person ${++count}`): Promise<string> {
      const id = newId()
      const email = `${id}@example.kz`
      await database.write((tx) =>
        tx
          .insertInto('users')
          .values({
            id,
            issuer: 'test',
            subject: id,
            login: email,
            fullName,
            email,
            isEmailConfirmed: true,
            agreementVersion,
            agreementAcceptedAt: time.now,
            createdAt: time.now,
          })
          .execute(),
      )
      return id
    },
    /** An outsider, used like a person: signed in with the key of the head if there is a BIN, unless one is given. */
    async outsider(
      iin = '900101300123',
      bin: string | null = null,
      givenKey: GivenKey = bin === null ? 'individual' : 'head',
    ): Promise<string> {
      const id = newId()
      await database.write((tx) =>
        tx
          .insertInto('outsiders')
          .values({
            id,
            issuer: 'test',
            subject: id,
            iin,
            bin,
            fullName: `Outsider ${++count}`,
            organization: null,
            givenKey,
            language: 'ru',
            createdAt: time.now,
            lastCameAt: time.now,
          })
          .execute(),
      )
      outsiders.add(id)
      return id
    },
    async organization(ownerId?: string, shortName = `Organisation ${++count}`): Promise<string> {
      const id = newId()
      await database.write((tx) =>
        tx
          .insertInto('organizations')
          .values({
            id,
            bin: someBin(++count),
            isIndividual: false,
            shortName,
            confirmedAt: null,
            createdAt: time.now,
          })
          .execute(),
      )
      if (ownerId) await make.member(id, ownerId, 'Owner')
      return id
    },
    async member(organizationId: string, userId: string, ...names: RoleName[]): Promise<string> {
      await database.write((tx) =>
        tx
          .insertInto('memberships')
          .values({ organizationId, userId, roles: asStaff(roles.of(...names)), joinedAt: time.now })
          .execute(),
      )
      return userId
    },
  }

  /** Moves the clock and renews all sessions, which would otherwise expire. */
  async function travel(to: Date): Promise<void> {
    time.now = to
    const expiresAt = new Date(to.getTime() + 1e9)
    await database.write((tx) => tx.updateTable('sessions').set({ lastSeenAt: to, expiresAt }).execute())
  }

  return { app, call, make, emails, outputs, logKey, time, travel, database, tokenOf, archive }
}

function asQuery(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  )
}

/** The nth number with a valid check digit. */
export function someBin(n: number): string {
  for (let serial = n * 7; ; serial++) {
    const eleven = `240540${String(serial).padStart(5, '0')}`
    const digit = checkDigit(eleven)
    if (digit !== null) return `${eleven}${digit}`
  }
}

/** A person in each role, and a stranger with an organisation of their own. */
export async function castIn({ make }: Pick<Awaited<ReturnType<typeof startTestApp>>, 'make'>) {
  const author = await make.person('Автор')
  const owner = await make.person('Владелец')
  const colleague = await make.person('Коллега')
  const administrator = await make.person('Администратор')
  const stranger = await make.person('Чужой')
  const organizationId = await make.organization(owner)
  const elsewhere = await make.organization(stranger)
  await make.member(organizationId, author)
  await make.member(organizationId, colleague)
  await make.member(
    organizationId,
    administrator,
    'PointsAdministrator',
    'SignaturePointsRoutesAdministrator',
  )
  return { people: { author, owner, colleague, administrator, stranger }, organizationId, elsewhere }
}
