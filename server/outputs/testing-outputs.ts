/** For tests: signed requests of two organisations, with a timestamp service. */
import type { KeyKind } from '@kelisim/signature/signer/keys.ts'
import { requestStatusOf } from '@kelisim/domain/requests/status.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { checksIn } from '../identity/testing-signers.ts'
import { actingIn, startRequestsApp } from '../requests/core/testing-requests.ts'
import { findRequest } from '../requests/core/state.ts'
import { publicUrl, type TestParts } from '../testing.ts'
import { keyIdOf } from '../transparency/heads.ts'
import { answersOf } from './archive/testing-timestamps.ts'
import { stampSignature } from './core/durable-stamping.ts'

export async function startOutputsApp(keys: KeyKind = 'gost-kz-512', overrides: TestParts = {}) {
  const toStamp: string[] = []
  const testApp = await startRequestsApp(
    { ...overrides, queues: { queueStamping: async (_, signatureId) => void toStamp.push(signatureId) } },
    (job, check) => check(job),
    keys,
  )
  const { nation, centre, database, archive, time, app, call, tokenOf } = testApp
  const { act, look, signAt, signatureOf } = actingIn(testApp)
  const sender = await testApp.company()
  const receiver = await testApp.company()
  const ours = { id: sender.employee, organizationId: sender.organizationId }
  const theirs = { id: receiver.owner, organizationId: receiver.organizationId }
  const approval = await sender.point('InternalApprove')
  const signing = await sender.point('CompanyInternalSign')
  const external = await sender.point('ExternalSign', {
    bin: receiver.bin,
    organizationName: 'ТОО «Алтын Дала»',
    emails: ['a@example.kz'],
  })
  const route = await sender.route(approval, signing, external)

  const stamping = {
    database,
    storage: archive.storage,
    check: checksIn(nation, centre),
    clock: () => time.now,
    askTimestamp: answersOf(nation.clock, () => time.now),
  }

  /** Does the work of the queue after the commit. */
  async function stampAll(): Promise<void> {
    for (const id of toStamp.splice(0)) await stampSignature(stamping, id)
  }

  /** A request that was approved internally and signed by both sides. */
  async function contract(change: object = {}, content?: Uint8Array) {
    const { result: sent } = await sender.send(route, change)
    await act({ ...ours, id: sender.colleague }, sent, 'InternalApprove', 'approve', {
      comment: 'Между нами',
    })
    await signAt(ours, sent, 'CompanyInternalSign', sender.stamp, {
      signature: await signatureOf(sender.stamp, content),
    })
    time.now = new Date(time.now.getTime() + 1000)
    const received = (await look(theirs, sent.id)).result
    const { result } = await signAt(theirs, received, 'ExternalSign', receiver.stamp, {
      signature: await signatureOf(receiver.stamp, content),
    })
    if (requestStatusOf(result.status) !== 'Completed') throw new Error('not signed')
    return sent
  }

  const get = async (who: { id: string }, url: string) =>
    app.inject({ url, headers: { cookie: `session=${await tokenOf(who.id)}`, origin: publicUrl.origin } })

  /** The other side begins a termination, the sender signs, and the other side signs or rejects. */
  async function terminate(id: string, end: 'sign' | 'reject'): Promise<Buffer> {
    const begun = await call(theirs.id, terminateRequest, {
      organizationId: theirs.organizationId,
      signingRequestId: id,
      comment: 'Стороны передумали',
    })
    const document = (await get(ours, `/api/SigningRequests/${ours.organizationId}/${id}/files/terminating`))
      .rawPayload
    const points = (of: typeof begun) => ({ id, points: of.result.termination!.points })
    await signAt(ours, points(begun), 'CompanyInternalSign', sender.stamp, {
      signature: await signatureOf(sender.stamp, document),
    })
    time.now = new Date(time.now.getTime() + 1000)
    const seen = points(await look(theirs, id))
    const signature = await signatureOf(receiver.stamp, document)
    await act(theirs, seen, 'ExternalSign', end, end === 'sign' ? { signature } : { comment: 'Рано' })
    return document
  }

  const logKeyFingerprint = keyIdOf(testApp.logKey).toString('hex')
  const load = async (id: string) => (await findRequest(database.db, id))!

  return {
    ...testApp,
    route,
    logKeyFingerprint,
    sender,
    receiver,
    ours,
    theirs,
    stamping,
    toStamp,
    stampAll,
    contract,
    terminate,
    load,
    get,
  }
}
