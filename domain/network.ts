/** The network of an address: a household or office has a whole IPv6 /64, which counts as one. IPv4 is unchanged. */
export function networkOf(address: string): string {
  return beginningOf(address, 4)
}

/** The IPv6 /48 that a provider may give to one customer, with 65536 household networks; IPv4 is unchanged. */
export function siteOf(address: string): string {
  return beginningOf(address, 3)
}

function beginningOf(address: string, groups: number): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.toLowerCase().split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array<string>(zeros).fill('0'), ...right]
    .slice(0, groups)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
