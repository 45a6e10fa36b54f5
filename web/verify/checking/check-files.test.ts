/** Files as people drop them, checked with the real engine and test certification centres. */
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { joined, toHex } from '@kelisim/signature/asn1/values.ts'
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { addEvidence } from '@kelisim/signature/cms/build.ts'
import { element } from '@kelisim/signature/asn1/write.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import { leafHash } from '@kelisim/signature/transparency/merkle.ts'
import { extendedKeyUsage, keyUsage, makeName } from '@kelisim/signature/signer/extensions.ts'
import { coSign, signAttached, signDetached } from '@kelisim/signature/signer/sign-cms.ts'
import { daysLater, foundNation, signedOn } from '@kelisim/signature/testing/nation.ts'
import * as pdf from '@kelisim/signature/testing/pdf-files.ts'
import { exclusive, signedXml } from '@kelisim/signature/testing/xml-files.ts'
import type { InputFile } from '@kelisim/signature/container/input-file.ts'
import { logKeysOf, withPublished, type LogKeys } from './log-keys.ts'
import { checkFiles, type CheckDependencies } from './check-files.ts'
import type { Group } from './report.ts'

const nation = await foundNation('gost-kz-512')
const abroad = await foundNation('gost-kz-512', 'Abroad')
const other = await nation.issue('ДРУГОЙ ЧЕЛОВЕК')
/** A certificate like those that the centre issues for signing in with an RSA key. */
const login = await nation.issue('ТЕСТОВ ТЕСТ AUTH', {
  extensions: [keyUsage('digitalSignature', 'keyEncipherment'), extendedKeyUsage(['1.3.6.1.5.5.7.3.2'])],
})
const text = (words: string) => new TextEncoder().encode(words)
const contract = text('Договор поставки')
const act = text('Акт')
const signing = { signingTime: signedOn }
const signature = await signDetached(contract, nation.person, signing)
const ofAct = await signDetached(act, nation.person, signing)

const file = (name: string, bytes: Uint8Array): InputFile => ({
  name,
  blob: new Blob([new Uint8Array(bytes)]),
})
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

type Says = Parameters<typeof nation.ocsp>[1] | 'away'

async function check(
  files: InputFile[],
  { says = 'good', ...rest }: Partial<CheckDependencies> & { says?: Says } = {},
) {
  const asked: string[] = []
  const people = [nation.person, other, login]
  const { groups } = await checkFiles(files, {
    trust: nation.trust,
    isDemo: false,
    logKeys: published(),
    at: signedOn,
    onProgress: () => {},
    attachmentsOf: async () => [],
    askRevocation: async ({ serialNumber }) => {
      asked.push(serialNumber)
      const person = people.find(({ certificate }) => toHex(certificate.serial) === serialNumber)
      if (says === 'away' || !person) return null
      const { der } = await nation.ocsp(person.certificate, says)
      return enveloped(der)
    },
    ...rest,
  })
  return { groups, asked }
}

/** The keys that the service publishes; without arguments the service is unreachable and no key was seen before. */
function published(...keys: Uint8Array[]): LogKeys {
  const texts = keys.map((key) => Buffer.from(key).toString('base64'))
  return logKeysOf(withPublished([], texts, signedOn), texts.length > 0 ? texts : null)
}

/** The OCSP response in its envelope, as it is transmitted. */
function enveloped(basic: Uint8Array): Uint8Array {
  const oid = Uint8Array.from([0x06, 0x09, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x01])
  const body = element(0x30, joined([oid, element(0x04, basic)]))
  return element(0x30, joined([Uint8Array.of(0x0a, 1, 0), element(0xa0, body)]))
}

