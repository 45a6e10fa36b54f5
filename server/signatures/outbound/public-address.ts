/**
 * Tells public internet addresses from others. A certificate may name any address; calling one in the server's own
 * network would let its author scan that network.
 */
import { BlockList, isIP } from 'node:net'

/** True for an address reachable on the public internet; false for any other, and for a text that is no address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialIpv4.check(address, 'ipv4')
    case 6:
      // An address with a zone is link-local.
      return (
        !address.includes('%') && globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
      )
    default:
      return false
  }
}

// The special-purpose registries of IANA, and addresses that clouds use besides.
const specialIpv4 = blockList('ipv4', [
  ['0.0.0.0', 8], // this network, unspecified
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT; one cloud's metadata
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // a cloud's machine agent, on an address that looks public
  ['169.254.0.0', 16], // link-local; most clouds' metadata
  ['172.16.0.0', 12],
  ['192.0.0.0', 24], // protocol assignments; one cloud's metadata
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
])

// Only this block is assigned: loopback, IPv4-mapped, NAT64, local, link-local and multicast addresses are all outside
// it.
const globalIpv6 = blockList('ipv6', [['2000::', 3]])

const specialIpv6 = blockList('ipv6', [
  ['2001::', 23], // protocol assignments, Teredo: an IPv4 address inside
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: an IPv4 address inside
  ['2620:4f:8000::', 48],
  ['3fff::', 20], // documentation
])

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family)
  return list
}
