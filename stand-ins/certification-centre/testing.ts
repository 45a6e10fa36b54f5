/** A centre for a test, in a temporary folder, and helpers that call it over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, vi } from 'vitest'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import type { Finding } from '@kelisim/signature/findings/findings.ts'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import {
  defaultPolicy,
  type Evidence,
  type EvidenceSource,
  type Policy,
} from '@kelisim/signature/examination/policy.ts'
import { addressesOf } from '@kelisim/signature/revocation/addresses.ts'
import { readCrl } from '@kelisim/signature/revocation/crl.ts'
import { ocspRequest, readOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import { openPkcs12 } from '@kelisim/signature/signer/pkcs12.ts'
import { signAttached, type CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import type { Centre, Issued } from './centre.ts'
import type { Order } from './order.ts'

/** For files whose tests make RSA keys or start processes: on a busy machine either takes seconds. */
export function allowTime(): void {
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
  afterAll(() => vi.resetConfig())
}

export const password = 'Qwerty12'
export const document = new TextEncoder().encode('Келісімшарт № 1')

export function temporaryFolder(): { folder: string; remove: () => void } {
  const parent = mkdtempSync(join(tmpdir(), 'centre-'))
  return {
    folder: join(parent, 'certification-centre'),
    remove: () => rmSync(parent, { recursive: true, force: true }),
  }
}

export function anOrder(parts: Partial<Order> = {}): Order {
  return {
    kind: 'gost-kz-512',
    person: { surname: 'Тестов', firstName: 'Тест', patronymic: 'Тестович', iin: '123456789011' },
    password,
    ...parts,
  }
}

export const anOrganization = { name: 'АО "ТЕСТ"', bin: '123456789021', role: 'head' } as const

/** The signer, as a person's program has it after opening the file. */
export async function signerFrom({ p12 }: Pick<Issued, 'p12'>): Promise<CmsSigner> {
  const opened = await openPkcs12(p12, password)
  const entry = opened.outcome === 'opened' ? opened.contents.entries[0] : undefined
  if (!entry?.certificate) throw new Error('The file of keys does not open')
  return { key: entry.key, certificate: entry.certificate }
}

/** All faults of a new signature by this key, checked with the responses of the services. */
export async function foundIn(
  centre: Pick<Centre, 'roots' | 'centres'>,
  signer: CmsSigner,
  {
    cms,
    evidence = evidenceOverHttp(),
    ...policy
  }: Partial<Policy> & { cms?: Uint8Array; evidence?: EvidenceSource } = {},
): Promise<Finding[]> {
  const signature = cms ?? (await signAttached(document, signer, { signingTime: new Date() }))
  const { findings, signers } = await examineSignature(signature, null, {
    trust: { roots: centre.roots, others: centre.centres },
    evidence,
    policy: { ...defaultPolicy, ...policy },
    at: new Date(),
  })
  return [...new Set([...findings, ...signers.flatMap((one) => one.findings)])]
}

/** Fetches evidence, from the addresses in the certificates only. */
export function evidenceOverHttp(kinds: readonly ('ocsp' | 'crl')[] = ['ocsp', 'crl']): EvidenceSource {
  return async (certificate, issuer) => {
    const addresses = addressesOf(certificate)
    const unreachable: ('ocsp' | 'crl')[] = []
    const get = async <T>(kind: 'ocsp' | 'crl', ask: () => Promise<T | null>): Promise<T[]> => {
      if (!kinds.includes(kind)) return []
      try {
        const answer = await ask()
        if (answer !== null) return [answer]
      } catch (error) {
        // fetch throws a TypeError where the service cannot be reached
        if (!(error instanceof TypeError || error instanceof MalformedError)) throw error
      }
      unreachable.push(kind)
      return []
    }
    const evidence: Evidence = {
      ocsp: (
        await Promise.all(
          addresses.ocsp.map((url) =>
            get('ocsp', async () => {
              const body = ocspRequest({
                certificate,
                issuer,
                nonce: crypto.getRandomValues(new Uint8Array(16)),
              })
              return readOcspResponse(await post(url, 'application/ocsp-request', body)).basic
            }),
          ),
        )
      ).flat(),
      crls: (
        await Promise.all(addresses.crl.map((url) => get('crl', async () => readCrl(await bytesAt(url)))))
      ).flat(),
      unreachable,
    }
    return evidence
  }
}

export async function post(url: string, type: string, body: Uint8Array): Promise<Uint8Array> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': type },
    body: new Uint8Array(body),
  })
  return new Uint8Array(await response.arrayBuffer())
}

export async function bytesAt(url: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetch(url)).arrayBuffer())
}
