/** Containers as people send them: archives, e-mails and PDFs with a document and its signatures in them. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hash } from '../algorithms/hash.ts'
import { newRecord } from '../evidence-records/write.ts'
import { xmlRecord } from '../evidence-records/write-xml.ts'
import { serviceOf, timestampOver } from '../testing/records.ts'
import { pemOf } from '../asn1/pem.ts'
import { joined, latin1 } from '../asn1/values.ts'
import { defaultPolicy, evidenceAtHand, type Setting } from '../examination/policy.ts'
import { signAttached, signDetached } from '../signer/sign-cms.ts'
import { zipOf } from '../testing/archives.ts'
import { mail, mailPart, multipart, textPart, type MailPart } from '../testing/mails.ts'
import { foundNation, signedOn } from '../testing/nation.ts'
import { bytesOf as pdfBytes, contract as pdfContract, signed, withObjects } from '../testing/pdf-files.ts'
import { signedXml } from '../testing/xml-files.ts'
import { randomNumbers } from '../testing/random-numbers.ts'
import { examineFiles } from './examine-files.ts'
import type { ExaminedGroup } from './group.ts'
import type { InputFile } from './input-file.ts'

const nation = await foundNation('rsa')
const other = await nation.issue('ДРУГОЙ ЧЕЛОВЕК')
const text = (words: string) => new TextEncoder().encode(words)
const contract = text('Договор поставки')
const act = text('Акт')
const signing = { signingTime: signedOn }
const signature = await signDetached(contract, nation.person, signing)
const ofAct = await signDetached(act, other, signing)
const base64 = (bytes: Uint8Array) => text(btoa(latin1(bytes)))
const pem = (bytes: Uint8Array) => text(pemOf('CMS', bytes))

const setting: Setting = {
  trust: nation.trust,
  evidence: evidenceAtHand({ crls: [], ocsp: [] }),
  policy: { ...defaultPolicy, revocation: 'none' },
  at: signedOn,
}

const file = (name: string, bytes: Uint8Array): InputFile => ({
  name,
  blob: new Blob([Uint8Array.from(bytes)]),
})
const examined = (...files: InputFile[]) => examineFiles(files, { setting })
const inZip = (files: Record<string, Uint8Array>) => examined(file('a.zip', zipOf(files)))
const inMail = (entity: string) => examined(file('письмо.eml', mail(entity)))
const part = (name: string, bytes: Uint8Array, more: Partial<MailPart> = {}) =>
  mailPart({ name, bytes, ...more })

function faultsOf({ signatures }: Pick<ExaminedGroup, 'signatures'>): string[] {
  return signatures.flatMap(({ examination: { findings, signers } }) => [
    ...findings,
    ...signers.flatMap((signer) => signer.findings),
  ])
}

const told = (group: ExaminedGroup) => [
  group.trouble ?? group.kind,
  ...group.documents.map(({ name }) => name),
  ...group.signatures.map(
    ({ path, ...one }) => `${path} ${faultsOf({ signatures: [{ path, ...one }] }).join() || 'good'}`,
  ),
]

describe('an archive', () => {
  test.each([
    ['FILE.cms', { 'Договор.pdf': contract, 'Договор.pdf.cms': signature }],
    ['FILE.sig in base64', { 'Договор.pdf': contract, 'Договор.sig': base64(signature) }],
    ['FILE.p7s as PEM', { 'Договор.pdf': contract, 'Договор.pdf.p7s': pem(signature) }],
    ['FILE.p7b', { 'Договор.pdf': contract, 'Договор.p7b': signature }],
    ['sign_1.cms', { 'Договор.pdf': contract, 'sign_1.cms': signature }],
    ['a folder for each signer', { 'doc/Договор.pdf': contract, 'ИВАНОВ ИВАН/signature.cms': signature }],
    ['no ending at all', { 'Договор.pdf': contract, signature }],
    ['text in base64', { 'Договор.pdf': contract, 'подпись.txt': base64(signature) }],
    [
      'what systems add',
      { 'Договор.pdf': contract, 'a.cms': signature, '__MACOSX/._Договор.pdf': act, 'x/.DS_Store': act },
    ],
  ])('with the naming %s', async (_, files) => {
    const groups = await inZip(files)
    expect(groups).toHaveLength(1)
    expect(groups[0]!.documents.map(({ name }) => name)).toEqual(['Договор.pdf'])
    expect(faultsOf(groups[0]!)).toEqual([])
    expect(groups[0]!.envelope?.name).toBe('a.zip')
  })

  test('shows the document that nobody signed, and the one that was changed', async () => {
    const groups = await inZip({
      '1/договор.pdf': text('Договор поставкі'),
      '1/подписи/иванов.cms': signature,
      '2/акт.pdf': act,
      '2/подписи/петров.cms': ofAct,
      'приложение.docx': text('?'),
    })
    expect(groups.map(told)).toEqual([
      ['detached', 'договор.pdf', '1/подписи/иванов.cms other-document'],
      ['detached', 'акт.pdf', '2/подписи/петров.cms good'],
      ['document', 'приложение.docx'],
    ])
  })

  test('may have signed PDFs, archives, or nothing that is signed', async () => {
    const pdf = (await signed(pdfContract(), nation.person, { at: signedOn })).bytes
    expect((await inZip({ 'a.pdf': pdf })).map(told)).toEqual([['pdf', 'a.pdf', 'a.pdf good']])
    const inner = zipOf({ 'договор.pdf': contract, 'договор.cms': signature })
    expect((await inZip({ 'b.zip': inner })).map(told)).toEqual([
      ['detached', 'договор.pdf', 'договор.cms good'],
    ])
    const over = await signDetached(inner, nation.person, signing)
    expect((await inZip({ 'b.zip': inner, 'b.cms': over })).map(told)).toEqual([
      ['detached', 'b.zip', 'b.cms good'],
    ])
    for (const files of [{}, { 'a.txt': contract, 'b.txt': act }, { 'ca.cer': nation.centre.der }]) {
      expect((await inZip(files as Record<string, Uint8Array>)).map(told)).toEqual([['document', 'a.zip']])
    }
  })

  test('is opened up to three containers inside each other, and no deeper', async () => {
    let zip: Uint8Array = zipOf({ 'договор.pdf': contract, 'договор.cms': signature })
    for (const name of ['b.zip', 'c.zip']) zip = zipOf({ [name]: zip })
    expect((await examined(file('d.zip', zip))).map(told)).toEqual([
      ['detached', 'договор.pdf', 'договор.cms good'],
    ])
    zip = zipOf({ 'e.zip': zip })
    expect((await examined(file('f.zip', zip))).map(told)).toEqual([['document', 'f.zip']])
  })

  test('that unpacks to too much in all its parts is refused', async () => {
    const large = zipOf({ 'a.bin': new Uint8Array(30 * 1024 ** 2) })
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}.zip`, large]))
    const groups = await inZip(many)
    expect(groups.map(({ trouble }) => trouble)).toContain('too-much')
  }, 60_000)

  test('with a file that only some programs see is refused', async () => {
    const zip = zipOf({ 'договор.pdf': contract, 'a.cms': signature }, 0)
    const local = latin1(zip).indexOf('PK\u0003\u0004', 4)
    const renamed = zip.slice()
    renamed[30] = 0x41
    const spare = zipOf({ 'другой.pdf': act }, 0)
    const hidden = spare.subarray(0, latin1(spare).indexOf('PK\u0001\u0002'))
    const end = latin1(zip).lastIndexOf('PK\u0005\u0006')
    const shifted = joined([zip.subarray(0, local), hidden, zip.subarray(local)])
    const view = new DataView(shifted.buffer)
    const directory = view.getUint32(end + hidden.length + 16, true) + hidden.length
    view.setUint32(end + hidden.length + 16, directory, true)
    const second = latin1(shifted).indexOf('PK\u0001\u0002', directory + 4)
    view.setUint32(second + 42, local + hidden.length, true)
    for (const bytes of [renamed, shifted, joined([hidden, zip])]) {
      expect((await examined(file('a.zip', bytes)))[0]!.trouble).toBe('damaged')
    }
  })
})

describe('an e-mail', () => {
  test.each(['plain', '2231', '2231-continued', '2047'] as const)(
    'with names written as %s',
    async (naming) => {
      for (const encoding of ['base64', 'quoted-printable'] as const) {
        const groups = await inMail(
          multipart([
            textPart('Добрый день!'),
            part('Договор поставки № 5.pdf', contract, { naming, encoding }),
            part('Договор поставки № 5.pdf.cms', signature, { naming, encoding }),
          ]),
        )
        expect(groups.map(told)).toEqual([
          ['detached', 'Договор поставки № 5.pdf', 'Договор поставки № 5.pdf.cms good'],
        ])
      }
    },
  )

  test('may have an archive, or a forwarded e-mail inside', async () => {
    const zip = zipOf({ 'договор.pdf': contract, 'договор.cms': signature })
    const inner = multipart([textPart('Пересылаю'), part('a.zip', zip)], 'multipart/mixed', 'inner')
    const groups = await inMail(multipart([textPart('См.'), `Content-Type: message/rfc822\r\n\r\n${inner}`]))
    expect(groups.map(told)).toEqual([['detached', 'договор.pdf', 'договор.cms good']])
  })

  test('without files is a document', async () => {
    expect((await inMail(textPart('Добрый день!'))).map(told)).toEqual([['document', 'письмо.eml']])
  })

  test('that is signed as a whole covers its content, with either line break', async () => {
    const entity = multipart(
      [textPart('Добрый день!'), part('договор.pdf', contract)],
      'multipart/mixed',
      'in',
    )
    const over = await signDetached(pdfBytes(entity), nation.person, signing)
    const kind = 'multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256'
    const whole = (content: string) =>
      mail(multipart([content, part('smime.p7s', over, { type: 'application/pkcs7-signature' })], kind))
    const unix = Uint8Array.from(latin1(whole(entity)).replaceAll('\r\n', '\n'), (character) =>
      character.charCodeAt(0),
    )
    for (const bytes of [whole(entity), unix]) {
      const groups = await examined(file('a.eml', bytes))
      expect(groups.map(told)).toEqual([['detached', 'Шарт.eml', 'smime.p7s good']])
      expect(groups[0]!.attachments).toEqual([{ name: 'договор.pdf', role: 'document' }])
    }
    const [changed] = await examined(file('a.eml', whole(entity.replace('MIME', 'mime'))))
    expect(faultsOf(changed!)).toEqual(['other-document'])
  })

  test.each([
    [
      'two encodings',
      (entity: string) =>
        entity.replace('Content-Transfer', 'Content-Transfer-Encoding: 7bit\r\nContent-Transfer'),
    ],
    ['two names', (entity: string) => entity.replace('filename=', 'filename="a";\r\n filename=')],
    ['no end', (entity: string) => entity.replace('--b1--', '')],
    ['an encoding of nobody', (entity: string) => entity.replace(': base64', ': base65')],
    ['what is not base64', (entity: string) => entity.replace(btoa(latin1(contract)).slice(0, 8), '====')],
  ])('that programs read differently is refused: %s', async (_, change) => {
    const entity = multipart([part('договор.pdf', contract), part('договор.cms', signature)])
    expect((await inMail(change(entity))).map(({ trouble }) => trouble)).toEqual(['damaged'])
  })
})

/** A PDF with these files attached, by the name tree. */
function cardOf(files: Record<string, Uint8Array>): Uint8Array {
  const objects: Record<number, string> = {}
  const names = Object.entries(files).map(([name, bytes], i) => {
    const [specification, stream] = [10 + 2 * i, 11 + 2 * i]
    objects[specification] = `<< /Type /Filespec /F (${name}) /EF << /F ${stream} 0 R >> >>`
    objects[stream] = `<< /Type /EmbeddedFile /Length ${bytes.length} >>\nstream\n${latin1(bytes)}\nendstream`
    return `(${name}) ${specification} 0 R`
  })
  objects[1] = `<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [${names.join(' ')}] >> >> >>`
  return withObjects(pdfContract('Card'), objects).bytes
}

