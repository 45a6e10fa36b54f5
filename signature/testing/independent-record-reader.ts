/**
 * A second reader of evidence records, written from RFC 4998 alone, to be compared with the engine's reader: OpenSSL
 * parses the record and judges the timestamps, and Node hashes. Nothing of the engine is used.
 */
import { createHash } from 'node:crypto'
import { openssl } from './openssl.ts'

type Node = {
  /** The offsets of the element, of its content and of its end. */
  at: number
  from: number
  to: number
  kind: string
  value: string
  inside: Node[]
}

export type IndependentTrust = { root: Uint8Array; others: readonly Uint8Array[]; at: Date }

/** Whether the record proves these files, as RFC 4998, 5.3 says. Null: OpenSSL cannot read it. */
export function isProvedIndependently(
  record: Uint8Array,
  files: readonly Uint8Array[],
  trust: IndependentTrust,
): boolean | null {
  const parsed = openssl({ record }, (run) => run('asn1parse', '-inform', 'DER', '-in', 'record'))
  if (!parsed.isDone) return null
  const sequence = treeOf(parsed.output)!.inside.at(-1)!
  const stamps = sequence.inside.flatMap((chain, number) =>
    chain.inside.map((node, position) => ({
      node,
      number,
      position,
      token: bytesOf(record, node.inside.at(-1)!),
    })),
  )
  const times = stamps.map(({ token }) => timeOf(token))
  return stamps.every(({ node, number, position, token }, i) => {
    const name = node.inside.find(({ kind }) => kind === 'cont [ 0 ]')!.inside[0]!.value
    const hash = (...parts: Uint8Array[]) => createHash(name).update(Buffer.concat(parts)).digest()
    const tree = node.inside.find(({ kind }) => kind === 'cont [ 2 ]')
    const lists = (tree?.inside ?? []).map((list) =>
      list.inside.map((one) => record.subarray(one.from, one.to)),
    )
    const older = sequence.inside.slice(0, number).map((chain) => bytesOf(record, chain))
    const documents = files.map((file) =>
      number === 0 ? hash(file) : hash(hash(file), hash(asSequence(Buffer.concat(older)))),
    )
    const wanted = position === 0 ? documents : [hash(stamps[i - 1]!.token)]
    const root = lists.reduce<Uint8Array | null>((below, list) => {
      const all = below ? [...list, below] : list
      return all.length === 1 ? all[0]! : hash(...all.toSorted((one, other) => Buffer.compare(one, other)))
    }, null)
    const isInFirst = (one: Uint8Array) => lists[0]!.some((listed) => Buffer.compare(listed, one) === 0)
    const next = times[i + 1] ?? Number(trust.at)
    return (
      root !== null &&
      wanted.every(isInFirst) &&
      times[i]! <= next &&
      [times[i]!, next].every((moment) => isTimestampAt(token, root, trust, moment))
    )
  })
}

function bytesOf(record: Uint8Array, { at, to }: Node): Uint8Array {
  return record.subarray(at, to)
}

/** `   12:d=3  hl=4 l= 512 cons: SEQUENCE          :value` */
function treeOf(output: string): Node | undefined {
  const roots: Node[] = []
  const open: { depth: number; node: Node }[] = []
  for (const [, at, depth, header, length, kind, value] of output.matchAll(
    /^ *(\d+):d=(\d+) +hl=(\d+) l= *(\d+) (?:cons|prim): ([^:\n]*?) *(?::(.*))?$/gm,
  )) {
    const from = Number(at) + Number(header)
    const node: Node = {
      at: Number(at),
      from,
      to: from + Number(length),
      kind: kind!,
      value: value ?? '',
      inside: [],
    }
    while (open.length > 0 && open.at(-1)!.depth >= Number(depth)) open.pop()
    ;(open.at(-1)?.node.inside ?? roots).push(node)
    open.push({ depth: Number(depth), node })
  }
  return roots[0]
}

function asSequence(content: Buffer): Buffer {
  const digits = content.length.toString(16)
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  const head = content.length < 128 ? [content.length] : [0x80 + length.length, ...length]
  return Buffer.concat([Buffer.from([0x30, ...head]), content])
}

function timeOf(token: Uint8Array): number {
  const { output } = openssl({ token }, (run) =>
    run('ts', '-reply', '-token_in', '-in', 'token', '-token_out', '-text'),
  )
  return Date.parse(/Time stamp: (.*)/.exec(output)?.[1] ?? '')
}

function isTimestampAt(token: Uint8Array, digest: Uint8Array, trust: IndependentTrust, at: number): boolean {
  const pem = (der: Uint8Array) =>
    `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
  const files = { token, root: pem(trust.root), others: trust.others.map(pem).join('') }
  const shown = Buffer.from(digest).toString('hex')
  const moment = String(Math.floor(at / 1000))
  return openssl(files, (run) =>
    run(
      'ts',
      '-verify',
      '-token_in',
      '-in',
      'token',
      '-digest',
      shown,
      '-CAfile',
      'root',
      '-untrusted',
      'others',
      '-attime',
      moment,
    ),
  ).output.includes('Verification: OK')
}
