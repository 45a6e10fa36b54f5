import { lookup, Resolver } from 'node:dns/promises'
import type { Target } from './target.ts'

export type ResolveName = (target: Target) => Promise<readonly string[]>

/**
 * The addresses behind a name, IPv4 first. A service the operator listed is looked up as the machine does it, hosts
 * file and all. Any other name came from a certificate: it is asked of the DNS alone, which knows none of the
 * machine's own names and, unlike the machine's way, holds no thread while a dead DNS server keeps silent.
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
