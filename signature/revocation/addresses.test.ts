import { expect, test } from 'vitest'
import { authorityInfoAccess, crlDistributionPoints } from '../signer/extensions.ts'
import { foundNation } from '../testing/nation.ts'
import { addressesOf } from './addresses.ts'

const nation = await foundNation('gost-kz-2004')

async function addressesIn(extensions: Uint8Array[]) {
  return addressesOf((await nation.issue('ТЕСТОВ ТЕСТ', { extensions })).certificate)
}

test('each address of a service that a certificate names is read', async () => {
  const extensions = [
    authorityInfoAccess({ ocsp: 'http://ocsp.pki.gov.kz' }),
    crlDistributionPoints(['http://crl.pki.gov.kz/a.crl', 'http://crl1.pki.gov.kz/a.crl']),
  ]
  expect(await addressesIn(extensions)).toEqual({
    ocsp: ['http://ocsp.pki.gov.kz'],
    crl: ['http://crl.pki.gov.kz/a.crl', 'http://crl1.pki.gov.kz/a.crl'],
  })
})

test('two addresses of lists in one text, as in certificates of the centres of 2018, are separated', async () => {
  const asOne = 'http://crl.root.gov.kz/gost.crl\n               URL=http://crl1.root.gov.kz/gost.crl'
  expect((await addressesIn([crlDistributionPoints([asOne])])).crl).toEqual([
    'http://crl.root.gov.kz/gost.crl',
    'http://crl1.root.gov.kz/gost.crl',
  ])
})