describe('a document card', () => {
  test('is read with its original and signatures, in any order', async () => {
    for (const files of [
      { 'contract.pdf': contract, 'sign.cms': signature },
      { 'sign.cms': base64(signature), 'contract.pdf': contract },
    ] as Record<string, Uint8Array>[]) {
      const groups = await examined(file('card.pdf', cardOf(files)))
      expect(groups.map(told)).toEqual([['detached', 'contract.pdf', 'sign.cms good']])
      expect(groups[0]!.within?.kind).toBe('card')
      expect(groups[0]!.attachments.map(({ role }) => role).toSorted()).toEqual(['document', 'signature'])
    }
  })

  test('may have signatures only, beside the document', async () => {
    const groups = await examined(
      file('card.pdf', cardOf({ 'sign.cms': signature })),
      file('x.pdf', contract),
    )
    expect(groups.map(told)).toEqual([
      ['document', 'card.pdf'],
      ['detached', 'x.pdf', 'sign.cms good'],
    ])
  })

  test('may have the document and the signature in one file', async () => {
    const attached = await signAttached(contract, nation.person, signing)
    const groups = await examined(file('card.pdf', cardOf({ 'contract.cms': attached })))
    expect(groups.map(told)).toEqual([['electronic', 'contract', 'contract.cms good']])
  })
})

