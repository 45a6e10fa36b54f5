/** What an address written in a certificate or in the configuration means, before any name is looked up. */
import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export type Target = {
  url: URL
  /** host:port, by which limits and the configuration know a service. */
  service: string
  /** The operator has listed it: it may be in our own network. */
  mayBePrivate: boolean
}

/** As the configuration says, each as host:port. */
export type KnownServices = {
  /** Services with an address of their own in the configuration: asked on any port. */
  configured: ReadonlySet<string>
  /** Services that may be in our own network, on any port. */
  private: ReadonlySet<string>
}

/** undefined: not an address we talk to. */
export function targetOf(address: string, known: KnownServices): Target | undefined {
  const url = URL.parse(address)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
  if (url.username !== '' || url.password !== '') return undefined
  const service = serviceOf(url)
  const mayBePrivate = known.private.has(service)
  const isOrdinaryPort = ['80', '443'].includes(portOf(url))
  if (!isOrdinaryPort && !mayBePrivate && !known.configured.has(service)) return undefined
  // A name is looked up first; its addresses are judged then.
  const literal = literalOf(url)
  if (literal !== undefined && !mayBePrivate && !isPublicAddress(literal)) return undefined
  return { url, service, mayBePrivate }
}

/** 10.0.0.5:8080, [::1]:80, ocsp.pki.gov.kz:80: URL parsing has already undone odd spellings of numbers. */
export function serviceOf(url: URL): string {
  return `${url.hostname}:${portOf(url)}`
}

/** The network address when the host is one and not a name. */
export function literalOf(url: URL): string | undefined {
  const bare = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? undefined : bare
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80')
}