/** A bundle with a log of one entry, its own key, and a real signature. */
async function madeUpBundle(key: KeyObject, publicKey: KeyObject): Promise<Uint8Array> {
  const [signer] = readSignedData(signature).signers
  const durable = addEvidence(signature, 0, {
    timestamps: [await nation.stamp(signer.signature)],
    basicOcspResponses: [(await nation.ocsp(nation.person.certificate)).der],
    certificates: [nation.centre.der],
  })
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const at = signedOn.toISOString()
  const entry = text(
    JSON.stringify({
      number: 1,
      requestId: 'r',
      attempt: 0,
      at,
      type: 'signature-accepted',
      document: sha256(contract),
      signature: sha256(signature),
      data: { signatureId: 's' },
    }),
  )
  const root = toHex(leafHash(entry))
  const log = sha256(publicKey.export({ type: 'spki', format: 'der' }))
  const head = text(JSON.stringify({ version: 1, size: 1, root, at, log }))
  const files: Record<string, Uint8Array> = {
    'documents/a.pdf': contract,
    'signatures/01/came.cms': signature,
    'signatures/01/durable.cms': durable,
    'signatures/01/chain.pem': text(''),
    'history/entries.jsonl': joined([entry, text('\n')]),
    'history/proofs.txt': text(`1 0 ${root}\n`),
    'log/key.pem': text(publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    'log/head.json': head,
    'log/head.sig': new Uint8Array(sign(null, head, key)),
  }
  const manifest = text(
    JSON.stringify({
      format: 'kelisim-evidence',
      version: 1,
      madeAt: at,
      request: { id: 'r', name: 'Договор' },
      documents: [{ attempt: 0, file: 'documents/a.pdf', name: 'a.pdf' }],
      signatures: [
        {
          id: 's',
          attempt: 0,
          signer: 'Тестов',
          side: { name: '', bin: '' },
          receivedAt: at,
          cms: 'signatures/01/came.cms',
          timestampedCms: null,
          durable: 'signatures/01/durable.cms',
          chain: 'signatures/01/chain.pem',
          ocsp: [],
          timestamps: [],
          lists: [],
        },
      ],
      history: { events: 1, leftOut: 0 },
      files: Object.fromEntries(
        Object.entries(files).map(([name, bytes]) => [name, { sha256: sha256(bytes), size: bytes.length }]),
      ),
    }),
  )
  const signed = new Uint8Array(sign(null, manifest, key))
  return zipSync({ ...files, 'manifest.json': manifest, 'manifest.sig': signed })
}

const told = ({ kind, outcome, documents, signatures }: Group) => [
  kind,
  outcome,
  ...documents.map(({ name }) => name),
  ...signatures.map(({ fileName, verdict }) => `${fileName} ${verdict.code ?? 'passed'}`),
]

describe('a document and its signature', () => {
  test('are valid in any order, as DER, PEM or base64, with any names', async () => {
    const pem = text(`-----BEGIN CMS-----\n${base64(signature)}\n-----END CMS-----\n`)
    for (const bytes of [signature, pem, text(base64(signature)), text(`\ufeff${base64(signature)}\r\n`)]) {
      const dropped = [file('договор.pdf.cms', bytes), file('договор.pdf', contract)]
      for (const files of [dropped, dropped.toReversed()]) {
        const { groups, asked } = await check(files)
        expect(groups.map(told)).toEqual([['detached', 'valid', 'договор.pdf', 'договор.pdf.cms passed']])
        expect(asked).toEqual([toHex(nation.person.certificate.serial)])
      }
    }
    const { groups } = await check([file('без имени', signature), file('x', contract)])
    expect(groups[0].outcome).toBe('valid')
    expect(groups[0].documents[0]).toMatchObject({
      size: contract.length,
      sha256: toHex(hash('sha-256', contract)),
    })
    expect(groups[0].signatures[0].signers[0]).toMatchObject({
      name: 'Тестов Тест',
      iin: '900101300123',
      signingTime: signedOn,
      provedTime: null,
      revocation: { status: 'good', by: 'ocsp' },
      certificate: { serialNumber: toHex(nation.person.certificate.serial) },
    })
  })

  test('a changed document, a damaged signature and a file that is neither are distinguished', async () => {
    const one = async (document: Uint8Array, cms: Uint8Array) =>
      told((await check([file('a.pdf', document), file('a.pdf.sig', cms)])).groups[0])
    expect(await one(text('Договор поставкі'), signature)).toEqual([
      'detached',
      'invalid',
      'a.pdf',
      'a.pdf.sig DS-202',
    ])
    expect(await one(contract, signature.slice(0, -9))).toEqual([
      'detached',
      'invalid',
      'a.pdf',
      'a.pdf.sig DS-102',
    ])
    expect(await one(contract, text('hello'))).toEqual(['detached', 'invalid', 'a.pdf', 'a.pdf.sig DS-101'])
  })

  test('characters that would reverse or hide a part of a name are made visible', async () => {
    const subject = makeName({ commonName: 'ИВАНОВ\u202eВ', organization: 'ТОО\u200b «Алтын Дала»' })
    const odd = await nation.issue('ОБОРОТЕНЬ', { subject })
    const cms = await signDetached(contract, odd, signing)
    const { groups } = await check([file('a\u202efdp.exe', contract), file('a\u200b.cms', cms)])
    const [group] = groups
    expect(group.documents[0].name).toBe('a[U+202E]fdp.exe')
    expect(group.signatures[0].fileName).toBe('a[U+200B].cms')
    const [signer] = group.signatures[0].signers
    expect(signer).toMatchObject({ organization: 'ТОО[U+200B] «Алтын Дала»' })
    expect(JSON.stringify(groups)).not.toMatch(/[\u202e\u200b]/)
  })

  test('the signature of a key that is only for signing in is not confirmed', async () => {
    const cms = await signDetached(contract, login, signing)
    const { groups } = await check([file('a.pdf', contract), file('a.pdf.cms', cms)])
    expect(groups.map(told)).toEqual([['detached', 'unconfirmed', 'a.pdf', 'a.pdf.cms DS-412']])
  })

  test('revoked, expired and unknown certificates are not confirmed; an unavailable centre can be asked later', async () => {
    const files = [file('a.pdf', contract), file('a.pdf.cms', signature)]
    const outcome = async (options: Parameters<typeof check>[1]) =>
      told((await check(files, options)).groups[0]).slice(1)
    expect(await outcome({ says: { revokedAt: daysLater(-1) } })).toEqual([
      'unconfirmed',
      'a.pdf',
      'a.pdf.cms DS-501',
    ])
    expect(await outcome({ at: daysLater(300) })).toEqual(['unconfirmed', 'a.pdf', 'a.pdf.cms DS-413'])
    expect(await outcome({ trust: abroad.trust })).toEqual(['unconfirmed', 'a.pdf', 'a.pdf.cms DS-406'])
    expect(await outcome({ says: 'away' })).toEqual(['later', 'a.pdf', 'a.pdf.cms DS-901'])
  })

  test('evidence inside the signature is used without network calls, and proves its time', async () => {
    const [signer] = readSignedData(signature).signers
    const evidence = {
      timestamps: [await nation.stamp(signer.signature)],
      basicOcspResponses: [(await nation.ocsp(nation.person.certificate)).der],
    }
    const durable = addEvidence(signature, 0, evidence)
    const { groups, asked } = await check([file('a.pdf', contract), file('a.cms', durable)], {
      at: daysLater(400),
      says: 'away',
    })
    expect(groups[0].outcome).toBe('valid')
    expect(groups[0].signatures[0].signers[0]).toMatchObject({
      provedTime: signedOn,
      provedBy: 'timestamp',
    })
    expect(asked).not.toContain(toHex(nation.person.certificate.serial))
  })

  test('with evidence that is older than the timestamp, or forged, the centre is asked nevertheless', async () => {
    const [signer] = readSignedData(signature).signers
    const { der, signature: value } = await nation.ocsp(nation.person.certificate)
    const place = value.byteOffset - der.byteOffset + 5
    const forged = der.with(place, der[place] ^ 1)
    const before = daysLater(-0.1)
    const brought = [
      { basicOcspResponses: [forged], crls: [(await nation.crl([], before)).der] },
      { basicOcspResponses: [(await nation.ocsp(nation.person.certificate, 'good', before)).der] },
      { crls: [(await nation.crl([], before)).der] },
    ]
    const timestamps = [await nation.stamp(signer.signature)]
    for (const evidence of brought) {
      const cms = addEvidence(signature, 0, { timestamps, ...evidence })
      const files = [file('a.pdf', contract), file('a.cms', cms)]
      const revoked = await check(files, { says: { revokedAt: daysLater(-0.01) } })
      expect(told(revoked.groups[0])).toEqual(['detached', 'unconfirmed', 'a.pdf', 'a.cms DS-501'])
      expect(revoked.asked).toContain(toHex(nation.person.certificate.serial))
      expect(told((await check(files)).groups[0])).toEqual(['detached', 'valid', 'a.pdf', 'a.cms passed'])
      const away = await check(files, { says: 'away' })
      expect(told(away.groups[0])).toEqual(['detached', 'later', 'a.pdf', 'a.cms DS-901'])
    }
  })

  test('old evidence about a timestamp service does not hide its revocation', async () => {
    const [signer] = readSignedData(signature).signers
    const durable = addEvidence(signature, 0, {
      timestamps: [await nation.stamp(signer.signature)],
      basicOcspResponses: [
        (await nation.ocsp(nation.person.certificate)).der,
        (await nation.ocsp(nation.clock.certificate)).der,
      ],
    })
    const askRevocation = async ({ serialNumber }: { serialNumber: string }) => {
      if (serialNumber !== toHex(nation.clock.certificate.serial)) return null
      const revoked = { revokedAt: daysLater(2), reason: 'keyCompromise' } as const
      return enveloped((await nation.ocsp(nation.clock.certificate, revoked, daysLater(3))).der)
    }
    const { groups } = await check([file('a.pdf', contract), file('a.cms', durable)], {
      at: daysLater(3),
      askRevocation,
    })
    expect(groups[0].outcome).not.toBe('valid')
    expect(groups[0].signatures[0].signers[0].timestamps).toMatchObject([{ isGood: false }])
  })

  test('a signature that is given twice, or once more with its timestamp, counts as one', async () => {
    const [signer] = readSignedData(signature).signers
    const stamped = addEvidence(signature, 0, { timestamps: [await nation.stamp(signer.signature)] })
    const { groups } = await check([
      file('a.pdf', contract),
      file('a.cms', signature),
      file('b.cms', stamped),
      file('c.cms', signature),
    ])
    expect(groups.map(told)).toEqual([['detached', 'valid', 'a.pdf', 'b.cms passed']])
    expect(groups[0].signatures[0].alsoIn).toEqual(['a.cms', 'c.cms'])
  })

  test('several documents and signatures are matched by hash, then by name', async () => {
    const { groups } = await check([
      file('1.cms', ofAct),
      file('договор.pdf', contract),
      file('2.cms', signature),
      file('акт.docx', act),
      file('3.cms', await signDetached(contract, other, signing)),
    ])
    expect(groups.map(told)).toEqual([
      ['detached', 'valid', 'договор.pdf', '2.cms passed', '3.cms passed'],
      ['detached', 'valid', 'акт.docx', '1.cms passed'],
    ])
    const changed = await check([
      file('договор.pdf', text('?')),
      file('акт.docx', act),
      file('договор.pdf - Тестов.cms', signature),
      file('кто знает.cms', signature),
    ])
    expect(changed.groups.map(told)).toEqual([
      ['detached', 'invalid', 'договор.pdf', 'договор.pdf - Тестов.cms DS-202'],
      ['alone', 'unsigned', 'акт.docx'],
      ['detached', 'incomplete', 'кто знает.cms DS-203'],
    ])
  })
})

describe('missing files are reported', () => {
  test('for a document alone, an office file alone, a signature alone and an empty file', async () => {
    const trouble = async (name: string, bytes: Uint8Array) => {
      const { groups } = await check([file(name, bytes)])
      return [groups[0].outcome, groups[0].trouble]
    }
    expect(await trouble('a.pdf', text('%PDF-1.7'))).toEqual(['unsigned', 'document'])
    expect(await trouble('a.docx', zipSync({ '[Content_Types].xml': text('<a/>') }))).toEqual([
      'unsigned',
      'docx',
    ])
    expect(await trouble('a.cms', signature)).toEqual(['incomplete', 'no-document'])
    expect(await trouble('a.pdf', new Uint8Array())).toEqual(['unreadable', 'empty'])
    expect(await trouble('a.zip', text('PK\u0003\u0004'))).toEqual(['unreadable', 'damaged'])
  })
})

describe('one file with a document and its signatures', () => {
  test('an electronic document of two signers is valid, and invalid if a bit of it is changed', async () => {
    const both = await coSign(await signAttached(contract, nation.person, signing), other, signing)
    const { groups } = await check([file('договор.pdf.cms', both)])
    expect(groups.map(told)).toEqual([['electronic', 'valid', 'договор.pdf', 'договор.pdf.cms passed']])
    expect(groups[0].signatures[0].signers).toHaveLength(2)
    expect(await groups[0].documents[0].inside!.text()).toBe('Договор поставки')
    const at = Buffer.from(both).indexOf(Buffer.from(contract))
    const changed = both.slice()
    changed[at] = changed[at] ^ 1
    expect((await check([file('договор.pdf.cms', changed)])).groups[0].outcome).toBe('invalid')
  })

  test('an archive of a document and its signatures is valid; archives without signatures are documents', async () => {
    const set = zipSync({ 'договор.pdf': contract, 'договор.pdf - Тестов.cms': signature })
    const { groups } = await check([file('договор.zip', set)])
    expect(groups.map(told)).toEqual([['set', 'valid', 'договор.pdf', 'договор.pdf - Тестов.cms passed']])
    expect(groups[0].container?.name).toBe('договор.zip')
    const plain = zipSync({ 'договор.pdf': contract })
    const signed = await check([
      file('договор.zip', plain),
      file('договор.zip.cms', await signDetached(plain, nation.person, signing)),
    ])
    expect(signed.groups.map(told)).toEqual([['detached', 'valid', 'договор.zip', 'договор.zip.cms passed']])
    const unsafe = zipSync({ '../договор.pdf': contract, 'a.cms': signature })
    expect((await check([file('a.zip', unsafe)])).groups[0]).toMatchObject({
      outcome: 'unreadable',
      trouble: 'unsafe-name',
    })
  })

  test('an electronic document is invalid beside another document of the same name, and valid beside its own', async () => {
    const attached = await signAttached(contract, nation.person, signing)
    const beside = async (...files: InputFile[]) =>
      (await check([file('договор.pdf.cms', attached), ...files])).groups.map(told)
    const good = ['electronic', 'valid', 'договор.pdf', 'договор.pdf.cms passed']
    const bad = ['electronic', 'invalid', 'договор.pdf', 'договор.pdf.cms DS-201']
    expect(await beside(file('договор.pdf', contract))).toEqual([good])
    expect(await beside(file('договор.pdf', act))).toEqual([bad])
    expect(await beside(file('что-то.pdf', act))).toEqual([bad])
    expect(await beside(file('договор.pdf', act), file('x.docx', act))).toEqual([
      bad,
      ['alone', 'unsigned', 'x.docx'],
    ])
    expect(await beside(file('акт.pdf', act), file('акт.cms', ofAct))).toEqual([
      good,
      ['detached', 'valid', 'акт.pdf', 'акт.cms passed'],
    ])
  })

  test('nested archives are not opened', async () => {
    const inner = zipSync({ 'договор.pdf': contract, 'договор.cms': signature })
    const { groups } = await check([file('a.zip', zipSync({ 'b.zip': inner, 'b.zip.cms': signature }))])
    expect(groups.map(told)).toEqual([['set', 'invalid', 'b.zip', 'b.zip.cms DS-202']])
  })

  test('a forged bundle with its own log is not valid, as the key of its log is not published', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const spki = publicKey.export({ type: 'spki', format: 'der' })
    const madeUp = file('пакет.zip', await madeUpBundle(privateKey, publicKey))
    const outcome = async (...keys: Uint8Array[]) =>
      (await check([madeUp], { logKeys: published(...keys), at: daysLater(1) })).groups[0].outcome
    expect(await outcome(spki)).toBe('valid')
    const ours = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' })
    expect(await outcome(ours)).toBe('unconfirmed')
    expect(await outcome()).toBe('later')
  })

  test('an evidence bundle is judged with the keys that the browser has seen, and says so', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const own = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const newer = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' })
    const madeUp = file('пакет.zip', await madeUpBundle(privateKey, publicKey))
    const [before, now] = [daysLater(-30), daysLater(1)]
    const seen = withPublished([], [own], before)
    const judged = async (logKeys: LogKeys) => {
      const { outcome, bundle } = (await check([madeUp], { logKeys, at: now })).groups[0]
      return [outcome, bundle?.logKey, bundle?.isHistoryProved]
    }
    // the service is unreachable
    expect(await judged(logKeysOf(seen, null))).toEqual([
      'valid',
      { state: 'remembered', lastSeenAt: before },
      true,
    ])
    // the service has another key now
    const published = [newer.toString('base64')]
    expect(await judged(logKeysOf(withPublished(seen, published, now), published))).toEqual([
      'valid',
      { state: 'former', firstSeenAt: before, lastSeenAt: before },
      true,
    ])
    // unreachable, and the key of the bundle was never seen
    const others = withPublished([], published, before)
    expect(await judged(logKeysOf(others, null))).toEqual(['later', { state: 'unknown' }, false])
    expect(await judged(logKeysOf(others, published))).toEqual(['unconfirmed', { state: 'other' }, false])
  })

  test('a file that only resembles an evidence bundle is invalid', async () => {
    const bundle = zipSync({ 'manifest.json': text('{}'), 'manifest.sig': text('?'), 'a.pdf': contract })
    const { groups } = await check([file('пакет.zip', bundle)])
    expect(groups.map(told)).toEqual([['bundle', 'invalid']])
    expect(groups[0].bundle?.faults).toEqual([{ fault: 'not-a-bundle', of: 'manifest.json' }])
  })

  test('a document card has an original and its signatures in any order; one invalid signature makes all untrusted', async () => {
    const pdf = text('%PDF-1.7 card')
    const card = (...files: InputFile[]) =>
      check([file('карточка.pdf', pdf)], { attachmentsOf: async () => files })
    const second = await signDetached(contract, other, signing)
    const good = await card(file('договор.docx', contract), file('1.cms', signature), file('2.cms', second))
    expect(good.groups.map(told)).toEqual([
      ['card', 'inside', 'договор.docx', '1.cms passed', '2.cms passed'],
    ])
    const extra = await card(file('договор.docx', contract), file('1.cms', signature), file('фото.jpg', act))
    expect(extra.groups[0].attachments).toEqual([
      { name: 'договор.docx', state: 'signed' },
      { name: '1.cms', state: 'signature' },
      { name: 'фото.jpg', state: 'unsigned' },
    ])
    const bad = await card(file('договор.docx', contract), file('1.cms', signature), file('2.cms', ofAct))
    expect(bad.groups.map(told)).toEqual([
      ['card', 'invalid', 'договор.docx', '1.cms passed', '2.cms DS-202'],
    ])
    const otherOrder = await card(file('1.cms', signature), file('договор.docx', contract))
    expect(otherOrder.groups.map(told)).toEqual([['card', 'inside', 'договор.docx', '1.cms passed']])
    expect((await card(file('фото.jpg', act))).groups.map(told)).toEqual([
      ['alone', 'unsigned', 'карточка.pdf'],
    ])
  })

  test('a card in an archive is treated as a card, with the warning about its pages', async () => {
    const zip = zipSync({ 'карточка.pdf': text('%PDF-1.7 card'), 'ещё.cms': signature })
    const { groups } = await check([file('a.zip', zip)], {
      attachmentsOf: async () => [file('договор.docx', contract), file('1.cms', signature)],
    })
    expect(groups.map(({ kind }) => kind)).toEqual(['card', 'set'])
  })

  test('a card and a separate signature of its original belong together; a signed card is a document', async () => {
    const pdf = text('%PDF-1.7 card')
    const attachmentsOf = async () => [file('договор.docx', contract), file('1.cms', signature)]
    const beside = await check([file('карточка.pdf', pdf), file('ещё.cms', signature)], { attachmentsOf })
    expect(beside.groups.map(told)).toEqual([
      ['card', 'inside', 'договор.docx', '1.cms passed'],
      ['detached', 'valid', 'договор.docx', 'ещё.cms passed'],
    ])
    const over = await signDetached(pdf, nation.person, signing)
    const signed = await check([file('карточка.pdf', pdf), file('к.cms', over)], { attachmentsOf })
    expect(signed.groups.map(told)).toEqual([['detached', 'valid', 'карточка.pdf', 'к.cms passed']])
  })
})