test('documents and signatures are matched, whatever they are called and wherever they are', async () => {
  const all = await Promise.all(
    Array.from({ length: 4 }, async (_, i) => {
      const document = text(`Документ ${i}`)
      return { document, cms: await signDetached(document, i % 2 ? nation.person : other, signing) }
    }),
  )
  const name = fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8})?$/)
  const names = fc.uniqueArray(name, {
    minLength: 8,
    maxLength: 8,
    selector: (one) => one.replace(/.*\//, ''),
  })
  const form = fc.constantFrom((der: Uint8Array) => der, base64, pem)
  await fc.assert(
    fc.asyncProperty(
      names,
      fc.array(form, { minLength: 4, maxLength: 4 }),
      fc.boolean(),
      async (called, forms, isPacked) => {
        const files = all.flatMap(({ document, cms }, i) => [
          [`f/${called[2 * i]}.pdf`, document] as const,
          [`f/${called[2 * i + 1]}.sig`, forms[i]!(cms)] as const,
        ])
        const shuffled = files.toSorted(([one], [two]) => (one < two ? -1 : 1))
        const groups = isPacked
          ? await inZip(Object.fromEntries(shuffled))
          : await examined(...shuffled.map(([one, bytes]) => file(one, bytes)))
        expect(groups.map(({ kind }) => kind)).toEqual(Array(4).fill('detached'))
        expect(groups.flatMap(faultsOf)).toEqual([])
      },
    ),
    { numRuns: 40, seed: 20 },
  )
})

