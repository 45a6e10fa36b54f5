/** The command as people run it. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { keyUsage } from '@kelisim/signature/signer/extensions.ts'
import { makeCrl } from '@kelisim/signature/signer/issue.ts'
import { signAttached, signDetached } from '@kelisim/signature/signer/sign-cms.ts'
import { zipOf } from '@kelisim/signature/testing/archives.ts'
import { mail, mailPart, multipart, textPart } from '@kelisim/signature/testing/mails.ts'
import { contract, pageText, signed, withObjects } from '@kelisim/signature/testing/pdf-files.ts'
import { daysLater, foundNation, signedOn } from '@kelisim/signature/testing/nation.ts'
import { pngOf } from '@kelisim/signature/testing/pictures.ts'
import { scannedCodes } from '../../e2e/paper-card.ts'

// every call starts a process, which takes long on busy machines
vi.setConfig({ testTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'kelisim-verify-test-'))
const at = ['--at', signedOn.toISOString()]
/** A terminal would show another name, because a control character reverses the text. */
const reversed = 'ТЕСТОВ \u202eНАВИ'
const trust = ['--roots', 'root.cer', '--certs', 'centre.pem']

beforeAll(async () => {
  const nation = await foundNation('gost-kz-2004')
  const document = new TextEncoder().encode('Шарт')
  const write = (name: string, contents: Uint8Array | string) => writeFileSync(join(folder, name), contents)
  const pem = (label: string, der: Uint8Array) =>
    `-----BEGIN ${label}-----\n${Buffer.from(der).toString('base64')}\n-----END ${label}-----\n`
  write('root.cer', nation.root.der)
  write('centre.pem', pem('CERTIFICATE', nation.centre.der))
  write('leaf.cer', nation.person.certificate.der)
  write('doc.txt', document)
  const pdf = await signed(contract(), nation.person, { at: signedOn })
  write('signed.pdf', pdf.bytes)
  write('changed.pdf', withObjects(pdf, { 4: pageText('Contract for 900 tonnes') }).bytes)
  write('unsigned.pdf', contract().bytes)
  write('other.txt', 'Басқа шарт')
  write('detached.p7s', await signDetached(document, nation.person, { signingTime: signedOn }))
  const login = await nation.issue('AUTH', {
    extensions: [keyUsage('digitalSignature', 'keyEncipherment')],
  })
  write('login.p7s', await signDetached(document, login, { signingTime: signedOn }))
  const sign_1 = await signDetached(document, nation.person, { signingTime: signedOn })
  const other = new TextEncoder().encode('Басқа шарт')
  write('set.zip', zipOf({ 'doc.txt': document, 'sign_1.cms': sign_1 }))
  write('more.zip', zipOf({ 'doc.txt': document, 'doc.txt.sig': sign_1, 'other.txt': other }))
  const stranger = await nation.issue(reversed)
  write('reversed.p7s', await signDetached(document, stranger, { signingTime: signedOn }))
  write('spoiled.zip', zipOf({ 'doc.txt': other, 'doc.txt.sig': sign_1 }))
  write('unsigned.zip', zipOf({ 'doc.txt': document }))
  write('signatures.zip', zipOf({ 'sign_1.cms': sign_1 }))
  const parts = [
    { name: 'doc.txt', bytes: document },
    { name: 'a.p7s', bytes: sign_1 },
  ].map(mailPart)
  write('letter.eml', mail(multipart([textPart('Сәлем'), ...parts])))
  write('scan.png', scannedCodes(sign_1))
  write('inside.png', scannedCodes(await signAttached(document, nation.person, { signingTime: signedOn })))
  write('blank.png', pngOf(new Uint8Array(10_000).fill(240), 100, 100))
  write('attached.cms', pem('CMS', await signAttached(document, nation.person, { signingTime: signedOn })))
  const list = { issuer: nation.centreParty, thisUpdate: signedOn, nextUpdate: daysLater(1) }
  write('empty.crl', await makeCrl({ ...list, entries: [] }))
  const entry = { serial: nation.person.certificate.serial, revokedAt: daysLater(-1) }
  write('revoked.crl', await makeCrl({ ...list, entries: [entry] }))
})

afterAll(() => rmSync(folder, { recursive: true }))

