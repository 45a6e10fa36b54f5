/** For tests: a request that waits for a signature by phone, and the calls of the national app. */
import { beforeEach, expect } from 'vitest'
import { emptyId } from '@kelisim/domain/fields.ts'
import { createCrosslinks, getCrosslinks } from '@kelisim/domain/requests/phone-contract.ts'
import { withTimestamp } from '@kelisim/signature/signer/sign-cms.ts'
import { sign, type Signer } from '../../identity/testing-signers.ts'
import { publicUrl } from '../../testing.ts'
import { actingIn, startRequestsApp, statusOf, type View } from '../core/testing-requests.ts'

type Who = { id: string; organizationId?: string }
type Introduction = {
  description: string
  expiry_date: string
  organisation: object
  document: { uri: string; auth_type: string; auth_token: string }
}
export type Documents = {
  signMethod: string
  documentsToSign: { id: number; nameRu: string; document: { file: { mime: string; data: string } } }[]
}

export async function mobileScene() {
  /** Runs before each check of a signature; tests replace it. */
  const checking = { before: async () => {} }
  const testApp = await startRequestsApp({}, async (job, check) => {
    await checking.before()
    return check(job)
  })
  const { app, call, make, nation, centre, database, time, travel } = testApp
  const { look, act, signAt } = actingIn(testApp)
  const sender = await testApp.company()
  const receiver = await testApp.company()
  const employee = { id: sender.employee, organizationId: sender.organizationId }
  const colleague = { id: sender.colleague, organizationId: sender.organizationId }
  const partner = { id: receiver.owner, organizationId: receiver.organizationId }
  const simple = await sender.route(await sender.point('CompanyInternalSign'))

  // The tests create more codes in a minute than one person may.
  beforeEach(async () => void (await database.pool.query('delete from rate_limits')))

  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  const minutes = (count: number) => travel(new Date(time.now.getTime() + count * 60_000))

  const ask = (who: Who, request: Pick<View, 'id' | 'points'>, change: object = {}) =>
    call(who.id, createCrosslinks, {
      organizationId: who.organizationId ?? emptyId,
      signingRequestId: request.id,
      pointId: request.points.at(-1)!.pointId,
      ...change,
    })

  const follow = (who: Who, crosslinkId: string) =>
    call(who.id, getCrosslinks, { organizationId: who.organizationId ?? emptyId, crosslinkId })

  /** A request that waits for a signature, and a code for it. */
  async function requestWithCode(change: object = {}, form: object = {}) {
    centre.answer = 'good'
    const { result: request } = await sender.send(simple, form)
    const { status, result } = await ask(employee, request, change)
    expect(status).toBe(200)
    return { request, ...result }
  }

  /** A call of the app: without cookies and origin, in its own language. */
  async function over(
    method: 'GET' | 'PUT',
    url: string,
    { token, body, language = 'ru' }: { token?: string; body?: unknown; language?: string } = {},
  ) {
    const response = await app.inject({
      method,
      url: url.replace(publicUrl.origin, ''),
      headers: {
        'accept-language': language,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.statusCode, body: response.json<{ message?: string; backUrl?: string }>() }
  }

  async function opened(code: string, language?: string) {
    expect(code).toMatch(/^mobileSign:http:\/\/localhost:3000\/api\/e\/[\w-]{32}\/mgovSign$/)
    const at = { ...(language !== undefined && { language }) }
    const introduction = (await over('GET', code.slice('mobileSign:'.length), at)).body as Introduction
    const { uri, auth_token: token } = introduction.document
    const fetched = await over('GET', uri, { token, ...at })
    expect(fetched.status).toBe(200)
    const documents = fetched.body as Documents
    const put = (body: unknown) => over('PUT', uri, { token, body, ...at })
    return { introduction, documents, put, uri, token }
  }

  /** The received documents with a signature in place of the content. */
  async function signed(documents: Documents, signer: Signer, stamp = false): Promise<Documents> {
    const body = structuredClone(documents)
    for (const { document } of body.documentsToSign) {
      const { file } = document
      const cms = await sign(signer, Buffer.from(file.data, 'base64'), time.now)
      const value = stamp ? await withTimestamp(cms, 0, (bytes) => nation.stamp(bytes, time.now)) : cms
      file.data = base64(value)
    }
    return body
  }

  return {
    app,
    call,
    make,
    nation,
    checking,
    centre,
    database,
    time,
    travel,
    look,
    act,
    signAt,
    sender,
    receiver,
    employee,
    colleague,
    partner,
    simple,
    statusOf,
    base64,
    minutes,
    ask,
    follow,
    requestWithCode,
    over,
    opened,
    signed,
  }
}