describe('an evidence record', () => {
  const clock = serviceOf(nation, 2026, 2029)
  const afterwards = { ...setting, at: new Date('2027-06-01T00:00:00Z') }
  const recordOf = async (...files: Uint8Array[]) => {
    const group = files.map((one) => hash('sha-256', one))
    return timestampOver(group, { by: await clock, at: signedOn, others: [hash('sha-256', act)] })
  }
  const found = (groups: readonly ExaminedGroup[]) =>
    groups.flatMap(({ record, documents }) =>
      record ? [[...documents.map(({ name }) => name), record.findings.join() || 'good']] : [],
    )

  test.each(['договор.er', 'any name', 'договор.ers'])(
    'as %s is judged over the files that it covers',
    async (name) => {
      const record = newRecord(await recordOf(contract, signature))
      const files = [file('акт.txt', act), file('a.cms', signature), file('договор.txt', contract)]
      const groups = await examined(...files, file(name, record))
      expect(found(groups)).toEqual([['a.cms', 'договор.txt', 'good']])
      expect(groups.map(told)).toContainEqual(['detached', 'договор.txt', 'a.cms good'])
      expect(groups.map(told)).toContainEqual(['document', 'акт.txt'])
      const zipped = await inZip({
        'акт.txt': act,
        'a.cms': signature,
        'договор.txt': contract,
        [name]: record,
      })
      expect(found(zipped)).toEqual(found(groups))
    },
  )

  test('is judged as XML and as text too', async () => {
    const stamp = await recordOf(contract)
    for (const record of [xmlRecord([[stamp]]), text(pemOf('EVIDENCE RECORD', newRecord(stamp)))]) {
      expect(found(await examined(file('договор.txt', contract), file('r.xml', record)))).toEqual([
        ['договор.txt', 'good'],
      ])
    }
  })

  test('over a changed file, or without its file, has a fault', async () => {
    const record = file('r.er', newRecord(await recordOf(contract)))
    expect(found(await examined(file('договор.txt', text('другой')), record))).toEqual([
      ['договор.txt', 'record-of-other'],
    ])
    expect(found(await examined(record))).toEqual([['document-missing']])
  })

  test('over an archive keeps it as one file, and a signed record is a document', async () => {
    const zip = zipOf({ 'договор.txt': contract })
    const record = newRecord(await recordOf(zip))
    expect(found(await examined(file('a.zip', zip), file('a.er', record)))).toEqual([['a.zip', 'good']])
    const over = await signDetached(record, nation.person, signing)
    expect((await examined(file('a.er', record), file('a.er.cms', over))).map(told)).toContainEqual([
      'detached',
      'a.er',
      'a.er.cms good',
    ])
  })

  test('proves since when a signature exists, so that it stays valid after its certificate has ended', async () => {
    const record = file('r.er', newRecord(await recordOf(contract, signature)))
    const files = [file('a.cms', signature), file('договор.txt', contract)]
    const alone = await examineFiles(files, { setting: afterwards })
    expect(faultsOf(alone[0]!)).toEqual(['certificate-expired'])
    const groups = await examineFiles([...files, record], { setting: afterwards })
    expect(groups.map(told)).toContainEqual(['detached', 'договор.txt', 'a.cms good'])
  })

  test('of a whole archive proves its content, and the content is judged', async () => {
    const zip = zipOf({ 'договор.txt': contract, 'a.cms': signature })
    const record = file('a.er', newRecord(await recordOf(zip)))
    const groups = await examineFiles([file('a.zip', zip), record], { setting: afterwards })
    expect(found(groups)).toEqual([['a.zip', 'good']])
    expect(groups.map(told)).toContainEqual(['detached', 'договор.txt', 'a.cms good'])
    expect(groups.map(told)).not.toContainEqual(['document', 'a.zip'])
    const forged = zipOf({ 'договор.txt': text('Договор дарения'), 'a.cms': signature })
    const ofForged = file('a.er', newRecord(await recordOf(forged)))
    expect((await examined(file('a.zip', forged), ofForged)).flatMap(faultsOf)).toContain('other-document')
  })

  test('of a signed PDF or XML proves its signatures', async () => {
    const pdf = await signed(pdfContract(), nation.person, { at: signedOn })
    const xml = text(await signedXml('<a>100</a>', nation.person))
    for (const [name, bytes] of [
      ['договор.pdf', pdf.bytes],
      ['договор.xml', xml],
    ] as const) {
      const alone = await examineFiles([file(name, bytes)], { setting: afterwards })
      expect(alone.flatMap(faultsOf)).toEqual(['certificate-expired'])
      const record = file('r.er', newRecord(await recordOf(bytes)))
      const groups = await examineFiles([file(name, bytes), record], { setting: afterwards })
      expect(groups.flatMap(faultsOf)).toEqual([])
    }
  })

  test('of a certificate alone does not make it signed', async () => {
    const certificate = nation.person.certificate.der
    const groups = await inZip({
      'a.cer': certificate,
      'a.er': newRecord(await recordOf(certificate)),
    })
    expect(groups.map(told)).toContainEqual(['document', 'a.cer'])
  })
})

