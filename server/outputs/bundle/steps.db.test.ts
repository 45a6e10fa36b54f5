/**
 * The bundle of a request whose steps ahead were changed, and which people have received and opened: the log tells
 * this, and the check finds no fault.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openRequest } from '@kelisim/domain/requests/contract.ts'
import { changeSteps } from '@kelisim/domain/requests/correcting/contract.ts'
import { filesAtHand } from '@kelisim/signature/bundle/bundle.ts'
import { checkBundle } from '@kelisim/signature/bundle/check-bundle.ts'
import { actingIn } from '../../requests/core/testing-requests.ts'
import { partyOf } from '../../requests/core/party.ts'
import { recordEvents } from '../../requests/core/saving.ts'
import { lockedRequest } from '../../requests/core/state.ts'
import { openRevisions } from '../../requests/signed-pdf/revisions.ts'
import { publicUrl } from '../../testing.ts'
import { startOutputsApp } from '../testing-outputs.ts'
import { makeBundle } from './make-bundle.ts'
import { manifestOf, rewritten, spkiOf, unpacked, type BundleContents } from './testing-bundle.ts'

const app = await startOutputsApp('rsa')
const { sender, receiver, ours, theirs, time, logKey } = app
const { act, look, signatureOf } = actingIn(app)
const folder = mkdtempSync(join(tmpdir(), 'kelisim-steps-test-'))
const revisions = openRevisions()
afterAll(() => revisions.close())

const { organizationId } = ours
const approval = await sender.point('InternalApprove')
const signing = await sender.point('CompanyInternalSign')
const board = await sender.point('InternalApprove', { name: 'Правление' })
const other = await sender.point('ExternalSign', {
  bin: receiver.bin,
  organizationName: 'ТОО «Алтын Дала»',
  emails: ['a@example.kz'],
})

/** Records that the mail server accepted the e-mail of this point. */
const delivered = (requestId: string, pointId: string, to?: string) =>
  app.database.write(async (tx) => {
    const receipt = { by: 'email' as const, at: time.now.toISOString(), ...(to !== undefined && { to }) }
    const event = { type: 'delivered' as const, process: 'signing' as const, pointId, receipt }
    const loaded = (await lockedRequest(tx, requestId))!
    await recordEvents(tx, loaded, [event], { actor: null, address: null, comment: '' }, time.now)
  })

/** The request is sent for internal signing only; the other side and the board are added on the way. */
async function changedContract(): Promise<string> {
  const colleague = { ...ours, id: sender.colleague }
  const { result: sent } = await sender.send(await sender.route(approval, signing))
  await delivered(sent.id, signing, 'Наш директор')
  await app.call(colleague.id, openRequest, { organizationId, signingRequestId: sent.id })
  const { result: changed } = await app.call(ours.id, changeSteps, {
    organizationId,
    signingRequestId: sent.id,
    points: [board, signing, other].map((pointId, i) => ({ pointId, order: i + 1 })),
    comment: 'Подписывает и вторая сторона',
    currentVersion: sent.currentVersion,
  })
  const at = (pointId: string) => ({
    id: sent.id,
    points: changed.points.filter((p) => p.pointId === pointId),
  })
  await act(colleague, at(approval), 'InternalApprove', 'approve')
  await act(colleague, at(board), 'InternalApprove', 'approve')
  await act(ours, at(signing), 'CompanyInternalSign', 'sign', { signature: await signatureOf(sender.stamp) })
  time.now = new Date(time.now.getTime() + 1000)
  await delivered(sent.id, other)
  await app.call(theirs.id, openRequest, {
    organizationId: theirs.organizationId,
    signingRequestId: sent.id,
  })
  const received = (await look(theirs, sent.id)).result
  await act(theirs, received, 'ExternalSign', 'sign', { signature: await signatureOf(receiver.stamp) })
  return sent.id
}

const id = await changedContract()
await app.stampAll()

async function bundleFor(who: { id: string; organizationId: string }): Promise<BundleContents> {
  const { database, archive } = app
  const member = { organizationId: who.organizationId, roles: 0 }
  const { viewer } = await partyOf(database.db, { userId: who.id, member }, time.now)
  const path = join(folder, `${who.id}.zip`)
  const making = { database, storage: archive.storage, revisions, logKey, publicUrl, viewer, now: time.now }
  await makeBundle({ ...making, loaded: await app.load(id), report: null }, path)
  return unpacked(path)
}

function check(files: BundleContents) {
  const trust = { roots: [app.nation.root], others: [] }
  const setting = { trust, at: new Date('2036-01-01T00:00:00Z'), logKeys: [spkiOf(logKey)] }
  return checkBundle(filesAtHand(files), setting)
}

const textOf = (files: BundleContents) =>
  [...files].map(([, bytes]) => new TextDecoder().decode(bytes)).join('\n')

test('a bundle is valid with receipts, openings and changed steps, and with an added side proved by the log', async () => {
  const files = await bundleFor(ours)
  const found = await check(files)
  expect(found.faults).toEqual([])
  expect(found.history).toMatchObject({ isProved: true })
  expect(found.signatures.map(({ isBound }) => isBound.side)).toEqual([true, true])
  const text = textOf(files)
  for (const type of ['delivered', 'opened', 'rerouted', 'sides-changed'])
    expect(text).toContain(`"type":"${type}"`)
})

test('a bundle shows the other side who signs, and nothing of the internal steps', async () => {
  const files = await bundleFor(theirs)
  const found = await check(files)
  expect(found.faults).toEqual([])
  expect(found.signatures.map(({ isBound }) => isBound.side)).toEqual([true, true])
  const text = textOf(files)
  expect(text).toContain('"type":"sides-changed"')
  expect(text).not.toContain('"type":"rerouted"')
  expect(text).not.toContain('Правление')
  expect(text.match(/"type":"delivered"/g)).toHaveLength(1)
  expect(text).not.toContain('Наш директор')
})

test('a bundle that names the added side differently is invalid', async () => {
  const files = await bundleFor(ours)
  const { signatures } = manifestOf(files)
  const renamed = signatures.map((one) => ({ ...one, side: { ...one.side, name: 'ТОО «Другие»' } }))
  const { faults } = await check(rewritten(files, {}, logKey, () => ({ signatures: renamed })))
  expect(faults.map(({ fault }) => fault)).toContain('manifest-other')
})
