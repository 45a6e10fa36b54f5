/** Instructions to verify a bundle without this service: every command can be copied as it is. */
import { pages } from '@kelisim/domain/pages.ts'
import {
  bundleFiles,
  type BundleManifest,
  type BundleSignatureFiles,
} from '@kelisim/signature/bundle/bundle.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'

export type ReadmeFacts = Omit<BundleManifest, 'files'> & {
  hasReport: boolean
  publicUrl: URL
  /** The witnesses of the head of the log; empty unless as many as the quorum have co-signed it. */
  witnessedBy: readonly string[]
  /** By signature: whether OpenSSL supports the algorithm, the time to verify at, and the file of the value. */
  signing: ReadonlyMap<string, { isKnownEverywhere: boolean; at: Date; value: string }>
}

export function readmeOf(language: Language, facts: ReadmeFacts): string {
  const text = textsOf(language, 'outputs-bundle')
  const { request, history, publicUrl } = facts
  const verify = new URL(pages.verify, publicUrl).href
  const step = (() => {
    let number = 0
    return (description: string, command: string) => `${++number}. ${description}\n\n    ${command}`
  })()
  const opensslSigned = (name: string, signature: string) =>
    `openssl pkeyutl -verify -pubin -inkey ${bundleFiles.logKey} -rawin -in ${name} -sigfile ${signature}`
  return [
    heading(text('title'), '='),
    [
      text('request', { name: inOneLine(request.name) }),
      text('number', { id: request.id }),
      text('madeAt', { at: facts.madeAt.slice(0, 19).replace('T', ' ') }),
    ].join('\n'),
    text('intro'),
    heading(text('inside.title'), '-'),
    contents(language, facts),
    ...(history.leftOut > 0 ? [text('leftOut', { count: history.leftOut })] : []),
    text('hidden'),
    ...(facts.witnessedBy.length > 0
      ? [text('witnessed', { names: facts.witnessedBy.join(', '), file: bundleFiles.checkpoint })]
      : []),
    heading(text('quick.title'), '-'),
    text('quick.text', { address: verify }),
    heading(text('self.title'), '-'),
    text('self.needs'),
    step(text('steps.sums'), `sha256sum -c ${bundleFiles.sums}`),
    step(text('steps.manifest'), opensslSigned(bundleFiles.manifest, bundleFiles.manifestSignature)),
    step(
      text('steps.sameSums'),
      `grep -o "$(sha256sum < ${bundleFiles.sums} | cut -c1-64)" ${bundleFiles.manifest}`,
    ),
    step(
      text('steps.key', { address: new URL('/api/Log/head', publicUrl).href }),
      `openssl pkey -pubin -in ${bundleFiles.logKey} -outform DER | sha256sum`,
    ),
    step(text('steps.head'), opensslSigned(bundleFiles.head, bundleFiles.headSignature)),
    step(text('steps.history'), `sh ${historyCommand}`),
    ...facts.signatures.flatMap((signature, i) => signatureSteps(language, facts, signature, i + 1, verify)),
    '',
  ].join('\n\n')
}

export const historyCommand = 'history/check.txt'

function contents(language: Language, { hasReport, signatures }: ReadmeFacts): string {
  const text = textsOf(language, 'outputs-bundle')
  const lines = [
    ['documents/', text('inside.documents')],
    ...(signatures.some(({ inside }) => inside) ? [['documents/signed/', text('inside.signed')]] : []),
    ['signatures/', text('inside.signatures')],
    ...(signatures.some(({ lists }) => lists.length > 0) ? [['lists/', text('inside.lists')]] : []),
    ['history/', text('inside.history')],
    ['log/', text('inside.log')],
    ...(hasReport ? [[bundleFiles.report, text('inside.report')]] : []),
    [`${bundleFiles.manifest}, ${bundleFiles.manifestSignature}`, text('inside.manifest')],
  ]
  return lines.map(([name, what]) => `${name}: ${what}`).join('\n')
}

function signatureSteps(
  language: Language,
  { documents, earlier = [], signing, publicUrl }: ReadmeFacts,
  signature: BundleSignatureFiles,
  number: number,
  verify: string,
): string[] {
  const text = textsOf(language, 'outputs-bundle')
  const { id, attempt, revision, signer, side, chain, timestamps, ocsp, lists } = signature
  const replaced = earlier.find((one) => one.revision === revision)
  const document = replaced?.file ?? documents.find((one) => one.attempt === attempt)!.file
  const { isKnownEverywhere, at, value } = signing.get(id)!
  const seconds = Math.floor(at.getTime() / 1000)
  const command = (description: string, line: string) => `${description}\n\n    ${line}`
  const title = heading(
    text('steps.signature', { number, signer: inOneLine(signer), side: inOneLine(side.name || side.bin) }),
    '-',
  )
  const note = replaced ? [text('steps.replaced')] : []
  const reading = [
    ...ocsp.map((file) => command(text('steps.ocsp'), `openssl ocsp -noverify -text -respin ${file}`)),
    ...lists.map((file) => command(text('steps.list'), `openssl crl -inform DER -noout -text -in ${file}`)),
  ]
  if (!isKnownEverywhere)
    return [title, ...note, text('steps.gost', { address: verify || publicUrl.href }), ...reading]
  return [
    title,
    ...note,
    command(text('steps.document'), verifyCommand(signature, document)),
    command(
      text('steps.chain'),
      `openssl verify -CAfile root.pem -untrusted ${chain} -attime ${seconds} -purpose any ${chain}`,
    ),
    ...timestamps.map((file) =>
      command(
        text('steps.timestamp'),
        `openssl ts -verify -token_in -in ${file} -data ${value} -CAfile root.pem -untrusted ${chain} -attime ${seconds}`,
      ),
    ),
    ...(timestamps.length === 0 ? [text('steps.noTimestamp')] : []),
    ...reading,
  ]
}

/**
 * The command that verifies a signature. A signature inside a PDF covers everything around itself; one inside XML is
 * not CMS.
 */
function verifyCommand(
  { durable, inside, signedXml, chain }: BundleSignatureFiles,
  document: string,
): string {
  if (signedXml !== undefined) return `xmlsec1 --verify --pubkey-cert-pem ${chain} ${signedXml}`
  const verify = (content: string) =>
    `openssl cms -verify -noverify -binary -inform DER -in ${durable} -content ${content} -out /dev/null`
  if (!inside) return verify(quoted(document))
  const { from, to, end } = inside
  const file = quoted(inside.file)
  return `(head -c ${from} ${file}; head -c ${end} ${file} | tail -c ${end - to}) | ${verify('/dev/stdin')}`
}

function heading(text: string, line: string): string {
  return `${text}\n${line.repeat(text.length)}`
}

/** Puts a typed name on one line, so that it cannot imitate a step with a command. */
function inOneLine(name: string): string {
  return name.replaceAll(/[\s\p{C}]+/gu, ' ').trim()
}

/** Quoted for a shell. */
function quoted(name: string): string {
  return `'${name.replaceAll("'", `'\\''`)}'`
}
