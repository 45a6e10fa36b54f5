/**
 * The demo's people send requests and act on them like real users: by the calls of the API, with signatures made by
 * their own keys and judged by the same checks. Nothing is inserted into tables directly, so the demo shows what the
 * product does.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Database } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { getClassifiers } from '@kelisim/domain/classifiers/contract.ts'
import { uploadDocument } from '@kelisim/domain/documents/contract.ts'
import { fillPath, type Endpoint } from '@kelisim/domain/endpoint.ts'
import { pointTypes } from '@kelisim/domain/points/point-types.ts'
import { actAtPoint, createRequest, getRequest, revokeRequest } from '@kelisim/domain/requests/contract.ts'
import { pointStatusOf } from '@kelisim/domain/requests/point-status-word.ts'
import { downloadRequestFile } from '@kelisim/domain/requests/files-contract.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { writeDocument } from '@kelisim/domain/rich-text/contract.ts'
import { getDocumentKinds } from '@kelisim/domain/registers/contract.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { scopeOf } from '@kelisim/domain/visibility.ts'
import type { createApp } from '@kelisim/server/app.ts'
import { linkIin } from '@kelisim/server/identity/sign-in/queries.ts'
import { signDocument } from '@kelisim/stand-ins/desktop-signer/sign-documents.ts'
import { openKey } from '@kelisim/stand-ins/phone/app/own-key.ts'
import { keyFolder, type KeyFile } from '@kelisim/stand-ins/shared/key-folder.ts'
import { keyPassword } from './keys.ts'
import { organizations, people } from './people.ts'
import { makeDocx } from './sample-files.ts'
import { requestSamples, type SampleAct, type RequestSample } from './request-samples.ts'
import { day, hour, minute } from '@kelisim/domain/durations.ts'

const pauseMs = 250
const mostTries = 60

type App = Awaited<ReturnType<typeof createApp>>
type CallResult<E extends Endpoint> = ReturnType<E['result']['parse']>
type Request = CallResult<typeof getRequest>

type DemoScene = {
  call: <E extends Endpoint>(person: string, e: E, input: Record<string, unknown>) => Promise<CallResult<E>>
  upload: <E extends Endpoint>(
    person: string,
    e: E,
    input: Record<string, unknown>,
    file: Buffer,
  ) => Promise<CallResult<E>>
  fetchFile: (person: string, e: Endpoint, input: Record<string, unknown>) => Promise<Buffer>
  organizationIds: Map<string, string>
  sign: (bytes: Uint8Array, signer: { iin: string; bin: string | null }) => Promise<string>
  /**
   * Sets the time of the next calls to some days ago; undefined means now, because the certificates are issued today.
   */
  setTime: (moment?: Date) => void
  notify: () => Promise<void>
}

export async function seedRequests(options: {
  database: Database
  /** Another instance of the same product, with our clock. */
  openApp: (clock: () => Date) => Promise<App>
  /** Sends the notifications of what was done, at the time it was done. */
  notify: (clock: () => Date) => Promise<void>
  publicUrl: URL
  /** The folder of the demo's keys; without it nobody can sign, and nothing is sent. */
  keysFolder: string
}): Promise<void> {
  const { database, keysFolder } = options
  if (!existsSync(keysFolder)) return
  let time: Date | undefined
  const clock = () => time ?? new Date()
  const app = await options.openApp(clock)
  // Judgements that were postponed are only resumed by an app that listens.
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { tokens, end } = await beginSessions(database)
  try {
    const organizationIds = await findOrganizations(database)
    await subscribe(database, organizationIds)
    const scene: DemoScene = {
      ...callsOf(app, options.publicUrl, tokens),
      organizationIds,
      sign: signerOf(keysFolder),
      setTime: (moment) => (time = moment),
      notify: () => options.notify(clock),
    }
    for (const sample of requestSamples) await play(scene, sample)
    await readOld(database)
  } finally {
    await end()
    await app.close()
  }
}

/** Notices of earlier days are marked as read; today's are new. */
async function readOld(database: Database): Promise<void> {
  const now = new Date()
  await database.write((tx) =>
    tx
      .updateTable('notices')
      .set({ readAt: now })
      .where('userId', 'is not', null)
      .where('createdAt', '<', new Date(now.getTime() - day))
      .execute(),
  )
}

