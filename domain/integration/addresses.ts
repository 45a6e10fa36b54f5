/** Networks from which a token may be used: single addresses or CIDR blocks, IPv4 and IPv6. */

type Network = { bytes: readonly number[]; bits: number }

/** False for text that is neither an address nor a block. A block must not have set bits after its prefix. */
export function isNetwork(text: string): boolean {
  return networkIn(text) !== null
}

/** An empty list allows every address; an unreadable entry of a list allows none. */
export function isAddressAllowed(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true
  const bytes = bytesOf(address)
  return bytes !== null && networks.some((text) => contains(networkIn(text), bytes))
}

function contains(network: Network | null, address: readonly number[]): boolean {
  if (network === null || network.bytes.length !== address.length) return false
  return network.bytes.every((byte, i) => {
    const mask = maskAt(network.bits - i * 8)
    return (byte & mask) === (address[i]! & mask)
  })
}

function networkIn(text: string): Network | null {
  const [address = '', prefix, ...more] = text.split('/')
  const bytes = bytesOf(address)
  if (bytes === null || more.length > 0) return null
  const most = bytes.length * 8
  if (prefix === undefined) return { bytes, bits: most }
  // A block of all addresses (/0) is refused: an empty list means the same.
  if (!/^[1-9]\d{0,2}$/.test(prefix) || Number(prefix) > most) return null
  const bits = Number(prefix)
  const isClean = bytes.every((byte, i) => (byte & ~maskAt(bits - i * 8) & 0xff) === 0)
  return isClean ? { bytes, bits } : null
}

/** The mask of one byte with this number of leading bits. */
function maskAt(bits: number): number {
  return (0xff00 >> Math.min(8, Math.max(0, bits))) & 0xff
}

/** Four or sixteen bytes. IPv4 mapped into IPv6 counts as IPv4, because the same caller may come either way. */
function bytesOf(text: string): number[] | null {
  if (!text.includes(':')) return ipv4(text)
  const bytes = ipv6(text.toLowerCase())
  const isMapped = bytes?.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  return bytes && isMapped ? bytes.slice(12) : bytes
}

function ipv4(text: string): number[] | null {
  const parts = text.split('.')
  const isOne =
    parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
  return isOne ? parts.map(Number) : null
}

function ipv6(text: string): number[] | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const [left, right] = halves.map(groupsOf)
  if (!left || (halves.length === 2 && !right)) return null
  const missing = 16 - left.length - (right?.length ?? 0)
  if (halves.length === 1) return missing === 0 ? left : null
  return missing < 2 ? null : [...left, ...Array<number>(missing).fill(0), ...right!]
}

/** The bytes of groups between colons; the last one may be written as IPv4. */
function groupsOf(text: string): number[] | null {
  if (text === '') return []
  const groups = text.split(':')
  const bytes = groups.map((group, i) => {
    if (group.includes('.')) return i === groups.length - 1 ? ipv4(group) : null
    if (!/^[0-9a-f]{1,4}$/.test(group)) return null
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
  return bytes.every((part) => part !== null) ? bytes.flat() : null
}
