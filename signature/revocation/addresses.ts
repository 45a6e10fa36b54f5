/**
 * The service addresses named in a certificate. Anybody can write anything there: only those of a trusted chain may be
 * called.
 */
import { MalformedError } from '../asn1/read.ts'
import { readDistributionPoints } from './distribution-points.ts'
import { extensionOids, type Certificate } from '../certificates/certificate.ts'
import { readAccess } from '../certificates/general-names.ts'

export type ServiceAddresses = { ocsp: string[]; crl: string[] }

const ocspAccess = '1.3.6.1.5.5.7.48.1'

export function addressesOf(certificate: Certificate): ServiceAddresses {
  return { ocsp: readable(() => ocspAddresses(certificate)), crl: readable(() => crlAddresses(certificate)) }
}

function ocspAddresses({ extensions }: Certificate): string[] {
  const value = extensions.get(extensionOids.authorityInfoAccess)?.value
  if (!value) return []
  return readAccess(value).flatMap(({ method, location }) =>
    method === ocspAccess && location.form === 'uri' ? [location.text] : [],
  )
}

/** The addresses of CRLs and of delta CRLs. */
function crlAddresses({ extensions }: Certificate): string[] {
  const values = [extensionOids.crlDistributionPoints, extensionOids.freshestCrl].flatMap(
    (oid) => extensions.get(oid)?.value ?? [],
  )
  return values
    .flatMap(readDistributionPoints)
    .flatMap(({ name }) => (name && 'full' in name ? name.full : []))
    .flatMap((name) => (name.form === 'uri' ? split(name.text) : []))
}

/** The centres of 2018 put two addresses into one field, separated by a line break and "URL=". */
function split(text: string): string[] {
  return text.split(/\s+(?:URL=)?/).filter((address) => address !== '')
}

function readable(readAll: () => string[]): string[] {
  try {
    return readAll()
  } catch (error) {
    if (error instanceof MalformedError) return []
    throw error
  }
}
