/** What the centre stores survives a restart, and is shared by all of its processes. */
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import { ocspRequest, readOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import { openCentre, type Centre, type Issued } from './centre.ts'
import { allowTime, anOrder, foundIn, evidenceOverHttp, signerFrom, temporaryFolder } from './testing.ts'

allowTime()

const address = 'http://centre.example'
const { folder, remove } = temporaryFolder()
let centre: Centre

beforeAll(async () => {
  centre = await openCentre({ folder, address })
})
afterAll(remove)

async function statusIn(where: Centre, { certificate }: Issued): Promise<string | undefined> {
  const answer = await where.ocsp(ocspRequest({ certificate, issuer: where.centres[0]! }))
  return readOcspResponse(answer).basic?.singles[0]?.status
}

const serialOf = ({ certificate }: Issued) => ({ serial: toHex(certificate.serial) })

test('after a restart the centre is the same', async () => {
  const [kept, revoked] = [await centre.issue(anOrder()), await centre.issue(anOrder())]
  centre.revoke(serialOf(revoked), 'affiliationChanged')
  const again = await openCentre({ folder, address })
  expect(again.roots.map(({ der }) => toHex(der))).toEqual(centre.roots.map(({ der }) => toHex(der)))
  expect(again.centres.map(({ der }) => toHex(der))).toEqual(centre.centres.map(({ der }) => toHex(der)))
  expect([await statusIn(again, kept), await statusIn(again, revoked)]).toEqual(['good', 'revoked'])
  const evidence = evidenceOverHttp([])
  expect(await foundIn(again, await signerFrom(kept), { evidence, revocation: 'none' })).toEqual([])
})

test('changes by one process are known to the other at once, in both directions', async () => {
  const other = await openCentre({ folder })
  expect(other.address).toBe(address)
  const issued = await other.issue(anOrder())
  expect(await statusIn(centre, issued)).toBe('good')
  other.hold(serialOf(issued))
  expect(await statusIn(centre, issued)).toBe('revoked')
  centre.unhold(serialOf(issued))
  expect(await statusIn(other, issued)).toBe('good')
  other.revoke({ keyId: issued.keyId.toUpperCase() })
  expect(() => centre.hold(serialOf(issued))).toThrow('revoked already')
})

test('a command revokes a certificate of a running centre', async () => {
  const issued = await centre.issue(anOrder())
  const main = join(import.meta.dirname, 'main.ts')
  const run = spawnSync(process.execPath, [main, 'revoke', issued.keyId, '--folder', folder], {
    encoding: 'utf8',
  })
  expect([run.status, run.stderr]).toEqual([0, ''])
  expect(await statusIn(centre, issued)).toBe('revoked')
})

test('changes of state that make no sense are refused', async () => {
  const issued = await centre.issue(anOrder())
  expect(() => centre.unhold(serialOf(issued))).toThrow('not on hold')
  centre.hold(serialOf(issued))
  expect(() => centre.hold(serialOf(issued))).toThrow('on hold already')
  centre.revoke(serialOf(issued))
  expect(() => centre.revoke(serialOf(issued))).toThrow('revoked already')
  expect(() => centre.unhold(serialOf(issued))).toThrow('revoked already')
  expect(() => centre.revoke({ serial: '00' })).toThrow('No such certificate')
})

test('a line that was cut off does not damage the lines after it', async () => {
  const issued = await centre.issue(anOrder())
  appendFileSync(join(folder, 'register.jsonl'), '{"type":"revoked","at":"2026-01-')
  expect(await statusIn(centre, issued)).toBe('good')
  centre.revoke(serialOf(issued))
  expect(await statusIn(centre, issued)).toBe('revoked')
  expect(await statusIn(await openCentre({ folder }), issued)).toBe('revoked')
})

test('files with keys are readable by their owner only', () => {
  for (const name of ['authorities.json', 'register.jsonl']) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  }
  expect(readdirSync(join(folder, 'roots')).toSorted()).toEqual([
    'root_gost_2020.cer',
    'root_gost_2022.cer',
    'root_rsa_2020.cer',
  ])
})

test('of two processes that start together one founds the centre, and nothing is left of the other', async () => {
  const { folder: shared, remove: removeShared } = temporaryFolder()
  const script = `
    import { openCentre } from ${JSON.stringify(join(import.meta.dirname, 'centre.ts'))}
    const { roots } = await openCentre({ folder: process.argv[1], address: 'http://centre.example' })
    console.log(roots.map(({ serial }) => Buffer.from(serial).toString('hex')).join())`
  const start = () =>
    new Promise<string>((resolve, reject) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, shared])
      let output = ''
      child.stdout.on('data', (piece: Buffer) => (output += piece.toString()))
      child.on('error', reject).on('close', () => resolve(output))
    })
  const [one, other] = await Promise.all([start(), start()])
  expect(one).toMatch(/^[0-9a-f]{40},/)
  expect(other).toBe(one)
  expect(readdirSync(dirname(shared))).toEqual(['certification-centre'])
  removeShared()
})

test('an incomplete centre is neither used nor overwritten', async () => {
  const { folder: half, remove: removeHalf } = temporaryFolder()
  mkdirSync(half, { recursive: true })
  writeFileSync(join(half, 'register.jsonl'), '')
  await expect(openCentre({ folder: half, address })).rejects.toThrow()
  expect(readdirSync(half)).toEqual(['register.jsonl'])
  removeHalf()
})

test('a command before the first start says what to do', async () => {
  await expect(openCentre({ folder: `${folder}-none` })).rejects.toThrow('There is no centre')
})

test('the register holds no keys', async () => {
  await centre.issue(anOrder())
  expect(readFileSync(join(folder, 'register.jsonl'), 'utf8')).not.toMatch(/"(key|pkcs8|p12|password)"/)
})
