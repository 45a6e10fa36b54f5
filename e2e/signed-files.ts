/** Documents with signatures of the demo's centre, valid and invalid, as people bring them to the check page. */
import { join } from 'node:path'
import { keyPassword } from '@kelisim/demo/keys.ts'
import { makePdf } from '@kelisim/demo/sample-files.ts'
import { openPkcs12 } from '@kelisim/signature/signer/pkcs12.ts'
import { signAttached, signDetached, type CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { zipOf } from '@kelisim/signature/testing/archives.ts'
import { mail, mailPart, multipart, textPart } from '@kelisim/signature/testing/mails.ts'
import { contract, pageText, signed, withObjects } from '@kelisim/signature/testing/pdf-files.ts'
import { signedXml } from '@kelisim/signature/testing/xml-files.ts'
import { foundNation } from '@kelisim/signature/testing/nation.ts'
import { openCentre } from '@kelisim/stand-ins/certification-centre/centre.ts'
import { day } from '@kelisim/domain/durations.ts'

import { scannedCodes } from './paper-card.ts'

export type BroughtFile = { name: string; mimeType: string; buffer: Buffer }

const person = { surname: 'Ізбасарова', firstName: 'Ұлжан', patronymic: 'Қайратқызы', iin: '880412400126' }
const organization = { name: 'ТОО «Алтын Дала»', bin: '180340021791', role: 'head' as const }

export async function signedFiles(dataDir: string) {
  const centre = await openCentre({ folder: join(dataDir, 'certification-centre') })
  const now = new Date()
  async function key(dates: { notBefore?: Date; notAfter?: Date } = {}) {
    const order = { kind: 'gost-kz-512', person, organization, password: keyPassword, ...dates } as const
    const { p12, certificate, keyId } = await centre.issue(order)
    const opened = await openPkcs12(p12, keyPassword)
    if (opened.outcome !== 'opened') throw new Error('A key that does not open')
    return { signer: { key: opened.contents.entries[0]!.key, certificate }, keyId }
  }
  const good = await key()
  const expired = await key({
    notBefore: new Date(now.getTime() - 400 * day),
    notAfter: new Date(now.getTime() - 30 * day),
  })
  const revoked = await key()
  centre.revoke({ keyId: revoked.keyId })
  const abroad = await foundNation('gost-kz-512', 'Abroad')
  const foreign = await abroad.issue('FOREIGN PERSON', {
    notBefore: new Date(now.getTime() - day),
    notAfter: new Date(now.getTime() + day),
  })

  const document = Buffer.from(makePdf(['Договор поставки № 7', 'Сумма: 1 250 000 тенге']))
  const changed = Buffer.from(document)
  changed[changed.length - 10]! ^= 1
  const under = async ({ key: of, certificate }: CmsSigner) =>
    file('Договор № 7.pdf.cms', await signDetached(document, { key: of, certificate }, { signingTime: now }))
  const first = await signed(contract(), good.signer, { at: now })
  const invoice = '<invoice><sum>100</sum></invoice>'
  const director = await key()
  const cms = await signDetached(document, good.signer, { signingTime: now })
  const parts = [
    { name: 'Договор № 7.pdf', bytes: document, naming: '2231' },
    { name: 'Договор № 7.sig', bytes: cms, naming: '2231' },
  ] as const
  const both = await signed(first, director.signer, { at: now, field: 'Signature2' })
  return {
    set: file('Документы.zip', zipOf({ 'Договор № 7.pdf': document, 'Ізбасарова/sign_1.cms': cms })),
    setWithMore: file(
      'Документы.zip',
      zipOf({ 'a/договор.pdf': document, 'b.cms': cms, 'счёт.docx': changed }),
    ),
    scan: file('Скан.png', scannedCodes(cms)),
    letter: file('Письмо.eml', mail(multipart([textPart('Добрый день!'), ...parts.map(mailPart)]))),
    signedXml: file('Счёт.xml', new TextEncoder().encode(await signedXml(invoice, good.signer))),
    signedPdf: file('Договор № 8.pdf', both.bytes),
    firstVersion: first.bytes,
    changedPdf: file('Договор № 8.pdf', withObjects(both, { 4: pageText('900 tonnes') }).bytes),
    document: file('Договор № 7.pdf', document),
    changed: file('Договор № 7.pdf', changed),
    good: await under(good.signer),
    expired: await under(expired.signer),
    revoked: await under(revoked.signer),
    foreign: await under(foreign),
    electronic: file('Договор № 7.pdf.cms', await signAttached(document, good.signer, { signingTime: now })),
  }
}

function file(name: string, bytes: Uint8Array): BroughtFile {
  return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) }
}
