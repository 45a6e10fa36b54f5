import { expect, test } from 'vitest'
import { constructed, elements, primitive, read, tags } from '../asn1/read.ts'
import { element, explicit, integer, oid, sequence, setOf } from '../asn1/write.ts'
import { signDetached } from '../signer/sign-cms.ts'
import { daysLater, foundNation, signedOn } from '../testing/nation.ts'
import { onePerKey } from './build.ts'
import { cmsOids, readSignedData } from './signed-data.ts'

test('of several signatures with one key the first is kept, however each names its certificate', async () => {
  const nation = await foundNation('gost-kz-512')
  const { person } = nation
  const document = new TextEncoder().encode('Шарт')
  const first = await signDetached(document, person, { signingTime: signedOn })
  const again = await signDetached(document, person, { signingTime: daysLater(1) })
  const [signer] = readSignedData(again).signers
  const fields = elements(read(signer!.whole, tags.sequence)).map(({ whole }) => whole)
  const byKey = sequence(
    integer(3),
    element(primitive(0), person.certificate.subjectKeyId!),
    ...fields.slice(2),
  )
  const data = sequence(
    integer(3),
    setOf([person.key.digestAlgorithm]),
    sequence(oid(cmsOids.data)),
    setOf([person.certificate.der], constructed(0)),
    setOf([byKey]),
  )
  const renamed = sequence(oid(cmsOids.signedData), explicit(0, data))
  const other = await signDetached(document, await nation.issue('ДРУГОЙ'), { signingTime: signedOn })
  expect(onePerKey([first, renamed, other, again])).toEqual([first, other])
})
