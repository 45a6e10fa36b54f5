/** Parses an address from a certificate or the configuration, before any name is resolved. */
import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export type Target = {
  url: URL
  /** host:port, by which limits and the configuration identify a service. */
  service: string
  /** The operator has listed it, so it may be in the server's own network. */
  mayBePrivate: boolean
}

/** From the configuration, each as host:port. */
export type KnownServices = {
  /** Services whose address is in the configuration: called on any port. */
  configured: ReadonlySet<string>
  /** Services that may be in the server's own network, on any port. */
  private: ReadonlySet<string>
}

/** undefined: the address must not be called. */
export function targetOf(address: string, known: KnownServices): Target | undefined {
  const url = URL.parse(address)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
  if (url.username !== '' || url.password !== '') return undefined
  const service = serviceOf(url)
  const mayBePrivate = known.private.has(service)
  const isOrdinaryPort = ['80', '443'].includes(portOf(url))
  if (!isOrdinaryPort && !mayBePrivate && !known.configured.has(service)) return undefined
  // A name is resolved first; its addresses are checked then.
  const literal = literalOf(url)
  if (literal !== undefined && !mayBePrivate && !isPublicAddress(literal)) return undefined
  return { url, service, mayBePrivate }
}

/**
 * For example 10.0.0.5:8080, [::1]:80, ocsp.pki.gov.kz:80; URL parsing has already normalised odd spellings of
 * numbers.
 */
export function serviceOf(url: URL): string {
  return `${url.hostname}:${portOf(url)}`
}

/** The IP address when the host is one and not a name. */
export function literalOf(url: URL): string | undefined {
  const bare = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? undefined : bare
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80')
}
