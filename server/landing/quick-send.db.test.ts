/** Sending without an account: what works, and what is refused. */
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { formatOfName, uploadFormats } from '@kelisim/domain/documents/formats.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { confirmOrganization, askForChallenge } from '@kelisim/domain/identity/confirmation-contract.ts'
import {
  downloadTracked,
  downloadTrackedSigned,
  getQuickContractor,
  getTransaction,
  getTransactionToken,
} from '@kelisim/domain/landing/quick-send-contract.ts'
import { stopEmails } from '@kelisim/domain/mail/stop-contract.ts'
import { strangerLimit } from '@kelisim/domain/mail/stranger-limits.ts'
import { dailyLimits, trackingLife } from '@kelisim/domain/landing/quick-send.ts'
import { getRequest } from '@kelisim/domain/requests/contract.ts'
import { getRequests } from '@kelisim/domain/requests/list-contract.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { getSubscriptions } from '@kelisim/domain/subscriptions/contract.ts'
import { freeTier } from '@kelisim/domain/subscriptions/tariffs.ts'
import { withTimestamp } from '@kelisim/signature/signer/sign-cms.ts'
import { disguised, twiceDeflated } from '../documents/testing-bombs.ts'
import { goodDocx, goodPdf, hostileFiles } from '../documents/testing-corpus.ts'
import { keyOf } from '../documents/storage/storage.ts'
import { checksIn, citizen, sign } from '../identity/testing-signers.ts'
import { countStrangerEmails } from '../mail/stranger-limits.ts'
import { findOrphans } from '../operator/orphans.ts'
import { openJudging } from '../requests/judging/judging.ts'
import { aliasOf, parametersOf } from '../routes/testing-routes.ts'
import { actingIn, statusOf } from '../requests/core/testing-requests.ts'
import { publicUrl, someBin } from '../testing.ts'
import { sweepTransactions } from './tracking.ts'
import { oldDoc, oldXls } from './testing-old-office.ts'
import { quickSendScene } from './testing-quick-send.ts'
import { pendingPlace } from './transactions.ts'

const scene = await quickSendScene()
const { app, call, make, nation, centre, database, time, travel, emails, archive } = scene
const {
  captcha,
  newKey,
  token,
  begin,
  begun,
  signatureOf,
  commit,
  sent,
  follow,
  deliverAll,
  forget,
  secretOf,
} = scene
const { act } = actingIn(scene)
const start = time.now
let bins = 9000
const newBin = () => someBin(++bins)
const hour = 60 * 60_000

beforeEach(async () => {
  centre.answer = 'good'
  await travel(start)
  emails.length = 0
  await database.pool.query('delete from landing_transactions')
})

const count = async (table: 'signing_requests' | 'organizations' | 'documents' | 'files') =>
  (await database.pool.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]!.count

