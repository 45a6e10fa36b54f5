/**
 * The keys of the centre itself, generated at the first start.
 *
 *   FOLDER/authorities.json   keys and certificates, readable by the owner only
 *   FOLDER/register.jsonl     see register.ts
 *   FOLDER/roots, centres     certificates to trust the centre by
 *
 * Everything is written to a temporary folder and then renamed, so that an incomplete centre is never used, and of two
 * processes that start together one creates the centre and the other opens it.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readCertificate, type Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { makeName } from '@kelisim/signature/signer/extensions.ts'
import { makeCertificate, nationalSerial, type Party } from '@kelisim/signature/signer/issue.ts'
import { generateKey, type Bytes, type SigningKey } from '@kelisim/signature/signer/keys.ts'
import { readPrivateKey } from '@kelisim/signature/signer/pkcs8.ts'
import type { CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { centreExtensions, leafExtensions, rootExtensions } from './certificate-profile.ts'
import { centreName, demoPrefix, families, familyKinds, type FamilyKind } from './families.ts'
import { registerFile, writtenEvent } from './register.ts'
import { day } from '@kelisim/domain/durations.ts'

/** A key of the centre with its certificate. */
export type Authority = CmsSigner

export type Family = {
  kind: FamilyKind
  root: Authority
  centre: Authority
  responder: Authority
  /** Signs timestamps. */
  clock: Authority | null
}

export type Authorities = { foundedAt: Date; families: Family[] }

const authoritiesFile = 'authorities.json'

/** Opens the centre in the folder, or creates it there. The address is where its services will be. */
export async function openAuthorities(folder: string, address: string, now: Date): Promise<Authorities> {
  if (!isFounded(folder)) await foundIn(folder, address, now)
  return readAuthorities(folder)
}

export function isFounded(folder: string): boolean {
  return existsSync(join(folder, authoritiesFile))
}

async function foundIn(folder: string, address: string, now: Date): Promise<void> {
  const authorities = await createAuthorities(address, now)
  mkdirSync(dirname(folder), { recursive: true })
  const making = mkdtempSync(`${folder}.making-`)
  try {
    writeAll(making, authorities)
    renameSync(making, folder)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    // another process was faster: its centre is used
    if (!isFounded(folder)) throw error
  }
}

async function createAuthorities(address: string, now: Date): Promise<Authorities> {
  return {
    foundedAt: new Date(Math.floor(Number(now) / 1000) * 1000),
    families: await Promise.all(familyKinds.map((kind) => foundFamily(kind, address, now))),
  }
}

/**
 * Creates a family with new keys. RSA keys have 2048 bits, because the 4096 bits of the national centres take seconds
 * to generate.
 */
export async function foundFamily(kind: FamilyKind, address: string, now: Date): Promise<Family> {
  const { root, centre, timestampPolicy } = families[kind]
  const [rootParty, centreParty, responderKeys, clockKeys] = await Promise.all([
    party(kind, root.commonName),
    party(kind, centre.commonName),
    generateKey(kind),
    timestampPolicy === null ? null : generateKey(kind),
  ])
  const rootCertificate = await makeCertificate({
    ...rootParty,
    ...root,
    serial: nationalSerial(rootParty.keys),
    extensions: rootExtensions(rootParty.keys, rootParty.subject),
    isBare: true,
  })
  const centreCertificate = await makeCertificate({
    ...centreParty,
    ...centre,
    issuer: rootParty,
    serial: nationalSerial(centreParty.keys),
    extensions: centreExtensions(kind, centreParty.keys, rootCertificate, address),
    isBare: true,
  })
  const serviceOf = (commonName: string, keys: SigningKey, use: string, policy: string) =>
    makeService({ commonName, keys, use, policy, kind, issuer: centreParty, address, now })
  return {
    kind,
    root: { key: rootParty.keys, certificate: rootCertificate },
    centre: { key: centreParty.keys, certificate: centreCertificate },
    responder: await serviceOf(`${demoPrefix} OCSP RESPONDER`, responderKeys, ocspSigning, '1.2.398.3.3.2'),
    clock:
      clockKeys &&
      (await serviceOf(`${demoPrefix} TIME-STAMPING AUTHORITY`, clockKeys, timeStamping, '1.2.398.3.3.2.6')),
  }
}