async function play(scene: DemoScene, sample: RequestSample): Promise<void> {
  const { call, setTime, organizationIds } = scene
  const { author, name, description = '', daysAgo } = sample
  const organizationId = organizationIds.get(sample.organization)!
  // Requests are sent in the morning of that day and answered during it.
  const sentAt = new Date(Date.now() - daysAgo * day - 3 * hour)
  setTime(sentAt)
  const document = await documentOf(scene, sample, organizationId)
  const routes = await call(author, routeCalls.list, { organizationId, skip: 0, take: 100 })
  const tags = await call(author, getClassifiers, { organizationId, skip: 0, take: 100 })
  const kinds = await call(author, getDocumentKinds, { organizationId })
  const kindId = kinds.items.find((kind) => kind.name === sample.kind)?.id
  const { id } = await call(author, createRequest, {
    organizationId,
    name,
    description,
    documentId: document.id,
    routeId: routes.items.find((route) => route.name === sample.route)!.id,
    ...(kindId !== undefined && { kindId }),
    classificatorsV2: tags.items
      .filter((tag) => sample.tags?.includes(tag.name))
      .map(({ classificatorId }) => classificatorId),
  })
  await scene.notify()
  for (const [i, sampleAct] of sample.acts.entries()) {
    // Signatures are made today, so what follows cannot be earlier.
    const isSigned = sample.acts.slice(0, i + 1).some(({ act }) => act === 'sign')
    setTime(isSigned ? undefined : new Date(sentAt.getTime() + (i + 1) * hour))
    await perform(scene, { author, organizationId, id }, sampleAct)
    await scene.notify()
  }
}

function documentOf({ call, upload }: DemoScene, sample: RequestSample, organizationId: string) {
  const { author, name, text } = sample
  const about = { organizationId, description: '', visibilityScope: scopeOf('private') }
  const fileName = name.replaceAll('/', '-')
  if (!sample.isWritten) {
    return upload(author, uploadDocument, { ...about, name: `${fileName}.docx` }, makeDocx(name, ...text))
  }
  const htmlContent = `<h1>${name}</h1>${text.map((line) => `<p>${line}</p>`).join('')}`
  return call(author, writeDocument, { ...about, fileName, htmlContent })
}

async function perform(
  scene: DemoScene,
  sent: { author: string; organizationId: string; id: string },
  sampleAct: SampleAct,
): Promise<void> {
  const { call, organizationIds } = scene
  if (sampleAct.act === 'withdraw') {
    const { author, organizationId, id: signingRequestId } = sent
    await call(author, revokeRequest, { organizationId, signingRequestId, comment: sampleAct.comment })
    return
  }
  const { by, act } = sampleAct
  const request = { organizationId: organizationIds.get(sampleAct.inNameOf)!, signingRequestId: sent.id }
  const comment = 'comment' in sampleAct ? sampleAct.comment : undefined
  if (act === 'terminate') {
    await call(by, terminateRequest, { ...request, comment })
    return
  }
  const seen = await call(by, getRequest, request)
  const place = seen.acts.find((one) => one.act === act)
  if (!place) throw new Error(`${by} cannot ${act} «${seen.name}»`)
  const point = pointsOf(seen).find(({ pointId }) => pointId === place.pointId)!
  await call(by, actAtPoint, {
    ...request,
    pointId: point.pointId,
    action: act,
    ...(comment && { comment }),
    pointTypeName: pointTypes.list(point.type)[0]!,
    ...(act === 'sign' && { signature: await signatureOf(scene, sampleAct, seen, request) }),
  })
  if (act === 'sign') await judged(() => call(by, getRequest, request))
}

/** Waits for the judgement: the next act of the sample depends on it, and a busy machine judges after responding. */
async function judged(look: () => Promise<Request>): Promise<void> {
  const end = Date.now() + 5 * minute
  const isChecked = ({ points, termination }: Request) =>
    [...points, ...(termination?.points ?? [])].every((point) => pointStatusOf(point) !== 'Validation')
  while (!isChecked(await look())) {
    if (Date.now() > end) throw new Error('a signature of the demo could not be judged')
    await setTimeout(pauseMs)
  }
}

/** The points of the current process: those of the document, or of the terminating document. */
function pointsOf({ points, termination }: Request) {
  const isOpen = termination?.points.some((point) => point.isMine && point.doneAt === null)
  return isOpen ? termination!.points : points
}

async function signatureOf(
  { fetchFile, sign }: DemoScene,
  sampleAct: Extract<SampleAct, { act: 'sign' }>,
  seen: Request,
  request: Record<string, unknown>,
): Promise<string> {
  const file = pointsOf(seen) === seen.points ? 'original' : 'terminating'
  const bytes = await fetchFile(sampleAct.by, downloadRequestFile, { ...request, file })
  const { iin } = people.find(({ email }) => email === sampleAct.by)!
  const { bin } = organizations.find(({ key }) => key === sampleAct.inNameOf)!
  return sign(bytes, { iin, bin: sampleAct.key === 'own' ? null : bin })
}

