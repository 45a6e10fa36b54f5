import { describe, expect, test } from 'vitest'
import { authority, makeName } from '../signer/extensions.ts'
import { makeCertificate } from '../signer/issue.ts'
import { makeKeys } from '../testing/make-keys.ts'
import { findPath } from './path.ts'

const at = new Date('2026-01-01T00:00:00Z')
const kind = 'gost-kz-2004'

async function party(commonName: string, seed = commonName) {
  return { subject: makeName({ commonName, country: 'KZ' }), keys: await makeKeys(kind, seed) }
}

describe('a chain of three', async () => {
  const [rootParty, centreParty, personParty] = await Promise.all([
    party('Root'),
    party('Centre'),
    party('Person'),
  ])
  const root = await makeCertificate({ ...rootParty, extensions: authority() })
  const centre = await makeCertificate({ ...centreParty, issuer: rootParty, extensions: authority(0) })
  const person = await makeCertificate({ ...personParty, issuer: centreParty })

  test('is found and holds', async () => {
    const result = await findPath(person, { roots: [root], others: [centre], at })
    expect(result.ok).toBe(true)
    expect(result.path).toEqual([person, centre, root])
  })
})