describe('from the captcha to the last signature', () => {
  test('one person sends with their own key and with that of each of their firms', async () => {
    const own = await citizen(nation)
    const keys = [own, await citizen(nation, { iin: own.iin, bin: newBin() })]
    for (const key of keys) {
      const { result } = await sent(key)
      expect((await follow(result.followUrl)).result.isSigned).toBe(true)
    }
    await deliverAll()
  })

  test('the recipient signs the document as an outsider, and the sender tracks it', async () => {
    const bin = newBin()
    const signer = await citizen(nation, { bin })
    const { status, result, recipientBin } = await sent(signer)
    expect(status).toBe(200)
    expect(result.isMailed).toBe(true)
    expect(result.followUrl).toMatch(/^http:\/\/localhost:3000\/quick#[\w-]{43}$/)
    const before = (await follow(result.followUrl)).result
    expect(before).toMatchObject({
      name: 'Договор поставки',
      fileName: 'Договор поставки.pdf',
      isSigned: true,
      isClaimed: false,
      points: [
        { organizationName: 'ТОО «Алтын Дала»', bin, isSender: true, status: pointStatuses.Signed },
        { bin: recipientBin, isSender: false, status: pointStatuses.Waiting, doneAt: null },
      ],
    })
    expect(before.points[0]!.signedBy).toBe('Серікова Айгерім Нұрланқызы')

    // One e-mail to the sender with the link; one to the recipient, who can unsubscribe.
    await deliverAll()
    expect(emails.map(({ to }) => to)).toEqual(['dina@example.kz', result.recipientEmail])
    expect(emails[0]!.button!.url).toBe(result.followUrl)
    expect(emails[1]!.button!.url).toBe(result.recipientUrl)
    expect(emails[1]!.choice!.unsubscribeUrl).toContain('/quick/stop/')

    const recipient = await make.outsider('900101300999', recipientBin)
    const own = await citizen(nation, { bin: recipientBin, iin: '900101300999' })
    const view = (await call(recipient, getRequest, idsOf(result))).result
    expect(view.points.map(({ organizationName }) => organizationName)).toEqual([
      'ТОО «Алтын Дала»',
      recipientBin,
    ])
    const signed = await act({ id: recipient }, view, 'QuickExternalSign', 'sign', {
      signature: await signatureOf(own),
    })
    expect(statusOf(signed.result)).toBe('Completed')
    const after = (await follow(result.followUrl)).result
    expect(statusOf(after)).toBe('Completed')
    expect(after.points[1]!.status).toBe(pointStatuses.Signed)

    await forget()
    const inbody = { follow: secretOf(result.followUrl) }
    const file = await app.inject({ method: 'POST', url: downloadTracked.path, payload: inbody })
    expect(file.rawPayload.equals(goodPdf)).toBe(true)
    const cms = await app.inject({ method: 'POST', url: downloadTrackedSigned.path, payload: inbody })
    expect(cms.statusCode).toBe(200)
    expect(cms.rawPayload.includes(goodPdf)).toBe(true)
  })

  test('a person without an organisation can send', async () => {
    const signer = await citizen(nation, {})
    const { status, result } = await sent(signer)
    expect(status).toBe(200)
    const { points } = (await follow(result.followUrl)).result
    expect(points[0]).toMatchObject({ bin: signer.iin, organizationName: 'Серікова Айгерім Нұрланқызы' })
    const organization = await database.db
      .selectFrom('organizations')
      .selectAll()
      .where('bin', '=', signer.iin)
      .executeTakeFirstOrThrow()
    expect(organization).toMatchObject({ isIndividual: true, isUnclaimed: true, confirmedAt: null })
  })

  test.each([
    ['Договор.docx', goodDocx],
    ['Договор.doc', oldDoc()],
    ['Прайс.xls', oldXls()],
  ])('%s', async (fileName, bytes) => {
    const { status, result } = await sent(await citizen(nation, {}), { fileName, bytes })
    expect(status).toBe(200)
    expect((await follow(result.followUrl)).result.fileName).toBe(fileName)
  })

  test('the eleventh document of an organisation on the free tier is refused, and nothing is stored', async () => {
    const signer = await citizen(nation, { bin: newBin() })
    for (let i = 0; i < freeTier.maxSigningRequestCount; i++) expect((await sent(signer)).status).toBe(200)
    const before = [await count('signing_requests'), await count('documents'), await count('files')]
    const more = await sent(signer)
    expect(aliasOf(more)).toBe('organization-restricted')
    expect([await count('signing_requests'), await count('documents'), await count('files')]).toEqual(before)
  })

  test('a sender who signs in later finds the document in the outgoing list of the organisation', async () => {
    const bin = newBin()
    const signer = await citizen(nation, { bin })
    const { result } = await sent(signer)
    const person = await make.person()
    const challenge = (await call(person, askForChallenge, {})).result
    const cms = await sign(signer, Buffer.from(challenge.content, 'base64'), time.now)
    const claimed = await call(person, confirmOrganization, {
      challengeId: challenge.id,
      kind: 'organization',
      signature: Buffer.from(cms).toString('base64'),
    })
    expect(claimed.result.status).toBe('added')
    const organizationId = claimed.result.organization!.Id
    const view = await call(person, getRequest, { organizationId, signingRequestId: result.signingRequestId })
    expect(view.status).toBe(200)
    expect((await follow(result.followUrl)).result.isClaimed).toBe(true)
    const { items } = (
      await call(person, getRequests, { organizationId, route: 'outgoings', skip: 0, take: 10, ownScope: 2 })
    ).result
    expect(items.map(({ id }) => id)).toEqual([result.signingRequestId])
    // The request is counted for the number of the organisation, whoever asks.
    const { activeSubscription } = (await call(person, getSubscriptions, { organizationId })).result
    expect(activeSubscription).toMatchObject({ createdSigningRequestCount: 1, countedFor: 'number' })
    // And the next document belongs to the same organisation.
    const again = await sent(signer)
    const next = await call(person, getRequest, {
      organizationId,
      signingRequestId: again.result.signingRequestId,
    })
    expect(next.status).toBe(200)
  })
})

describe('repeated calls', () => {
  test('each step returns the same result when repeated', async () => {
    const key = newKey()
    const answer = await captcha()
    const first = (await call(null, getTransactionToken, { key, captcha: answer })).result
    const again = (await call(null, getTransactionToken, { key, captcha: answer })).result
    expect(again).toEqual(first)
    const one = await begin(first.token)
    expect((await begin(first.token)).result).toEqual(one.result)
    const signature = await signatureOf(await citizen(nation, {}))
    const sent1 = await commit(one.result.transactionId, signature)
    const sent2 = await commit(one.result.transactionId, signature)
    expect(sent2.result).toEqual(sent1.result)
    const state = (await call(null, getTransaction, { transactionId: one.result.transactionId })).result
    expect(state).toEqual({ phone: null, refusal: null, sent: sent1.result })
  })

  test('several commits at once send one document', async () => {
    const before = await count('signing_requests')
    const { transactionId } = await begun()
    const signer = await citizen(nation, { bin: newBin() })
    const signatures = await Promise.all([signatureOf(signer), signatureOf(signer), signatureOf(signer)])
    const responses = await Promise.all(signatures.map((signature) => commit(transactionId, signature)))
    expect(new Set(responses.map(({ result }) => result.signingRequestId)).size).toBe(1)
    expect(await count('signing_requests')).toBe(before + 1)
    await deliverAll()
    expect(emails.filter(({ to }) => to === 'dina@example.kz')).toHaveLength(1)
  })

  test('several documents of a new sender at once create one organisation', async () => {
    const bin = newBin()
    const signer = await citizen(nation, { bin })
    const all = [await begun(), await begun(), await begun()]
    const responses = await Promise.all(
      all.map(async ({ transactionId }) => commit(transactionId, await signatureOf(signer))),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    const rows = await database.db.selectFrom('organizations').select('id').where('bin', '=', bin).execute()
    expect(rows).toHaveLength(1)
  })

  test('a signature of a killed process is judged by another, and only then the recipient is notified', async () => {
    let checks = 0
    const other = await quickSendScene({}, (job, check) => {
      if (++checks === 2) throw new Error('the process is gone')
      return check(job)
    })
    const { result } = await other.sent(await citizen(other.nation, {}))
    const pointOf = async () => (await other.follow(result.followUrl)).result.points[0]!.status
    expect(await pointOf()).toBe(pointStatuses.Validation)
    await other.deliverAll()
    expect(other.emails.map(({ to }) => to)).toEqual(['dina@example.kz'])
    const { storage } = other.archive
    const check = checksIn(other.nation, other.centre)
    const clock = () => new Date(other.time.now.getTime() + 2 * hour)
    await openJudging({ database: other.database, storage, check, clock }).judgeDue()
    expect(await pointOf()).toBe(pointStatuses.Signed)
    await other.deliverAll()
    expect(other.emails.map(({ to }) => to)).toEqual(['dina@example.kz', result.recipientEmail])
  })
})

describe('refused are', () => {
  test('a token without a captcha, with a used captcha, or forged', async () => {
    await forget()
    expect(aliasOf(await call(null, getTransactionToken, { key: newKey() }))).toBe('captcha-needed')
    const answer = await captcha()
    await call(null, getTransactionToken, { key: newKey(), captcha: answer })
    expect(aliasOf(await call(null, getTransactionToken, { key: newKey(), captcha: answer }))).toBe(
      'captcha-needed',
    )
    expect(aliasOf(await begin(newKey()))).toBe('transaction-token-not-found')
  })

  test('many wrong captcha answers at once, without exhausting database connections', async () => {
    await forget()
    const calls = Array.from({ length: 10 }, (_, i) =>
      call(null, getTransactionToken, { key: newKey(), captcha: { token: `made-up-${i}.1.x`, answer: '5' } }),
    )
    const aliases = (await Promise.all(calls)).map(aliasOf)
    expect(new Set(aliases)).toEqual(new Set(['captcha-needed']))
  })

  test('a token used for another document, or expired', async () => {
    const used = await token()
    await begin(used)
    expect(aliasOf(await begin(used, { recipientEmail: 'other@example.kz' }))).toBe(
      'transaction-token-not-found',
    )
    expect(aliasOf(await begin(used, { bytes: goodDocx, fileName: 'Договор.docx' }))).toBe(
      'transaction-token-not-found',
    )
    const late = await token()
    await travel(new Date(start.getTime() + 31 * 60_000))
    expect(aliasOf(await begin(late))).toBe('transaction-token-not-found')
  })

  test.each([
    [{ consent: false as never }, 'validation-failure'],
    [{ senderEmail: 'nobody' }, 'validation-failure'],
    [{ senderPhone: '12' }, 'validation-failure'],
    [{ recipientBin: '123456789012' }, 'validation-failure'],
    [{ fileName: 'a.exe' }, 'file-format-not-supported'],
    [{ bytes: Buffer.alloc(0) }, 'file-empty'],
    [{ bytes: Buffer.from('plain words') }, 'file-content-mismatch'],
    [{ bytes: twiceDeflated() }, 'file-unpacks-too-large'],
    [{ bytes: disguised() }, 'document-not-printable'],
    [{ fileName: 'a.doc', bytes: goodPdf }, 'file-content-mismatch'],
    [{ fileName: 'a.doc', bytes: oldDoc({ isEncrypted: true }) }, 'file-encrypted'],
    [{ fileName: 'a.doc', bytes: oldDoc({ hasMacros: true }) }, 'file-has-macros'],
    [{ fileName: 'a.doc', bytes: oldXls() }, 'file-content-mismatch'],
    [{ fileName: 'a.doc', bytes: oldDoc({ text: Buffer.from('\x13 DDEAUTO cmd\x15') }) }, 'file-has-dde'],
    [
      { fileName: 'a.doc', bytes: oldDoc({ text: Buffer.from('\x13 DDE excel a\x15', 'utf16le') }) },
      'file-has-dde',
    ],
    [
      { fileName: 'a.doc', bytes: oldDoc({ text: Buffer.from('\x13INCLUDETEXT "\x13 PAGE \x15"\x15') }) },
      'file-loads-from-elsewhere',
    ],
    [{ fileName: 'a.xls', bytes: oldXls({ isEncrypted: true }) }, 'file-encrypted'],
    [{ fileName: 'a.xls', bytes: oldXls({ hasMacros: true }) }, 'file-has-macros'],
    [{ fileName: 'a.xls', bytes: oldXls().subarray(0, 600) }, 'file-broken'],
  ])('%#: %s', async (change, alias) => {
    expect(aliasOf(await begin(await token(), change))).toBe(alias)
  })

  /** One file of each fault: the checks themselves are tested in server/documents. */
  const hostile = new Map(
    hostileFiles
      .filter(([, fileName]) => formatOfName(fileName, uploadFormats) !== null)
      .map(([, fileName, bytes, alias]) => [alias, { fileName, bytes }]),
  )
  test.each([...hostile])('a file with the fault %s', async (alias, file) => {
    expect(aliasOf(await begin(await token(), file))).toBe(alias)
  })

  test('a key of an employee, which does not speak for the organisation', async () => {
    const employee = await citizen(nation, { bin: newBin(), role: 'employee' })
    const { transactionId } = await begun()
    const response = await commit(transactionId, await signatureOf(employee))
    expect(aliasOf(response)).toBe('signature-refused')
    expect(parametersOf(response)).toMatchObject({ code: 'DS-708' })
  })

  test('a key of an organisation whose BIN cannot be read; it does not count as a personal key', async () => {
    const head = await citizen(nation, { bin: newBin().slice(1) })
    const { transactionId } = await begun()
    const response = await commit(transactionId, await signatureOf(head))
    expect(parametersOf(response)).toMatchObject({ code: 'DS-704' })
  })

  test('a signature of another document, a malformed, revoked, unchecked or old one', async () => {
    const signer = await citizen(nation, { bin: newBin() })
    const { transactionId } = await begun()
    const attempt = async (signature: string) => aliasOf(await commit(transactionId, signature))
    expect(await attempt(await signatureOf(signer, goodDocx))).toBe('signature-refused')
    expect(await attempt('AAAA')).toBe('signature-refused')
    const yesterday = new Date(time.now.getTime() - 24 * hour)
    expect(await attempt(await signatureOf(signer, goodPdf, yesterday))).toBe('signature-not-fresh')
    centre.answer = { revokedAt: yesterday }
    expect(await attempt(await signatureOf(signer))).toBe('signature-refused')
    centre.answer = undefined
    expect(await attempt(await signatureOf(signer))).toBe('signature-not-checked')
    centre.answer = 'good'
    expect((await commit(transactionId, await signatureOf(signer))).status).toBe(200)
  })

  test('an old signature with a new timestamp', async () => {
    const signer = await citizen(nation, { bin: newBin() })
    const { transactionId } = await begun()
    const old = await sign(signer, goodPdf, new Date(time.now.getTime() - 24 * hour))
    const stamped = await withTimestamp(old, 0, (value) => nation.stamp(value, time.now))
    const response = await commit(transactionId, Buffer.from(stamped).toString('base64'))
    expect(aliasOf(response)).toBe('signature-not-fresh')
  })

  test('a signature made hours before it was submitted', async () => {
    const signer = await citizen(nation, { bin: newBin() })
    const { transactionId } = await begun()
    const made = new Date(start.getTime() + hour)
    await travel(new Date(start.getTime() + 4 * hour))
    expect(aliasOf(await commit(transactionId, await signatureOf(signer, goodPdf, made)))).toBe(
      'signature-not-fresh',
    )
  })

  test('another signature after ten refused ones', async () => {
    const { transactionId } = await begun()
    for (let i = 0; i < 10; i++) await commit(transactionId, 'AAAA')
    const good = await signatureOf(await citizen(nation, {}))
    expect(aliasOf(await commit(transactionId, good))).toBe('too-many-refused-signatures')
  })

  test('a signature that was used for another document', async () => {
    const signer = await citizen(nation, { bin: newBin() })
    const { transactionId } = await begun()
    const signature = await signatureOf(signer)
    await commit(transactionId, signature)
    const other = await begun({ senderEmail: 'thief@example.kz' })
    expect(aliasOf(await commit(other.transactionId, signature))).toBe('signature-used-before')
  })

  test('the same signature for two transactions at once, with and without a timestamp', async () => {
    const signer = await citizen(nation, { bin: newBin() })
    const [one, other] = [await begun(), await begun()]
    const plain = await sign(signer, goodPdf, time.now)
    const stamped = await withTimestamp(plain, 0, (value) => nation.stamp(value, time.now))
    const [first, second] = [plain, stamped].map((cms) => Buffer.from(cms).toString('base64'))
    const responses = await Promise.all([
      commit(one.transactionId, first!),
      commit(other.transactionId, second!),
    ])
    const refused = responses.filter(({ status }) => status !== 200)
    expect(refused.map(aliasOf)).toEqual(['signature-used-before'])
  })

  test('an unknown transaction and an expired one', async () => {
    const { transactionId } = await begun()
    const signature = await signatureOf(await citizen(nation, {}))
    expect(aliasOf(await commit(newKey(), signature))).toBe('transaction-not-found')
    await travel(new Date(start.getTime() + 25 * hour))
    expect(aliasOf(await commit(transactionId, signature))).toBe('transaction-not-found')
    expect(aliasOf(await call(null, getTransaction, { transactionId: newKey() }))).toBe(
      'transaction-not-found',
    )
  })

  test('a document sent to the own organisation', async () => {
    const bin = newBin()
    const signer = await citizen(nation, { bin })
    expect(aliasOf(await sent(signer, { recipientBin: bin }))).toBe('recipient-is-own')
  })

  test('more documents to one address than a day allows', async () => {
    const signer = await citizen(nation, {})
    const { transactionId } = await begun({ recipientEmail: 'all@example.kz' })
    await commit(transactionId, await signatureOf(signer))
    const fill = (column: string, value: string) =>
      database.pool
        .query(
          `insert into landing_transactions (id, token_hash, network, created_at, token_expires_at, transaction_hash,
           begun_at, sender_email, sender_phone, recipient_bin, recipient_name, recipient_email, language, file_id,
           file_name, format, sha256, size, follow_hash, sender_number, request_id, committed_at)
         select gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), 'n', created_at, token_expires_at,
           sha256(gen_random_uuid()::text::bytea), begun_at, 's@e.kz', sender_phone, recipient_bin, '', 'r@e.kz',
           language, file_id, file_name, format, sha256, size, sha256(gen_random_uuid()::text::bytea),
           '900101300000', (select id from signing_requests r where not exists (
             select from landing_transactions t where t.request_id = r.id) limit 1), committed_at
         from landing_transactions where request_id is not null limit 1
         returning id`,
        )
        .then(({ rows }) =>
          database.pool.query(`update landing_transactions set ${column} = $1 where id = $2`, [
            value,
            (rows[0] as { id: string }).id,
          ]),
        )
    for (let i = 1; i < dailyLimits.recipient; i++) await fill('recipient_email', 'all@example.kz')
    expect(aliasOf(await begin(await token(), { recipientEmail: 'all@example.kz' }))).toBe('quick-send-limit')
    // The limit is for a day.
    await travel(new Date(start.getTime() + 25 * hour))
    expect((await begin(await token(), { recipientEmail: 'all@example.kz' })).status).toBe(200)
  })

  test('more tokens for one network than a day allows', async () => {
    await token()
    await database.pool.query(
      `insert into landing_transactions (id, token_hash, network, created_at, token_expires_at)
       select gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), network, created_at, token_expires_at
       from landing_transactions, generate_series(2, $1)`,
      [dailyLimits.network],
    )
    const response = await call(null, getTransactionToken, { key: newKey(), captcha: await captcha() })
    expect(aliasOf(response)).toBe('quick-send-limit')
  })
})

describe('a document sent without an account', () => {
  test('is visible to owners of the confirmed organisation, not of one with the same unproved number', async () => {
    const company = await scene.company()
    const stranger = await make.person()
    const typed = await make.organization(stranger)
    await database.pool.query('update organizations set bin = $1 where id = $2', [company.bin, typed])
    const signer = await citizen(nation, { bin: company.bin, role: 'signing-right' })
    const { result } = await sent(signer)
    const { signingRequestId } = result
    const look = (id: string, organizationId: string) =>
      call(id, getRequest, { organizationId, signingRequestId })
    expect((await look(company.owner, company.organizationId)).status).toBe(200)
    expect(aliasOf(await look(company.employee, company.organizationId))).toBe('signing-request-not-found')
    expect(aliasOf(await look(stranger, typed))).toBe('signing-request-not-found')
  })

  test('is not visible to an organisation with the same unproved number', async () => {
    const bin = newBin()
    const stranger = await make.person()
    const typed = await make.organization(stranger)
    await database.pool.query('update organizations set bin = $1 where id = $2', [bin, typed])
    const { result } = await sent(await citizen(nation, { bin }))
    const response = await call(stranger, getRequest, {
      organizationId: typed,
      signingRequestId: result.signingRequestId,
    })
    expect(aliasOf(response)).toBe('signing-request-not-found')
  })

  test('is visible to the sender who signs in as an outsider, not to other outsiders', async () => {
    const signer = await citizen(nation, {})
    const { result } = await sent(signer)
    const look = async (id: string) => (await call(id, getRequest, idsOf(result))).status
    expect(await look(await make.outsider(signer.iin))).toBe(200)
    expect(await look(await make.outsider('900101300777'))).toBe(403)
  })

  test('must be allowed by the options of the sender', async () => {
    const company = await scene.company()
    const set = (column: string, value: boolean) =>
      database.pool.query(`update organizations set ${column} = $1 where id = $2`, [
        value,
        company.organizationId,
      ])
    await set('is_quick_request_allowed', false)
    expect(aliasOf(await sent(company.stamp))).toBe('quick-send-not-allowed')
    await set('is_quick_request_allowed', true)
    await set('documents_upload_pdf_only', true)
    const word = { fileName: 'a.docx', bytes: goodDocx }
    expect(aliasOf(await sent(company.stamp, word))).toBe('only-pdf-allowed')
  })

  test('must be allowed by the options of the recipient', async () => {
    const company = await scene.company()
    await database.pool.query(
      'update organizations set allowed_point_types_for_incoming_signing_requests = 2 where id = $1',
      [company.organizationId],
    )
    const response = await begin(await token(), { recipientBin: company.bin })
    expect(aliasOf(response)).toBe('forbidden_external_point_by_options')
  })

  test('cannot be tracked with an unknown or expired link', async () => {
    expect(aliasOf(await follow(`http://localhost/quick#${newKey()}`))).toBe('follow-link-not-found')
    const { result } = await sent(await citizen(nation, {}))
    await travel(new Date(start.getTime() + trackingLife))
    expect(aliasOf(await follow(result.followUrl))).toBe('follow-link-not-found')
  })

  test('does not sign its sender in', async () => {
    const { headers } = await sent(await citizen(nation, {}))
    expect(headers['set-cookie']).toBeUndefined()
  })
})

describe('e-mails about a document sent without an account', () => {
  test('are not sent after unsubscribing, until subscribing again', async () => {
    const signer = await citizen(nation, {})
    const mine = { recipientEmail: 'quiet@example.kz' }
    await sent(signer, mine)
    await deliverAll()
    const { choice } = emails.find(({ to }) => to === 'quiet@example.kz')!
    const path = new URL(choice!.unsubscribeUrl).pathname
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const oneClick = { method: 'POST', url: path, payload: 'List-Unsubscribe=One-Click', headers } as const
    expect((await app.inject(oneClick)).statusCode).toBe(200)
    emails.length = 0
    const { result } = await sent(signer, mine)
    await deliverAll()
    expect(result.isMailed).toBe(false)
    expect(emails.map(({ to }) => to)).toEqual(['dina@example.kz'])

    // An address with a plus tag leads to the same mailbox, so nothing is sent there either.
    emails.length = 0
    await sent(signer, { recipientEmail: 'quiet+again@example.kz' })
    await deliverAll()
    expect(emails.map(({ to }) => to)).toEqual(['dina@example.kz'])

    const stopToken = path.split('/').at(-1)!
    const undo = { token: stopToken, of: 'sender', isOff: false } as const
    expect((await call(null, stopEmails, undo)).result.sender!.isOff).toBe(false)
    emails.length = 0
    await sent(signer, mine)
    await deliverAll()
    expect(emails.map(({ to }) => to)).toEqual(['dina@example.kz', 'quiet@example.kz'])
    const forged = `${stopToken.slice(0, -3)}AAA`
    expect(aliasOf(await call(null, stopEmails, { token: forged }))).toBe('page-not-found')
  })

  test('wait for another day when the address has reached its limit of today, and the sender is told', async () => {
    const recipientEmail = 'full@example.kz'
    const limit = strangerLimit('address', { domain: 'example.kz', isConfirmed: true })
    const others = Array.from({ length: limit }, () => {
      return { to: recipientEmail, userId: newId(), organizationId: newId(), isConfirmed: true }
    })
    await database.write((tx) => countStrangerEmails(tx, others, time.now))
    const { result } = await sent(await citizen(nation, {}), { recipientEmail })
    await deliverAll()
    expect(emails.map(({ to }) => to)).not.toContain(recipientEmail)
    expect((await follow(result.followUrl)).result).toMatchObject({ isMailed: true, isHeld: true })
  })

  test('contain no links from the file name', async () => {
    await sent(await citizen(nation, {}), { fileName: 'Приз на https://evil.kz и www.evil.kz.pdf' })
    await deliverAll()
    for (const { subject, paragraphs, quotes = [] } of emails) {
      const texts = [subject, ...paragraphs, ...quotes.map(({ text }) => text)]
      expect(texts.join(' ')).not.toMatch(/:\/\/|www\.|evil\.kz/)
    }
  })
})

test('a long file name that grows when its links are defused is cut, not refused after signing', async () => {
  const { result } = await sent(await citizen(nation, {}), { fileName: `${'ab.'.repeat(82)}pdf` })
  const { name } = (await follow(result.followUrl)).result
  expect(Array.from(name)).toHaveLength(250)
})

describe('finding the name of a number', () => {
  test('works for organisations known here, not for persons and unknown numbers', async () => {
    const company = await scene.company()
    await forget()
    const found = await call(null, getQuickContractor, { bin: company.bin })
    expect(found.result.bin).toBe(company.bin)
    expect(aliasOf(await call(null, getQuickContractor, { bin: newBin() }))).toBe('contractor-not-found')
    await database.pool.query('update organizations set bin = $1 where id = $2', [
      '900101300017',
      company.organizationId,
    ])
    const person = await call(null, getQuickContractor, { bin: '900101300017' })
    expect(['contractor-not-found', 'validation-failure']).toContain(aliasOf(person))
  })
})

describe('signing by phone', () => {
  test('sends the document, and the page shows it', async () => {
    const { askPhoneForTransaction } = await import('@kelisim/domain/landing/quick-send-contract.ts')
    const { transactionId } = await begun()
    await forget()
    const crosslink = (await call(null, askPhoneForTransaction, { transactionId })).result
    const entry = crosslink.code.slice('mobileSign:'.length).replace(publicUrl.origin, '')
    const state = async () => (await call(null, getTransaction, { transactionId })).result
    expect((await state()).phone).toBe('new')
    const intro = (await app.inject(entry)).json<{ document: { uri: string; auth_token: string } }>()
    const url = intro.document.uri.replace(publicUrl.origin, '')
    const authorization = `Bearer ${intro.document.auth_token}`
    expect((await app.inject(url)).statusCode).toBe(401)
    const documents = (await app.inject({ url, headers: { authorization } })).json<{
      documentsToSign: { document: { file: { data: string } } }[]
    }>()
    const { file } = documents.documentsToSign[0]!.document
    expect(Buffer.from(file.data, 'base64').equals(goodPdf)).toBe(true)
    expect((await state()).phone).toBe('data')
    file.data = await signatureOf(await citizen(nation, {}), goodDocx)
    const put = () => app.inject({ method: 'PUT', url, headers: { authorization }, payload: documents })
    expect((await put()).statusCode).toBe(403)
    // The same answer gets the same response again; a different one is a conflict.
    expect((await put()).statusCode).toBe(403)
    const refusedData = file.data
    file.data = await signatureOf(await citizen(nation, {}))
    expect((await put()).statusCode).toBe(409)
    file.data = refusedData
    expect(await state()).toMatchObject({
      phone: 'fail',
      refusal: { alias: 'signature-refused' },
      sent: null,
    })

    await forget()
    const again = (await call(null, askPhoneForTransaction, { transactionId })).result
    expect((await app.inject(entry)).statusCode).toBe(404)
    const next = again.code.slice('mobileSign:'.length).replace(publicUrl.origin, '')
    const second = (await app.inject(next)).json<{ document: { uri: string; auth_token: string } }>()
    file.data = await signatureOf(await citizen(nation, {}))
    const sendIt = () =>
      app.inject({
        method: 'PUT',
        url: second.document.uri.replace(publicUrl.origin, ''),
        payload: documents,
        headers: { authorization: `Bearer ${second.document.auth_token}` },
      })
    expect((await sendIt()).statusCode).toBe(200)
    expect((await sendIt()).statusCode).toBe(200)
    const accepted = file.data
    file.data = await signatureOf(await citizen(nation, {}), goodDocx)
    expect((await sendIt()).statusCode).toBe(409)
    file.data = accepted
    const { phone, sent: result } = await state()
    expect(phone).toBe('done')
    expect((await follow(result!.followUrl)).status).toBe(200)
  })

  test('shows to whom the document goes, and not the name of a person by number', async () => {
    const { askPhoneForTransaction } = await import('@kelisim/domain/landing/quick-send-contract.ts')
    const iin = '900101300017'
    const { transactionId } = await begun({ recipientBin: iin })
    await forget()
    const crosslink = (await call(null, askPhoneForTransaction, { transactionId })).result
    const entry = crosslink.code.slice('mobileSign:'.length).replace(publicUrl.origin, '')
    const intro = (await app.inject(entry)).json<{ document: { uri: string; auth_token: string } }>()
    const documents = (
      await app.inject({
        url: intro.document.uri.replace(publicUrl.origin, ''),
        headers: { authorization: `Bearer ${intro.document.auth_token}` },
      })
    ).json<{ documentsToSign: { meta: { name: string; value: string }[] }[] }>()
    expect(documents.documentsToSign[0]!.meta).toEqual([
      { name: 'Файл', value: 'Договор поставки.pdf' },
      { name: 'Получатель', value: iin },
      { name: 'Почта отправителя', value: 'dina@example.kz' },
    ])
  })

  test('is refused for files other than PDF', async () => {
    const { askPhoneForTransaction } = await import('@kelisim/domain/landing/quick-send-contract.ts')
    const { transactionId } = await begun({ fileName: 'a.docx', bytes: goodDocx })
    await forget()
    expect(aliasOf(await call(null, askPhoneForTransaction, { transactionId }))).toBe('mobile-pdf-only')
  })
})

test('abandoned transactions are deleted with their files after a day; sent ones stay', async () => {
  const { result } = await sent(await citizen(nation, {}))
  await begun()
  const { fileId } = await database.db
    .selectFrom('landingTransactions')
    .select('fileId')
    .where('committedAt', 'is', null)
    .executeTakeFirstOrThrow()
  const key = keyOf(pendingPlace, fileId!)
  await sweepTransactions(database, archive.storage, time.now)
  expect(await archive.storage.exists(key)).toBe(true)
  await travel(new Date(start.getTime() + 26 * hour))
  await sweepTransactions(database, archive.storage, time.now)
  expect(await archive.storage.exists(key)).toBe(false)
  expect(await database.db.selectFrom('landingTransactions').select('id').execute()).toHaveLength(1)
  expect((await follow(result.followUrl)).status).toBe(200)
})

test('a copy left by a process that died after the commit is an orphan; the file of an open transaction is not', async () => {
  const { result } = await sent(await citizen(nation, {}))
  await begun()
  const rows = await database.db.selectFrom('landingTransactions').select(['fileId', 'requestId']).execute()
  const keyWith = (requestId: string | null) =>
    keyOf(pendingPlace, rows.find((row) => row.requestId === requestId)!.fileId!)
  const left = keyWith(result.signingRequestId)
  const received = await archive.storage.receive(Readable.from([goodPdf]), goodPdf.length)
  await archive.storage.keep(left, received)
  const orphans = await findOrphans(database.db, archive.storage, new Date(Date.now() + 25 * hour))
  const keys = orphans.map(({ key }) => key)
  expect(keys).toContain(left)
  expect(keys).not.toContain(keyWith(null))
})

function idsOf({ signingRequestId }: { signingRequestId: string }) {
  return { organizationId: emptyId, signingRequestId }
}

test('any number of abandoned transactions is deleted at once', async () => {
  await database.pool.query(
    `insert into landing_transactions (id, token_hash, network, created_at, token_expires_at)
     select gen_random_uuid(), sha256(i::text::bytea), 'somewhere', $1, $1 from generate_series(1, 501) i`,
    [new Date(start.getTime() - 26 * hour)],
  )
  await sweepTransactions(database, archive.storage, time.now)
  const { rows } = await database.pool.query('select 1 from landing_transactions')
  expect(rows).toHaveLength(0)
})