function verify(...args: string[]) {
  const script = join(import.meta.dirname, '../verify.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  return {
    status,
    stdout,
    stderr,
    answer: stdout === '' ? null : (JSON.parse(stdout) as Record<string, unknown>),
  }
}

test('a passed signature: status 0, and who signed', () => {
  const { status, answer } = verify(
    '--content',
    'doc.txt',
    ...trust,
    '--crl',
    'empty.crl',
    ...at,
    'detached.p7s',
  )
  expect(answer).toEqual({
    verdict: 'TOTAL-PASSED',
    subIndication: null,
    code: null,
    signers: [
      {
        commonName: 'ТЕСТОВ ТЕСТ',
        iin: '900101300123',
        bin: null,
        role: null,
        algorithm: 'GOST 34.310-2004',
        signingTime: signedOn.toISOString(),
        timestampTime: null,
        trust: {
          root: { name: 'Test root', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
          roles: [],
          policies: [],
          revocation: [
            {
              certificate: 'ТЕСТОВ ТЕСТ',
              status: 'good',
              revokedAt: null,
              by: 'crl',
              of: 'Test centre',
              at: signedOn.toISOString(),
            },
            {
              certificate: 'Test centre',
              status: 'unknown',
              revokedAt: null,
              by: null,
              of: null,
              at: null,
            },
          ],
          timestamps: [],
        },
        verdict: 'TOTAL-PASSED',
        subIndication: null,
        code: null,
      },
    ],
  })
  expect(status).toBe(0)
})

test('bidirectional characters of a name are shown as code points', () => {
  const { stdout, answer } = verify(
    '--content',
    'doc.txt',
    ...trust,
    '--no-revocation',
    ...at,
    'reversed.p7s',
  )
  expect(stdout).not.toContain('\u202e')
  expect(answer).toMatchObject({ verdict: 'TOTAL-PASSED', signers: [{ commonName: reversed }] })
})

test('a failed signature: status 1', () => {
  const other = verify('--content', 'other.txt', ...trust, '--no-revocation', ...at, 'detached.p7s')
  expect(other).toMatchObject({ status: 1, answer: { verdict: 'TOTAL-FAILED', code: 'DS-202' } })
  const garbage = verify(...trust, 'doc.txt')
  expect(garbage).toMatchObject({ status: 1, answer: { code: 'DS-101', signers: [] } })
})

test('an indeterminate signature: status 2', () => {
  const revoked = verify(...trust, '--crl', 'revoked.crl', ...at, 'attached.cms')
  expect(revoked).toMatchObject({ status: 2, answer: { subIndication: 'REVOKED_NO_POE', code: 'DS-502' } })
  const unknown = verify(...trust, ...at, 'attached.cms')
  expect(unknown).toMatchObject({ status: 2, answer: { subIndication: 'TRY_LATER', code: 'DS-509' } })
  const login = verify('--content', 'doc.txt', ...trust, '--no-revocation', ...at, 'login.p7s')
  expect(login).toMatchObject({ status: 2, answer: { code: 'DS-412' } })
})

test('a certificate alone is checked', () => {
  const good = verify('--certificate', 'leaf.cer', ...trust, '--crl', 'empty.crl', ...at)
  expect(good).toMatchObject({ status: 0, answer: { signers: [{ commonName: 'ТЕСТОВ ТЕСТ' }] } })
  const expired = verify(
    '--certificate',
    'leaf.cer',
    ...trust,
    '--no-revocation',
    '--at',
    daysLater(300).toISOString(),
  )
  expect(expired).toMatchObject({ status: 2, answer: { code: 'DS-413' } })
  const broken = verify('--certificate', 'doc.txt', ...trust)
  expect(broken).toMatchObject({ status: 2, answer: { code: 'DS-405', signers: [] } })
})

test('wrong usage: status 64, and how to use the command', () => {
  for (const args of [
    [],
    ['attached.cms'],
    [...trust, 'nowhere.cms'],
    ['--roots', 'doc.txt', 'attached.cms'],
  ]) {
    const { status, answer, stderr } = verify(...args)
    expect({ status, answer }).toEqual({ status: 64, answer: null })
    expect(stderr).toContain('npm run -s verify')
  }
})

test('a signed PDF: what each signature covers, and what was added after it', () => {
  const common = [...trust, '--crl', 'empty.crl', ...at]
  const whole = verify(...common, 'signed.pdf')
  expect(whole).toMatchObject({
    status: 0,
    answer: {
      verdict: 'TOTAL-PASSED',
      signers: [
        { commonName: 'ТЕСТОВ ТЕСТ', format: 'PAdES', covers: 'whole-file', revision: 2, changesAfter: [] },
      ],
    },
  })
  const changed = verify(...common, 'changed.pdf')
  expect(changed).toMatchObject({
    status: 1,
    answer: {
      verdict: 'TOTAL-FAILED',
      code: 'DS-204',
      signers: [{ covers: 'revision', revision: 2, revisions: 3, changesAfter: ['content'], code: 'DS-204' }],
    },
  })
  expect(verify(...common, 'unsigned.pdf')).toMatchObject({
    status: 1,
    answer: { code: 'DS-101', signers: [] },
  })
})

describe('containers', () => {
  test('an archive: one verdict for each signature, with what it covers', () => {
    const { status, answer } = verify(...trust, '--no-revocation', ...at, 'set.zip')
    expect(answer).toMatchObject({
      verdict: 'TOTAL-PASSED',
      notCovered: [],
      signers: [
        {
          iin: '900101300123',
          file: 'sign_1.cms',
          document: 'doc.txt',
          format: 'CMS',
          covers: 'whole-file',
          changesAfter: [],
          verdict: 'TOTAL-PASSED',
        },
      ],
    })
    expect(status).toBe(0)
  })

  test('one invalid signature makes an archive invalid; an unsigned document is reported', () => {
    const spoiled = verify(...trust, '--no-revocation', ...at, 'spoiled.zip')
    expect(spoiled).toMatchObject({ status: 1, answer: { verdict: 'TOTAL-FAILED', code: 'DS-202' } })
    const more = verify(...trust, '--no-revocation', ...at, 'more.zip')
    expect(more).toMatchObject({
      status: 2,
      answer: { verdict: 'INDETERMINATE', code: 'DS-205', notCovered: ['other.txt'] },
    })
    const nothing = verify(...trust, ...at, 'unsigned.zip')
    expect(nothing).toMatchObject({ status: 1, answer: { code: 'DS-101', signers: [] } })
  })

  test('signatures in an archive over a separately given document are checked', () => {
    const apart = ['--no-revocation', ...at, 'signatures.zip']
    expect(verify('--content', 'doc.txt', ...trust, ...apart)).toMatchObject({
      status: 0,
      answer: { verdict: 'TOTAL-PASSED' },
    })
    const other = verify('--content', 'other.txt', ...trust, ...apart)
    expect(other).toMatchObject({ status: 1, answer: { verdict: 'TOTAL-FAILED', code: 'DS-202' } })
    expect(verify(...trust, ...apart)).toMatchObject({ status: 2, answer: { code: 'DS-203' } })
  })

  test('an e-mail, or several files at once, are checked', () => {
    const letter = verify(...trust, '--no-revocation', ...at, 'letter.eml')
    expect(letter).toMatchObject({ status: 0, answer: { signers: [{ document: 'doc.txt' }] } })
    const files = verify(...trust, '--no-revocation', ...at, 'doc.txt', 'detached.p7s')
    expect(files).toMatchObject({ status: 0, answer: { signers: [{ file: 'detached.p7s' }] } })
  })
  test('a scan of the QR codes of a printed signature is checked', () => {
    const scan = verify(...trust, '--no-revocation', ...at, '--content', 'doc.txt', 'scan.png')
    expect(scan).toMatchObject({
      status: 0,
      answer: { signers: [{ file: '1.cms', document: 'doc.txt' }], notCovered: ['scan.png'] },
    })
    // A document that exists only inside the codes was never seen by anybody, so a signature over it does not pass.
    expect(verify(...trust, '--no-revocation', ...at, 'inside.png')).toMatchObject({ status: 1 })
    const beside = verify(...trust, '--no-revocation', ...at, 'attached.cms', 'scan.png')
    expect(beside).toMatchObject({ status: 1, answer: { verdict: 'TOTAL-FAILED' } })
    const other = verify(...trust, '--no-revocation', ...at, '--content', 'other.txt', 'scan.png')
    expect(other).toMatchObject({ status: 1, answer: { verdict: 'TOTAL-FAILED', code: 'DS-202' } })
    expect(verify(...trust, ...at, 'blank.png')).toMatchObject({ status: 1, answer: { code: 'DS-101' } })
  })
})