describe('ten thousand changed files: none with other content passes, and none causes an exception', () => {
  const files = { 'договор.pdf': contract, 'договор.pdf.cms': signature }
  const entity = multipart([
    textPart('Здравствуйте'),
    part('договор.pdf', contract),
    part('a.cms', signature),
  ])
  test.each([
    ['zip', zipOf(files), 1],
    ['zip without packing', zipOf(files, 0), 2],
    ['eml', mail(entity), 3],
  ])('%s', { timeout: 300_000 }, async (name, bytes, seed) => {
    const random = randomNumbers(seed)
    let accepted = 0
    for (let i = 0; i < 10_000; i++) {
      const changed = mutated(bytes, random)
      const groups = await examined(file(`a.${name.slice(0, 3)}`, changed))
      expect(groups.length).toBeGreaterThan(0)
      for (const group of groups) {
        if (group.signatures.length === 0 || faultsOf(group).length > 0) continue
        accepted++
        expect(new Uint8Array(await group.documents[0]!.blob.arrayBuffer())).toEqual(contract)
      }
    }
    // The names, the times and the text of the e-mail are not signed, so mutations of them are accepted.
    expect(accepted).toBeGreaterThan(10)
  })
})

/** The bytes with one byte changed, or with some bytes removed, repeated or inserted. */
function mutated(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  const at = random(bytes.length)
  const length = 1 + random(20)
  switch (random(4)) {
    case 0:
      return bytes.with(at, random(256))
    case 1:
      return joined([bytes.subarray(0, at), bytes.subarray(at + length)])
    case 2:
      return joined([bytes.subarray(0, at + length), bytes.subarray(at)])
    default:
      return joined([
        bytes.subarray(0, at),
        Uint8Array.from({ length }, () => random(256)),
        bytes.subarray(at),
      ])
  }
}
