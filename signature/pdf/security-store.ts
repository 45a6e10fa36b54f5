/** The certificates and revocation data that a PDF carries for its signatures (ETSI EN 319 142-1, 5.4.2). */
import { MalformedError } from '../asn1/read.ts'
import { readCertificate, type Certificate } from '../certificates/certificate.ts'
import type { Evidence } from '../examination/policy.ts'
import { readCrl } from '../revocation/crl.ts'
import { readOcspResponse } from '../revocation/ocsp.ts'
import type { View } from './document.ts'
import { unpacked } from './filters.ts'
import { PdfError, isArray, isDict, isStream } from './values.ts'

export type SecurityStore = { certificates: Certificate[] } & Pick<Evidence, 'crls' | 'ocsp'>

/** The maximum of each kind, because each of them costs the check of a signature. */
const most = 200

/** Entries that cannot be read prove nothing and are left out. */
export async function securityStoreOf({ catalog, resolve }: View): Promise<SecurityStore> {
  const store = resolve(catalog.entries.get('DSS'))
  const read = async <T>(key: string, readOne: (der: Uint8Array) => T[]): Promise<T[]> => {
    const list = isDict(store) ? resolve(store.entries.get(key)) : null
    const all: T[] = []
    for (const one of isArray(list) ? list.slice(0, most) : []) {
      const stream = resolve(one)
      if (!isStream(stream)) continue
      try {
        all.push(...readOne(await unpacked(stream)))
      } catch (error) {
        if (!(error instanceof MalformedError) && !(error instanceof PdfError)) throw error
      }
    }
    return all
  }
  return {
    certificates: await read('Certs', (der) => [readCertificate(der)]),
    crls: await read('CRLs', (der) => [readCrl(der)]),
    ocsp: await read('OCSPs', (der) => [readOcspResponse(der).basic ?? []].flat()),
  }
}