async function party(kind: FamilyKind, commonName: string): Promise<Party> {
  return { subject: makeName({ commonName, country: 'KZ' }), keys: await generateKey(kind) }
}

const ocspSigning = '1.3.6.1.5.5.7.3.9'
const timeStamping = '1.3.6.1.5.5.7.3.8'
const year = 365 * day

type ServiceParts = {
  commonName: string
  keys: SigningKey
  use: string
  policy: string
  kind: FamilyKind
  issuer: Party
  address: string
  now: Date
}

/** Valid from a year ago, so that simulated old responses are otherwise sound. */
async function makeService(parts: ServiceParts): Promise<Authority> {
  const { commonName, keys, use, issuer, now } = parts
  const certificate = await makeCertificate({
    subject: makeName({ commonName, country: 'KZ', organization: centreName }),
    keys,
    issuer,
    serial: nationalSerial(keys),
    notBefore: new Date(Number(now) - year),
    notAfter: new Date(Number(now) + 10 * year),
    extensions: leafExtensions({
      ...parts,
      issuerKeyId: issuer.keys.keyId,
      uses: ['digitalSignature'],
      extendedUses: [use],
      isExtendedUseCritical: use === timeStamping,
      isOcspResponder: use === ocspSigning,
    }),
    isBare: true,
  })
  return { key: keys, certificate }
}

type WrittenAuthority = { key: string; certificate: string }
type Written = {
  foundedAt: string
  families: {
    kind: FamilyKind
    root: WrittenAuthority
    centre: WrittenAuthority
    responder: WrittenAuthority
    clock: WrittenAuthority | null
  }[]
}

function writeAll(folder: string, authorities: Authorities): void {
  const { foundedAt } = authorities
  const write = (path: string, contents: string | Uint8Array, mode: number) =>
    writeFileSync(join(folder, path), contents, { mode, flush: true })
  for (const name of ['roots', 'centres']) mkdirSync(join(folder, name))
  const services: Certificate[] = []
  for (const { kind, root, centre, responder, clock } of authorities.families) {
    write(`roots/${families[kind].root.file}.cer`, root.certificate.der, 0o644)
    write(`centres/${families[kind].centre.file}.cer`, centre.certificate.der, 0o644)
    services.push(responder.certificate, ...(clock ? [clock.certificate] : []))
  }
  const issued = services.map((certificate) => writtenEvent({ type: 'issued', at: foundedAt, certificate }))
  write(registerFile, issued.join(''), 0o600)
  const written: Written = {
    foundedAt: foundedAt.toISOString(),
    families: authorities.families.map(({ kind, root, centre, responder, clock }) => ({
      kind,
      root: writtenAuthority(root),
      centre: writtenAuthority(centre),
      responder: writtenAuthority(responder),
      clock: clock && writtenAuthority(clock),
    })),
  }
  write(authoritiesFile, JSON.stringify(written, null, 2), 0o600)
}

const writtenAuthority = ({ key, certificate }: Authority): WrittenAuthority => ({
  key: Buffer.from(key.pkcs8).toString('base64'),
  certificate: Buffer.from(certificate.der).toString('base64'),
})

async function readAuthorities(folder: string): Promise<Authorities> {
  const path = join(folder, authoritiesFile)
  const written = JSON.parse(readFileSync(path, 'utf8')) as Written
  const families = await Promise.all(
    written.families.map(async ({ kind, root, centre, responder, clock }) => ({
      kind,
      root: await readAuthority(root),
      centre: await readAuthority(centre),
      responder: await readAuthority(responder),
      clock: clock && (await readAuthority(clock)),
    })),
  )
  return { foundedAt: new Date(written.foundedAt), families }
}

async function readAuthority({ key, certificate }: WrittenAuthority): Promise<Authority> {
  const read = await readPrivateKey(fromBase64(key))
  if (!read) throw new Error('A key of the centre is of an unknown kind')
  return { key: read, certificate: readCertificate(fromBase64(certificate)) }
}

export function fromBase64(text: string): Bytes {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
