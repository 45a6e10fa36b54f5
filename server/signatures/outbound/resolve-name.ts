import { lookup, Resolver } from 'node:dns/promises'
import type { Target } from './target.ts'

export type ResolveName = (target: Target) => Promise<readonly string[]>

/**
 * The addresses of a name, IPv4 first. A service listed by the operator is resolved by the operating system, hosts file
 * included. Any other name comes from a certificate and is resolved by DNS only, which knows none of the machine's own
 * names and blocks no thread while a DNS server does not respond.
 */
export async function resolveName({ url, mayBePrivate }: Target): Promise<readonly string[]> {
  if (mayBePrivate) {
    const found = await lookup(url.hostname, { all: true, order: 'ipv4first' })
    return found.map(({ address }) => address)
  }
  const resolver = new Resolver({ timeout: 700, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(url.hostname), resolver.resolve6(url.hostname)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const refused = answers.find((answer) => answer.status === 'rejected')
  if (addresses.length === 0 && refused) throw refused.reason
  return addresses
}
