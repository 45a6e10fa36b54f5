/**
 * The certification centre: issues keys and certificates, revokes them, and reports their status. It replaces the
 * national one in the demo and in tests. Every response depends on the register (to which other processes may append)
 * and on the time.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import type { Certificate } from '@kelisim/signature/certificates/certificate.ts'
import type { RevocationReason } from '@kelisim/signature/revocation/reasons.ts'
import { makeCertificate, nationalSerial } from '@kelisim/signature/signer/issue.ts'
import { generateKey, type Bytes } from '@kelisim/signature/signer/keys.ts'
import { writePkcs12 } from '@kelisim/signature/signer/pkcs12.ts'
import { foundFamily, isFounded, openAuthorities, type Family } from './authorities.ts'
import { leafExtensions } from './certificate-profile.ts'
import { families as profiles, type FamilyKind } from './families.ts'
import { deltaList, fullList } from './lists.ts'
import { ocspAnswer } from './ocsp.ts'
import { checkOrder, fileNameOf, OrderError, purposeOf, subjectOf, type Order } from './order.ts'
import { mayChange, openRegister, type Entry, type Revocation } from './register.ts'
import { timestampAnswer } from './timestamps.ts'
import { day } from '@kelisim/domain/durations.ts'

export type Issued = { p12: Bytes; certificate: Certificate; fileName: string; keyId: string }

/** Names a certificate by its serial number, by its key identifier, or by either, in hexadecimal. */
export type Which = { serial: string } | { keyId: string } | { any: string }

/** The simulated fault of a response. */
export type Distortion = 'old' | 'wrong-signer' | null

export type Centre = {
  /** The address of the centre's services. */
  address: string
  roots: readonly Certificate[]
  centres: readonly Certificate[]
  /** The centre's own certificates by file name, without .cer. */
  certificates: ReadonlyMap<string, Certificate>
  issue: (order: Order) => Promise<Issued>
  revoke: (which: Which, reason?: RevocationReason) => Entry
  hold: (which: Which) => Entry
  unhold: (which: Which) => Entry
  list: () => Entry[]
  ocsp: (request: Uint8Array, distortion?: Distortion) => Promise<Bytes>
  /** A full or a delta list by its file name, without .crl; null: there is no list of that name. */
  listNamed: (name: string, distortion?: Distortion) => Promise<Bytes | null>
  crl: (kind: FamilyKind, extent: 'full' | 'delta') => Promise<Bytes>
  timestamp: (request: Uint8Array, distortion?: Distortion) => Promise<Bytes>
}

export type CentreOptions = {
  folder: string
  /** The public address, without a trailing slash. Remembered from the last time if left out. */
  address?: string | undefined
  clock?: () => Date
}

