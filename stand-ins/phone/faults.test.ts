import { beforeAll, expect, test } from 'vitest'
import { extendedKeyUsage, keyUsage } from '@kelisim/signature/signer/extensions.ts'
import { daysLater, type Nation } from '@kelisim/signature/testing/nation.ts'
import { keyOf, oids, signerNation, timestamping, type Owner } from '../desktop-signer/testing.ts'
import { answerCode } from './app/app.ts'
import type { Fault } from './app/faults.ts'
import { appFor, fileOf, findingsOn, names, serving, text, type Service } from './testing.ts'

let nation: Nation
let person: Owner
beforeAll(async () => {
  ;({ nation, person } = await signerNation('gost-kz-512', 'Faulty phone'))
})

const two = {
  signMethod: 'CMS_SIGN_ONLY',
  version: 1,
  documentsToSign: [
    { id: 1, ...names, ...fileOf() },
    { id: 2, ...names, ...fileOf() },
  ],
}

/** An app with these faults, and what it sent. */
async function erring(
  faults: Fault[],
  { documents = two, key = person }: { documents?: object; key?: Owner } = {},
): Promise<Service> {
  return timestamping(nation, ({ url: tspUrl }) =>
    serving(async (service) => {
      service.documents = documents
      await answerCode(service.code, key, appFor(service, { tspUrl, faults: new Set(faults) }))
      return service
    }),
  )
}

const dataOf = (service: Service, i = 0) => service.sent().documentsToSign[i]!.document!.file.data
const idsIn = (service: Service) => service.sent().documentsToSign.map(({ id }) => id)

test('the response got lost: the same answer is sent once more', async () => {
  const { received } = await erring(['lost-answer'])
  const puts = received.filter(({ method }) => method === 'PUT')
  expect(puts).toHaveLength(2)
  expect(puts[0]).toEqual(puts[1])
})

test('another document is signed than was given', async () => {
  expect(await findingsOn(dataOf(await erring(['tampered'])), nation, text)).toContain('other-document')
  const xml = await erring(['tampered'], {
    documents: { ...two, signMethod: 'XML', documentsToSign: [{ id: 1, ...names, documentXml: '<a/>' }] },
  })
  expect(xml.sent().documentsToSign[0]!.documentXml).toMatch(/<a><changed\/><ds:Signature /)
})

test('a key that has expired or is for signing in', async () => {
  const expired = await keyOf(nation, 'ТЕСТОВ ТЕСТ', { notAfter: daysLater(-1) })
  const late = await erring(['unfit-key'], { key: expired })
  expect(await findingsOn(dataOf(late), nation, text)).toContain('certificate-expired')
  const login = await keyOf(nation, 'ТЕСТОВ ТЕСТ', {
    extensions: [keyUsage('keyEncipherment'), extendedKeyUsage([oids.clientAuth])],
  })
  const unfit = await erring(['unfit-key'], { key: login })
  expect(await findingsOn(dataOf(unfit), nation, text)).toContain('certificate-not-for-signing')
})

test('a signature without a timestamp', async () => {
  const data = dataOf(await erring(['no-timestamp']))
  expect(await findingsOn(data, nation, text)).toEqual(['timestamp-missing'])
  expect(await findingsOn(data, nation, text, 'optional')).toEqual([])
})

test('more fields than were sent, another order, one document less', async () => {
  const more = await erring(['extra-fields'])
  expect(more.sent()).toHaveProperty('appVersion')
  expect(more.sent().documentsToSign[0]).toHaveProperty('appVersion')
  expect(idsIn(await erring(['reordered']))).toEqual([2, 1])
  expect(idsIn(await erring(['missing-document']))).toEqual([1])
  expect(idsIn(await erring([]))).toEqual([1, 2])
})

test('the old MIME type of a PDF', async () => {
  const { mime } = (await erring(['old-mime'])).sent().documentsToSign[0]!.document!.file
  expect(mime).toBe('@file/pdf')
})

test('line breaks in base64; the signature is still valid', async () => {
  const data = dataOf(await erring(['broken-lines']))
  expect(data).toMatch(/^([A-Za-z0-9+/=]{1,76}\r\n)+$/)
  expect(await findingsOn(data.replaceAll(/\s/g, ''), nation, text)).toEqual([])
})