/** Signs like the program on a person's computer; opening a key takes long, so each is opened once. */
function signerOf(folder: string): DemoScene['sign'] {
  const keys = keyFolder(folder, keyPassword)
  const opened = new Map<string, ReturnType<typeof openKey>>()
  async function open(iin: string, bin: string | null): ReturnType<typeof openKey> {
    const isOf = ({ owner }: KeyFile) => owner?.iin === iin && owner.bin === bin && owner.use === 'both'
    const file = (await keys.list()).find(isOf)
    const p12 = file && (await keys.read(file.name))
    if (!p12) throw new Error(`the demo has no key of ${iin}`)
    return openKey({ p12, password: keyPassword }, { use: 'signature', isAnyTaken: false, at: new Date() })
  }
  return async (bytes, { iin, bin }) => {
    const id = `${iin} ${bin}`
    if (!opened.has(id)) opened.set(id, open(iin, bin))
    const manner = { isAttached: false, isDigest: false, stamp: null, signingTime: new Date() }
    const cms = await signDocument(bytes, await opened.get(id)!, manner)
    return Buffer.from(cms).toString('base64')
  }
}

type Calls = Pick<DemoScene, 'call' | 'upload' | 'fetchFile'>

function callsOf(app: App, publicUrl: URL, tokens: Map<string, string>): Calls {
  const cookie = publicUrl.protocol === 'https:' ? '__Host-session' : 'session'
  async function ask(person: string, e: Endpoint, input: Record<string, unknown>, file?: Buffer) {
    const { path, rest } = fillPath(e.path, input)
    const isQuery = e.method === 'GET' || file !== undefined
    const inject = () =>
      app.inject({
        method: e.method,
        url: path,
        ...(isQuery ? { query: rest as Record<string, string> } : { payload: rest }),
        ...(file && { payload: file }),
        headers: {
          origin: publicUrl.origin,
          host: publicUrl.host,
          cookie: `${cookie}=${tokens.get(person)!}`,
          ...(file && { 'content-type': 'application/octet-stream' }),
        },
      })
    let answer = await inject()
    // A busy machine may have no worker or connection free at the moment.
    for (let tries = 1; answer.statusCode === 503 && tries < mostTries; tries++) {
      await setTimeout(pauseMs)
      answer = await inject()
    }
    if (answer.statusCode !== 200) throw new Error(`${e.method} ${path}: ${answer.body}`)
    return answer
  }
  return {
    call: async (person, e, input) => (await ask(person, e, input)).json(),
    upload: async (person, e, input, file) => (await ask(person, e, input, file)).json(),
    fetchFile: async (person, e, input) => (await ask(person, e, input)).rawPayload,
  }
}

/**
 * Everybody is signed in by their account, whose number the sign-in service knows; all sessions are ended afterwards.
 */
async function beginSessions(database: Database) {
  const tokens = new Map<string, string>()
  const now = new Date()
  await database.write(async (tx) => {
    const users = await tx.selectFrom('users').select(['id', 'login']).execute()
    for (const { email, iin } of people) {
      const { id: userId } = users.find(({ login }) => login === email)!
      await linkIin(tx, userId, iin)
      const token = randomBytes(32).toString('base64url')
      tokens.set(email, token)
      await tx
        .insertInto('sessions')
        .values({
          userId,
          outsiderId: null,
          tokenHash: hashOf(token),
          providerSession: null,
          idToken: null,
          createdAt: now,
          lastSeenAt: now,
          expiresAt: new Date(now.getTime() + hour),
        })
        .execute()
    }
  })
  const end = () =>
    database.write((tx) =>
      tx
        .deleteFrom('sessions')
        .where('tokenHash', 'in', [...tokens.values()].map(hashOf))
        .execute(),
    )
  return { tokens, end }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

async function findOrganizations({ db }: Database): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('organizations')
    .select(['id', 'bin'])
    .where('confirmedAt', 'is not', null)
    .execute()
  return new Map(organizations.map(({ key, bin }) => [key, rows.find((row) => row.bin === bin)!.id]))
}

/** Gives the organisations a paid tariff, because the samples would use up the free one. The individual keeps it. */
async function subscribe(database: Database, organizationIds: Map<string, string>): Promise<void> {
  const now = new Date()
  const year = now.getFullYear()
  const term = { startDate: `${year}-01-01`, endDate: `${year + 1}-12-31`, createdAt: now }
  await database.write((tx) =>
    tx
      .insertInto('subscriptions')
      .values([
        {
          id: newId(),
          organizationId: organizationIds.get('altyn-dala')!,
          ...term,
          nameKey: 'classic',
          maxSigningRequests: 100,
        },
        {
          id: newId(),
          organizationId: organizationIds.get('tulpar-trade')!,
          ...term,
          nameKey: 'premium',
          maxSigningRequests: null,
        },
      ])
      .execute(),
  )
}
