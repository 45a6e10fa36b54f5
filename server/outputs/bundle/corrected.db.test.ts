/**
 * The bundle of a corrected request: every document with its signatures, of which only those over the newest document
 * count.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import { filesAtHand } from '@kelisim/signature/bundle/bundle.ts'
import { checkBundle } from '@kelisim/signature/bundle/check-bundle.ts'
import { goodPdf } from '../../documents/testing-corpus.ts'
import { actingIn } from '../../requests/core/testing-requests.ts'
import { partyOf } from '../../requests/core/party.ts'
import { openRevisions } from '../../requests/signed-pdf/revisions.ts'
import { publicUrl } from '../../testing.ts'
import { startOutputsApp } from '../testing-outputs.ts'
import { makeBundle } from './make-bundle.ts'
import { manifestOf, rewritten, spkiOf, unpacked, type BundleContents } from './testing-bundle.ts'

const app = await startOutputsApp('rsa')
const { sender, receiver, ours, theirs, time, logKey } = app
const { act, look, signatureOf } = actingIn(app)
const folder = mkdtempSync(join(tmpdir(), 'kelisim-corrected-test-'))
const revisions = openRevisions()
afterAll(() => revisions.close())

const corrected = Buffer.concat([goodPdf, Buffer.from('\n% corrected\n')])

/**
 * A request that was approved, perhaps signed by the sender, corrected, approved and signed again, then signed by the
 * other side.
 */
async function correctedContract(isSignedBefore: boolean): Promise<string> {
  const { result: sent } = await sender.send(app.route)
  const colleague = { ...ours, id: sender.colleague }
  await act(colleague, sent, 'InternalApprove', 'approve')
  if (isSignedBefore) {
    await act(ours, sent, 'CompanyInternalSign', 'sign', { signature: await signatureOf(sender.stamp) })
  }
  const documentId = (await sender.upload(ours.id, ours.organizationId, { bytes: corrected })).result.id
  const change = { signingRequestId: sent.id, documentId, comment: 'Исправлена сумма' }
  await app.call(ours.id, correctRequest, { organizationId: ours.organizationId, ...change })
  await act(colleague, sent, 'InternalApprove', 'approve', { revision: 2 })
  for (const [who, type, signer] of [
    [ours, 'CompanyInternalSign', sender.stamp],
    [theirs, 'ExternalSign', receiver.stamp],
  ] as const) {
    time.now = new Date(time.now.getTime() + 1000)
    const request = (await look(who, sent.id)).result
    await act(who, request, type, 'sign', { signature: await signatureOf(signer, corrected) })
  }
  return sent.id
}

const signedBefore = await correctedContract(true)
const approvedBefore = await correctedContract(false)
await app.stampAll()

async function bundleFor(
  who: { id: string; organizationId: string },
  id = signedBefore,
): Promise<BundleContents> {
  const { database, archive } = app
  const member = { organizationId: who.organizationId, roles: 0 }
  const { viewer } = await partyOf(database.db, { userId: who.id, member }, time.now)
  const path = join(folder, `${who.id}-${id}.zip`)
  const making = { database, storage: archive.storage, revisions, logKey, publicUrl, viewer, now: time.now }
  await makeBundle({ ...making, loaded: await app.load(id), report: null }, path)
  return unpacked(path)
}

function check(files: BundleContents) {
  const trust = { roots: [app.nation.root], others: [] }
  const setting = { trust, at: new Date('2036-01-01T00:00:00Z'), logKeys: [spkiOf(logKey)] }
  return checkBundle(filesAtHand(files), setting)
}

const faultsOf = async (files: BundleContents) => (await check(files)).faults.map(({ fault }) => fault)

test('the bundle of a corrected request has every document with its signatures, and says which of them count', async () => {
  const found = await check(await bundleFor(ours))
  expect(found.faults).toEqual([])
  expect(found.history).toMatchObject({ isProved: true })
  const signatures = found.signatures.map(({ earlierRevision, findings, document }) => ({
    earlierRevision,
    findings,
    isOfEarlier: document.startsWith('documents/earlier/1/'),
  }))
  expect(signatures).toEqual([
    { earlierRevision: 1, findings: [], isOfEarlier: true },
    { earlierRevision: null, findings: [], isOfEarlier: false },
    { earlierRevision: null, findings: [], isOfEarlier: false },
  ])
})

test('the bundle for those who never had the first document contains only its hash', async () => {
  const files = await bundleFor(theirs, approvedBefore)
  expect(await faultsOf(files)).toEqual([])
  const { earlier, signatures } = manifestOf(files)
  expect(earlier).toMatchObject([{ revision: 1, file: null, name: '' }])
  expect(signatures).toHaveLength(2)
  expect([...files.keys()].some((name) => name.startsWith('documents/earlier/'))).toBe(false)
})

test('a bundle that passes an earlier signature off as one over the newest document is invalid', async () => {
  const files = await bundleFor(ours)
  const { signatures, earlier } = manifestOf(files)
  const asNewest = signatures.map(({ revision: _, ...signature }) => signature)
  expect(await faultsOf(rewritten(files, {}, logKey, () => ({ signatures: asNewest })))).toContain(
    'signature-not-in-log',
  )
  const { file } = earlier![0]!
  const hidden = rewritten(files, { [file!]: null }, logKey, () => ({
    earlier: [],
    signatures: asNewest.slice(1),
  }))
  expect(await faultsOf(hidden)).toContain('document-not-in-log')
})