export async function openCentre({
  folder,
  address: given,
  clock = () => new Date(),
}: CentreOptions): Promise<Centre> {
  if (given === undefined && !isFounded(folder)) {
    throw new OrderError(`There is no centre in ${folder} yet: start it once`)
  }
  const authorities = await openAuthorities(folder, given ?? '', clock())
  const address = rememberedAddress(folder, given)
  const register = openRegister(folder)
  const { families, foundedAt } = authorities
  const familyOf = (kind: FamilyKind) => families.find((family) => family.kind === kind)!
  const impostorOf = impostors(address, clock)

  async function signerOf<K extends 'root' | 'centre' | 'responder' | 'clock'>(
    family: Family,
    which: K,
    distortion: Distortion,
  ): Promise<Family[K]> {
    return (distortion === 'wrong-signer' ? await impostorOf(family.kind) : family)[which]
  }
  const timeFor = (distortion: Distortion) =>
    distortion === 'old' ? new Date(Number(clock()) - month) : clock()

  async function issue(order: Order): Promise<Issued> {
    checkOrder(order)
    const { centre } = familyOf(order.kind)
    const keys = await generateKey(order.kind)
    const keyId = toHex(keys.keyId)
    const { notBefore = clock() } = order
    const certificate = await makeCertificate({
      subject: subjectOf(order),
      keys,
      issuer: { subject: centre.certificate.subject, keys: centre.key },
      serial: nationalSerial(keys),
      notBefore,
      notAfter: order.notAfter ?? new Date(Number(notBefore) + year),
      extensions: leafExtensions({
        kind: order.kind,
        keys,
        issuerKeyId: centre.key.keyId,
        address,
        ...purposeOf(order),
        email: order.person.email,
      }),
      isBare: true,
    })
    const p12 = writePkcs12(
      { key: keys, certificates: [certificate.der], friendlyName: keyId },
      order.password,
    )
    register.add({ type: 'issued', at: clock(), certificate })
    return { p12, certificate, fileName: fileNameOf(order, keyId), keyId }
  }

  function change(which: Which, reason: RevocationReason | null): Entry {
    const entry = entryOf(register.read().entries, which)
    // CRLs and responses state the time in whole seconds, and a check a moment later must find it revoked
    const at = new Date(Math.floor(Number(clock()) / 1000) * 1000)
    const revocation: Revocation | null = reason && { at, reason }
    if (!mayChange(entry.revocation, revocation)) throw new OrderError(whyNot(entry))
    const { serial } = entry
    register.add(reason ? { type: 'revoked', at, serial, reason } : { type: 'released', at, serial })
    return register.read().entries.get(serial)!
  }

  async function listOf(family: Family, extent: 'root' | 'full' | 'delta', distortion: Distortion) {
    const whose = extent === 'root' ? 'root' : 'centre'
    const matter = {
      issuer: family[whose],
      register: register.read(),
      foundedAt,
      now: clock(),
      signer: await signerOf(family, whose, distortion),
      age: distortion === 'old' ? month : 0,
    }
    return extent === 'delta' ? deltaList(matter) : fullList(matter)
  }

  return {
    address,
    roots: families.map(({ root }) => root.certificate),
    centres: families.map(({ centre }) => centre.certificate),
    certificates: new Map(
      families.flatMap(({ kind, root, centre }) => [
        [profiles[kind].root.file, root.certificate],
        [profiles[kind].centre.file, centre.certificate],
      ]),
    ),
    issue,
    revoke: (which, reason = 'unspecified') => change(which, reason),
    hold: (which) => change(which, 'certificateHold'),
    unhold: (which) => change(which, null),
    list: () => [...register.read().entries.values()],
    ocsp: (request, distortion = null) =>
      ocspAnswer(request, {
        families,
        register: register.read(),
        now: timeFor(distortion),
        signerOf: (family) => signerOf(family, 'responder', distortion),
      }),
    async listNamed(name, distortion = null) {
      for (const family of families) {
        const { root, centre } = profiles[family.kind]
        if (name === root.list) return listOf(family, 'root', distortion)
        if (name === centre.list) return listOf(family, 'full', distortion)
        if (name === centre.delta) return listOf(family, 'delta', distortion)
      }
      return null
    },
    crl: (kind, extent) => listOf(familyOf(kind), extent, null),
    timestamp: (request, distortion = null) =>
      timestampAnswer(request, {
        families,
        now: timeFor(distortion),
        signerOf: (family) => signerOf(family, 'clock', distortion),
      }),
  }
}

const month = 30 * day
const year = 365 * day

/** Families with the same names and untrusted keys, created on demand. */
function impostors(address: string, clock: () => Date): (kind: FamilyKind) => Promise<Family> {
  const made = new Map<FamilyKind, Promise<Family>>()
  return (kind) => {
    const family = made.get(kind) ?? foundFamily(kind, address, clock())
    made.set(kind, family)
    return family
  }
}

/** Commands that run beside the centre issue certificates with its address. */
function rememberedAddress(folder: string, given: string | undefined): string {
  const path = join(folder, 'address')
  if (given === undefined) return readFileSync(path, 'utf8').trim()
  const whole = `${path}.${process.pid}`
  writeFileSync(whole, `${given}\n`, { flush: true })
  renameSync(whole, path)
  return given
}

function entryOf(entries: ReadonlyMap<string, Entry>, which: Which): Entry {
  const serial = 'serial' in which ? which.serial : 'any' in which ? which.any : null
  const wantedKey = 'keyId' in which ? which.keyId : 'any' in which ? which.any : null
  const entry =
    entries.get(serial?.toLowerCase() ?? '') ??
    [...entries.values()].find(({ keyId }) => keyId === wantedKey?.toLowerCase())
  if (!entry) throw new OrderError('No such certificate was issued here')
  return entry
}

function whyNot({ revocation }: Entry): string {
  if (!revocation) return 'The certificate is not on hold'
  return revocation.reason === 'certificateHold'
    ? 'The certificate is on hold already'
    : 'The certificate is revoked already, and stays so'
}