test('progress is reported while a long document is read', async () => {
  const long = new Uint8Array(3 * 1024 * 1024 + 5)
  const told: number[] = []
  await check([file('long.bin', long), file('long.cms', await signDetached(long, nation.person, signing))], {
    onProgress: ({ done, total }) => told.push(done / total),
  })
  expect(told.filter((part) => part === 1).length).toBeGreaterThan(0)
  expect(told.length).toBeGreaterThan(6)
})

describe('a PDF with signatures inside', () => {
  const signed = (file: pdf.PdfFile, person = nation.person, field = 'Signature1') =>
    pdf.signed(file, person, { at: signedOn, field })

  test('is valid; the first signer signed an earlier version, which can be saved', async () => {
    const first = await signed(pdf.contract())
    const second = await signed(first, other, 'Signature2')
    const { groups } = await check([file('Договор.pdf', second.bytes)])
    expect(groups).toHaveLength(1)
    const [{ kind, outcome, signatures }] = groups as [Group]
    expect([kind, outcome]).toEqual(['pdf', 'valid'])
    expect(signatures.map(({ inPdf }) => [inPdf?.covers?.isWhole, inPdf?.changesAfter])).toEqual([
      [false, ['signatures']],
      [true, []],
    ])
    const [before, whole] = signatures.map(({ inPdf }) => inPdf!.signedVersion)
    expect(new Uint8Array(await before!.arrayBuffer())).toEqual(first.bytes)
    expect(whole).toBeNull()
  })

  test('is invalid when its text was changed afterwards, and when it cannot be read', async () => {
    const whole = await signed(pdf.contract())
    const changed = pdf.withObjects(whole, { 4: pdf.pageText('Contract for 900 tonnes') })
    const cut = whole.bytes.slice(0, -20)
    const { groups } = await check([file('changed.pdf', changed.bytes), file('cut.pdf', cut)])
    expect(groups.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['pdf', 'invalid'],
      ['pdf', 'invalid'],
    ])
    expect(groups.map(({ signatures }) => signatures[0].faults)).toEqual([
      ['changed-after-signing'],
      ['pdf-damaged'],
    ])
  })

  test('with another signature beside it is checked in both ways', async () => {
    const { bytes } = await signed(pdf.contract())
    const beside = await signDetached(bytes, other, signing)
    const { groups } = await check([file('Договор.pdf', bytes), file('Договор.pdf.cms', beside)])
    expect(groups.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['pdf', 'valid'],
      ['detached', 'valid'],
    ])
  })

  test('is a document without signatures if there are none', async () => {
    const { groups } = await check([file('Договор.pdf', pdf.contract().bytes)])
    expect(groups.map(({ kind, outcome }) => [kind, outcome])).toEqual([['alone', 'unsigned']])
  })
})

describe('XML with signatures inside', () => {
  const order = '<order><sum Id="s">100</sum></order>'

  test('is valid if the whole of it, or a part that is named, is signed', async () => {
    const whole = await signedXml(order, nation.person)
    const part = await signedXml(order, nation.person, { uri: '#s', form: exclusive })
    const { groups } = await check([file('a.xml', text(whole)), file('b.xml', text(part))])
    expect(groups.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['xml', 'valid'],
      ['xml', 'valid'],
    ])
    expect(groups.map(({ signatures }) => signatures[0].inXml?.elements)).toEqual([[], ['/order/sum']])
    expect(await groups[1].signatures[0].inXml!.signed!.text()).toBe('<sum Id="s">100</sum>')
  })

  test('is invalid when it was changed; XML without signatures is a document', async () => {
    const changed = (await signedXml(order, nation.person)).replace('100', '900')
    const { groups } = await check([file('a.xml', text(changed)), file('b.xml', text(order))])
    expect(groups.map(({ kind, outcome }) => `${kind} ${outcome}`).toSorted()).toEqual([
      'alone unsigned',
      'xml invalid',
    ])
  })
})
