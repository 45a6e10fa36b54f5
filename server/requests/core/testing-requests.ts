/** For tests: organisations with keys, documents and routes, and acts on a request. */
import { newId } from '@kelisim/db/id.ts'
import type { pointActs } from '@kelisim/domain/requests/contract.ts'
import { actAtPoint, createRequest, getRequest } from '@kelisim/domain/requests/contract.ts'
import { pointTypes, type PointType } from '@kelisim/domain/points/point-types.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { requestStatusOf, type RequestStatus } from '@kelisim/domain/requests/status.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import type { KeyKind } from '@kelisim/signature/signer/keys.ts'
import { foundNation, type Nation } from '@kelisim/signature/testing/nation.ts'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { uploader } from '../../documents/testing-uploads.ts'
import { checksIn, citizen, sign, type Centre, type Signer } from '../../identity/testing-signers.ts'
import { office, pointForm, type PointForm } from '../../points/testing-points.ts'
import { startTestApp, type TestParts } from '../../testing.ts'
import type { SignatureChecks } from '../../signatures/check.ts'

type Check = SignatureChecks['check']

export async function startRequestsApp(
  overrides: TestParts = {},
  around: (job: Parameters<Check>[0], check: Check, claimant: Parameters<Check>[1]) => ReturnType<Check> = (
    job,
    check,
  ) => check(job),
  keys: KeyKind = 'gost-kz-512',
) {
  const nation = await foundNation(keys)
  const centre: Centre = { answer: 'good' }
  const check = checksIn(nation, centre)
  const testApp = await startTestApp({
    ...overrides,
    signatures: { check: (job, claimant) => around(job, check, claimant), ...overrides.signatures },
  })
  return { ...testApp, nation, centre, company: () => company(testApp, nation) }
}

export type RequestsApp = Awaited<ReturnType<typeof startTestApp>>
export type View = Awaited<ReturnType<Company['send']>>['result']
export type Company = Awaited<ReturnType<typeof company>>

/** An organisation whose director has a key with its BIN, and whose people have keys of their own. */
async function company(testApp: RequestsApp, nation: Nation) {
  const here = await office(testApp)
  const { call, database } = testApp
  const { organizationId, bin, groupId, employee, colleague } = here
  const stamp = await citizen(nation, { bin })
  await subscribe(database, organizationId, null)
  const upload = uploader(testApp)

  /** Makes a key for the person and saves its IIN in their account. */
  async function ownKey(userId: string): Promise<Signer> {
    const signer = await citizen(nation, {})
    await database.write((tx) =>
      tx.updateTable('users').set({ iin: signer.iin }).where('id', '=', userId).execute(),
    )
    return signer
  }

  const point = async (type: PointType, change: Partial<PointForm> = {}) =>
    (await here.add(here.owner, pointForm(type, { groupId, ...change }))).result.id

  async function route(...steps: (string | string[])[]): Promise<string> {
    const points = steps.flatMap((step, i) => [step].flat().map((pointId) => ({ pointId, order: i + 1 })))
    const form = { name: `Маршрут ${newId()}`, description: '', visibilityScope: 2 as const, points }
    return (await call(here.owner, routeCalls.add, { organizationId, ...form })).result.id
  }

  async function send(routeId: string, change: object = {}, personId = employee) {
    const document = (await upload(personId, organizationId)).result
    const form = { documentId: document.id, routeId, name: 'Договор поставки' }
    return call(personId, createRequest, { organizationId, ...form, ...change })
  }

  return { ...here, organizationId, bin, employee, colleague, stamp, ownKey, point, route, send, upload }
}

/** The status of a request by its name. */
export function statusOf(view: { status: number }): RequestStatus {
  return requestStatusOf(view.status)
}

/** A subscription for several years; null: any number of requests. */
export async function subscribe(
  database: RequestsApp['database'],
  organizationId: string,
  maxSigningRequests: number | null,
): Promise<void> {
  const term = { startDate: '2026-01-01', endDate: '2030-12-31', createdAt: new Date('2026-01-01') }
  await database.write((tx) =>
    tx
      .insertInto('subscriptions')
      .values({ id: newId(), organizationId, nameKey: 'premium', maxSigningRequests, ...term })
      .execute(),
  )
}

type Who = { id: string; organizationId?: string }

/** The acts of a person at the point of this type. */
export function actingIn({ call, time }: Pick<RequestsApp, 'call' | 'time'>) {
  const look = (who: Who, signingRequestId: string) =>
    call(who.id, getRequest, { organizationId: who.organizationId ?? emptyId, signingRequestId })

  async function act(
    who: Who,
    request: Pick<View, 'id' | 'points'>,
    pointType: PointType,
    action: (typeof pointActs)[number],
    change: object = {},
  ) {
    const type = pointTypes.of(pointType)
    const { pointId } = request.points.find((point) => point.type === type)!
    return call(who.id, actAtPoint, {
      organizationId: who.organizationId ?? emptyId,
      signingRequestId: request.id,
      pointTypeName: pointType,
      action,
      pointId,
      ...change,
    })
  }

  let acts = 0
  /** The same key, content and second would give the same signature, so each act has its own second. */
  const signatureOf = async (signer: Signer, content: Uint8Array = goodPdf) => {
    const at = new Date(time.now.getTime() - ++acts * 1000)
    return Buffer.from(await sign(signer, content, at)).toString('base64')
  }

  const signAt = async (
    who: Who,
    request: Pick<View, 'id' | 'points'>,
    pointType: PointType,
    signer: Signer,
    change: object = {},
  ) => act(who, request, pointType, 'sign', { signature: await signatureOf(signer), ...change })

  return { look, act, signAt, signatureOf }
}
