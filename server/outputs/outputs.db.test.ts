/** Who can get which outputs of a request; each is made once, and again when it is out of date. */
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { hour } from '@kelisim/domain/durations.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { fillPath } from '@kelisim/domain/endpoint.ts'
import { Refusal, type ErrorBody } from '@kelisim/domain/errors.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { saveOptions } from '@kelisim/domain/options/contract.ts'
import { updateRequest } from '@kelisim/domain/requests/contract.ts'
import {
  downloadOutput,
  generateEvidence,
  generateSignedDocument,
  generateSigningReport,
  getOutputs,
  outputKinds,
  type OutputKind,
} from '@kelisim/domain/outputs/contract.ts'
import { correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import { processKinds } from '@kelisim/domain/requests/status.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { addSubstitution, endSubstitution } from '@kelisim/domain/substitutions/contract.ts'
import { sweepFiles } from '../documents/sweep.ts'
import { goodDocx, goodPdf } from '../documents/testing-corpus.ts'
import { actingIn, startRequestsApp } from '../requests/core/testing-requests.ts'
import { aliasOf } from '../routes/testing-routes.ts'
import { publicUrl } from '../testing.ts'
import { makeOutput, type Makers, type Making } from './making.ts'
import { sweepOutputs } from './sweep.ts'

const queued: string[] = []
const places: number[] = []
const testApp = await startRequestsApp({
  queues: {
    queueOutput: async (_, outputId, place) => {
      queued.push(outputId)
      places.push(place)
    },
  },
})
const { app, call, database, tokenOf, time, archive } = testApp
const { look, signAt, signatureOf } = actingIn(testApp)
afterAll(() => app.close())

const sender = await testApp.company()
const receiver = await testApp.company()
const ours = { id: sender.employee, organizationId: sender.organizationId }
const theirs = { id: receiver.owner, organizationId: receiver.organizationId }
const route = await sender.route(
  await sender.point('InternalApprove'),
  await sender.point('CompanyInternalSign'),
  await sender.point('ExternalSign', { bin: receiver.bin, emails: ['a@example.kz'] }),
)
type Who = { id: string; organizationId: string }

/** Makers that write their input; a test can make them fail. */
const made: { kind: OutputKind; making: Making }[] = []
let failure: unknown = null
const failures: unknown[] = []
const makers = Object.fromEntries(
  outputKinds.map((kind) => [
    kind,
    async (making: Making) => {
      if (failure) throw failure
      made.push({ kind, making })
      await writeFile(making.path, `${kind} ${making.language} ${making.facts.signed.length}`)
    },
  ]),
) as Makers
const outside = {
  database,
  storage: archive.storage,
  makers,
  clock: () => time.now,
  onFailure: (error: unknown) => void failures.push(error),
}

async function work(attempt = { number: 1, isLast: false }): Promise<void> {
  for (const outputId of queued.splice(0)) await makeOutput(outside, outputId, attempt)
}

beforeEach(() => {
  for (const list of [queued, places, made, failures]) list.splice(0)
  failure = null
})

async function signed(change: object = {}) {
  const { result: sent } = await sender.send(route, change)
  const { act } = actingIn(testApp)
  await act(ours, sent, 'InternalApprove', 'approve')
  await signAt(ours, sent, 'CompanyInternalSign', sender.stamp)
  return sent.id
}

async function signedByAll(): Promise<string> {
  const id = await signed()
  await signAt(theirs, (await look(theirs, id)).result, 'ExternalSign', receiver.stamp)
  return id
}

const asks = {
  printable: generateSignedDocument,
  terminating: generateSignedDocument,
  report: generateSigningReport,
  evidence: generateEvidence,
} as const

function ask(who: Who, signingRequestId: string, kind: OutputKind) {
  const input = { organizationId: who.organizationId, signingRequestId }
  return kind === 'terminating'
    ? call(who.id, generateSignedDocument, { ...input, associationType: processKinds.terminating })
    : call(who.id, asks[kind], input)
}

const statesFor = async (who: Who, signingRequestId: string) => {
  const { result } = await call(who.id, getOutputs, { organizationId: who.organizationId, signingRequestId })
  return Object.fromEntries(result.outputs.map(({ kind, state }) => [kind, state]))
}

async function download(who: Who, signingRequestId: string, kind: OutputKind, language = 'ru') {
  const { path } = fillPath(downloadOutput.path, { ...who, signingRequestId, kind })
  const response = await app.inject({
    url: path,
    headers: {
      cookie: `session=${await tokenOf(who.id)}`,
      origin: publicUrl.origin,
      'accept-language': language,
    },
  })
  return response.statusCode === 200 ? response.payload : response.json<ErrorBody>().ExceptionData.Alias
}

describe('generating outputs', () => {
  test('is possible only for the report before anybody has signed', async () => {
    const { result: sent } = await sender.send(route)
    expect(await statesFor(ours, sent.id)).toEqual({ report: 'none' })
    expect(aliasOf(await ask(ours, sent.id, 'printable'))).toBe('signed-signing-document-not-found')
    expect(aliasOf(await ask(ours, sent.id, 'terminating'))).toBe('signed-terminating-document-not-found')
    expect(aliasOf(await ask(ours, sent.id, 'evidence'))).toBe('evidence-not-found')
    expect(await download(ours, sent.id, 'report')).toBe('signing-report-not-found')
    expect(queued).toEqual([])
  })

  test('is refused for reports if the sender has switched them off', async () => {
    const id = await signed()
    const options = (isSigningReportGenerationAllowed: boolean) =>
      call(sender.owner, saveOptions, {
        organizationId: ours.organizationId,
        isSigningReportGenerationAllowed,
      })
    await options(false)
    expect(await statesFor(ours, id)).toEqual({ printable: 'none', evidence: 'none' })
    for (const who of [ours, theirs]) {
      expect(aliasOf(await ask(who, id, 'report'))).toBe('signing-report-not-allowed')
    }
    await options(true)
    expect(await statesFor(ours, id)).toEqual({ printable: 'none', report: 'none', evidence: 'none' })
  })

  test('is possible for the terminating document once somebody has signed it', async () => {
    const id = await signedByAll()
    const begun = await call(ours.id, terminateRequest, {
      organizationId: ours.organizationId,
      signingRequestId: id,
      comment: 'Передумали',
    })
    expect(await statesFor(ours, id)).not.toHaveProperty('terminating')
    const document = await app.inject({
      url: `/api/SigningRequests/${ours.organizationId}/${id}/files/terminating`,
      headers: { cookie: `session=${await tokenOf(ours.id)}`, origin: publicUrl.origin },
    })
    const signature = await signatureOf(sender.stamp, document.rawPayload)
    const { points } = begun.result.termination!
    const { act } = actingIn(testApp)
    await act(ours, { id, points }, 'CompanyInternalSign', 'sign', { signature })
    expect((await ask(ours, id, 'terminating')).result.state).toBe('in-process')
    await work()
    expect(await download(ours, id, 'terminating')).toBe('terminating ru 2')
  })

  test('is refused for the printable document of a file that is not a PDF', async () => {
    const { result: document } = await sender.upload(ours.id, ours.organizationId, {
      bytes: goodDocx,
      name: 'Приказ.docx',
    })
    const { result: sent } = await sender.send(route, { documentId: document.id })
    const { act } = actingIn(testApp)
    await act(ours, sent, 'InternalApprove', 'approve')
    const signature = await signatureOf(sender.stamp, goodDocx)
    await act(ours, sent, 'CompanyInternalSign', 'sign', { signature })
    const { result } = await call(ours.id, getOutputs, {
      organizationId: ours.organizationId,
      signingRequestId: sent.id,
    })
    expect(result.isPrintUnsupported).toBe(true)
    expect(result.outputs.map(({ kind }) => kind)).toEqual(['report', 'evidence'])
    expect(aliasOf(await ask(ours, sent.id, 'printable'))).toBe('print-format-not-supported')
    expect(await download(ours, sent.id, 'printable')).toBe('print-format-not-supported')
  })

  test('is refused to people who may not see the request', async () => {
    const id = await signed()
    const stranger = await testApp.company()
    const who = { id: stranger.owner, organizationId: stranger.organizationId }
    for (const kind of outputKinds) {
      expect(aliasOf(await ask(who, id, kind))).toBe('signing-request-not-found')
      expect(await download(who, id, kind)).toBe('signing-request-not-found')
    }
    const nobody = { id: await testApp.make.outsider('910101300126'), organizationId: emptyId }
    expect(aliasOf(await ask(nobody, id, 'printable'))).toBe('signing-request-access-failure')
    expect(queued).toEqual([])
  })
})

test('an output for a person who already waits for many gets a later place in the queue', async () => {
  const ids = [await signed(), await signed(), await signed()]
  for (const id of ids) await ask(ours, id, 'evidence')
  await ask(ours, ids[0]!, 'report')
  await ask(theirs, await signedByAll(), 'report')
  expect(places).toEqual([0, 1, 2, 3, 0])
  await work()
  await ask(ours, ids[1]!, 'report')
  expect(places.at(-1)).toBe(0)
  await work()
})

describe('an output', () => {
  test('is in process, then ready, and made once for several calls', async () => {
    const id = await signed()
    const [one, other] = await Promise.all([ask(ours, id, 'printable'), ask(theirs, id, 'printable')])
    expect([one.result.state, other.result.state]).toEqual(['in-process', 'in-process'])
    expect(await download(ours, id, 'printable')).toBe('generation-in-progress')
    expect(queued).toHaveLength(1)
    const [outputId] = queued
    await work()
    expect(await statesFor(ours, id)).toMatchObject({ printable: 'ready' })
    expect(await download(ours, id, 'printable')).toBe('printable ru 1')
    expect(await download(theirs, id, 'printable')).toBe('printable ru 1')
    // The job runs again, as if its process died before reporting success.
    await makeOutput(outside, outputId!, { number: 2, isLast: false })
    expect((await ask(ours, id, 'printable')).result.state).toBe('ready')
    expect([made.length, queued.length]).toEqual([1, 0])
  })

  test('is in the language of the caller', async () => {
    const id = await signed()
    await ask(ours, id, 'report')
    await work()
    expect(await download(ours, id, 'report', 'ru')).toBe('report ru 1')
    expect(await download(ours, id, 'report', 'kk')).toBe('signing-report-not-found')
  })

  test('that depends on what a side may see is made for each side', async () => {
    const id = await signed()
    await ask(ours, id, 'report')
    await work()
    expect(await download(theirs, id, 'report')).toBe('signing-report-not-found')
    await ask(theirs, id, 'report')
    await work()
    expect(made.map(({ making }) => making.viewer.organizationId)).toEqual([
      ours.organizationId,
      theirs.organizationId,
    ])
    expect(await download(theirs, id, 'report')).toBe('report ru 1')
  })

  test('is out of date after another signature or a change of settings', async () => {
    const id = await signed()
    const fresh = async () => {
      expect(await statesFor(ours, id)).toMatchObject({ printable: 'none' })
      expect(await download(ours, id, 'printable')).toBe('signed-signing-document-not-found')
      await ask(ours, id, 'printable')
      await work()
      return download(ours, id, 'printable')
    }
    expect(await fresh()).toBe('printable ru 1')
    await signAt(theirs, (await look(theirs, id)).result, 'ExternalSign', receiver.stamp)
    expect(await fresh()).toBe('printable ru 2')
    const change = (generationSetting: {
      additionalComponents: number
      accessCodeExpirationDate: string | null
    }) =>
      call(ours.id, updateRequest, {
        organizationId: ours.organizationId,
        signingRequestId: id,
        generationSetting,
      })
    await change({ additionalComponents: 3, accessCodeExpirationDate: null })
    await fresh()
    await change({ additionalComponents: 3, accessCodeExpirationDate: '2027-01-01' })
    await fresh()
    const { organizationId } = ours
    await call(sender.owner, saveOptions, { organizationId, isDateOfSignDisplayedInQrDocument: false })
    await fresh()
    await call(sender.owner, saveOptions, { organizationId, isSignatureSheetCompact: true })
    await fresh()
    await call(sender.owner, saveOptions, { organizationId, isFooterMarkPrinted: true })
    await fresh()
    expect(await statesFor(ours, id)).toMatchObject({ printable: 'ready' })
  })

  test('that failed shows it and can be generated again', async () => {
    const id = await signed()
    await ask(ours, id, 'printable')
    failure = new Error('the paper is torn')
    await work()
    expect(failures).toEqual([failure])
    expect(await statesFor(ours, id)).toMatchObject({ printable: 'failed' })
    expect(await download(ours, id, 'printable')).toBe('generation-failure')
    failure = null
    expect((await ask(ours, id, 'printable')).result.state).toBe('in-process')
    await work()
    expect(await download(ours, id, 'printable')).toBe('printable ru 1')
  })

  test('is retried during a storage outage, and shows it after the last try', async () => {
    const id = await signed()
    await ask(ours, id, 'printable')
    const [outputId] = queued
    failure = new Refusal('file-storage-error')
    await expect(work()).rejects.toThrow('file-storage-error')
    expect(await statesFor(ours, id)).toMatchObject({ printable: 'in-process' })
    await makeOutput(outside, outputId!, { number: 11, isLast: true })
    expect(await download(ours, id, 'printable')).toBe('file-storage-error')
  })

  test('is deleted with its file after a month', async () => {
    const id = await signed()
    await ask(ours, id, 'evidence')
    await work()
    const { fileId } = await database.db
      .selectFrom('requestOutputs')
      .select('fileId')
      .where('requestId', '=', id)
      .executeTakeFirstOrThrow()
    const after = (days: number) => new Date(time.now.getTime() + days * 86_400_000)
    await database.write((tx) => sweepOutputs(tx, after(29)))
    expect(await statesFor(ours, id)).toMatchObject({ evidence: 'ready' })
    await database.write((tx) => sweepOutputs(tx, after(31)))
    expect(await statesFor(ours, id)).toMatchObject({ evidence: 'none' })
    await sweepFiles(database, archive.storage, after(33))
    const left = database.db.selectFrom('files').select('id').where('id', '=', fileId!).executeTakeFirst()
    expect(await left).toBeUndefined()
  })
})

test('an output is not made if the caller may see something else than when it was requested', async () => {
  const id = await signedByAll()
  await ask(theirs, id, 'report')
  const [outputId] = queued
  // Acts as if an internal point had been hidden from them at the time of the call.
  await database.write((tx) =>
    tx.updateTable('requestOutputs').set({ view: 'less' }).where('id', '=', outputId!).execute(),
  )
  await work()
  expect(made).toEqual([])
  expect(await download(theirs, id, 'report')).toBe('signing-report-not-found')
  await ask(theirs, id, 'report')
  await work()
  expect(made).toHaveLength(1)
})

test('evidence with earlier documents is not given to a colleague who may see the newest only', async () => {
  const { act } = actingIn(testApp)
  const approval = await sender.point('ExternalApprove', { bin: receiver.bin, emails: ['a@example.kz'] })
  const approvedOutside = await sender.route(approval, await sender.point('CompanyInternalSign'))
  const { result: sent } = await sender.send(approvedOutside)
  const bytes = Buffer.concat([goodPdf, Buffer.from('\n% corrected\n')])
  const documentId = (await sender.upload(ours.id, ours.organizationId, { bytes })).result.id
  const change = { signingRequestId: sent.id, documentId, comment: 'Исправлена сумма' }
  await call(ours.id, correctRequest, { organizationId: ours.organizationId, ...change })

  const instead = { id: receiver.employee, organizationId: receiver.organizationId }
  const today = dateInAlmaty(time.now)
  const term = { substituteId: instead.id, from: today, to: today }
  const { organizationId } = theirs
  const named = await call(theirs.id, addSubstitution, { organizationId, ...term })
  const approved = await act(instead, sent, 'ExternalApprove', 'approve', { revision: 2 })
  expect(approved.status).toBe(200)
  await call(theirs.id, endSubstitution, { organizationId, substitutionId: named.result.id })
  const signature = await signatureOf(sender.stamp, bytes)
  await act(ours, (await look(ours, sent.id)).result, 'CompanyInternalSign', 'sign', { signature })

  const revisionsOf = async (who: Who) =>
    (await look(who, sent.id)).result.revisions.map(({ revision }) => revision)
  expect([await revisionsOf(theirs), await revisionsOf(instead)]).toEqual([[1, 2], [2]])
  await ask(theirs, sent.id, 'evidence')
  await work()
  expect(await statesFor(theirs, sent.id)).toMatchObject({ evidence: 'ready' })
  expect(await statesFor(instead, sent.id)).toMatchObject({ evidence: 'none' })
  expect(await download(instead, sent.id, 'evidence')).toBe('evidence-not-found')
})

// This test is the last one, because it moves the clock.
test('an output whose process died at the last attempt can be asked for again a day later', async () => {
  const id = await signed()
  await ask(ours, id, 'printable')
  const [lost] = queued.splice(0)
  await testApp.travel(new Date(Number(time.now) + 20 * hour))
  expect((await ask(ours, id, 'printable')).result.state).toBe('in-process')
  expect(queued).toEqual([])

  await testApp.travel(new Date(Number(time.now) + 5 * hour))
  expect(await statesFor(ours, id)).toMatchObject({ printable: 'none' })
  expect(await download(ours, id, 'printable')).toBe('signed-signing-document-not-found')
  expect((await ask(ours, id, 'printable')).result.state).toBe('in-process')
  await work()
  expect(await download(ours, id, 'printable')).toBe('printable ru 1')
  await makeOutput(outside, lost!, { number: 11, isLast: true })
  expect(made).toHaveLength(1)
})
