/**
 * Reads the files of an untrusted e-mail (.eml): MIME of RFC 2045 and 2046, names of RFC 2231 and 2047, signed
 * messages of RFC 1847 and 8551. Strict where mail programs differ: a field that occurs twice, or a text that is not
 * in the declared encoding, could be shown as one file there and be read as another one here
 * (docs/decisions/045-containers.md).
 */
import { ContainerError, type InputFile } from './input-file.ts'

const limits = { bytes: 64 * 1024 ** 2, headers: 256 * 1024, parts: 1000, depth: 8 }

/** Whether a file begins as an e-mail does. `start`: its first kilobytes. */
export function looksLikeMail(name: string, start: Uint8Array): boolean {
  const text = textIn(start)
  const isHeader = /^(?:From [^\n]*\n)?(?:[A-Za-z][\w-]*:[^\n]*\n(?:[ \t][^\n]*\n)*)+/.exec(text)
  if (!isHeader) return false
  return /\.eml$/i.test(name) || /^mime-version:/im.test(isHeader[0])
}

/** The attached files. For a signed e-mail also the signed part itself, as it was hashed. */
export function filesInMail(bytes: Uint8Array): InputFile[] {
  if (bytes.length > limits.bytes) throw new ContainerError('too-much')
  const files: InputFile[] = []
  const state = { parts: 0, files }
  visit(textIn(bytes).replace(/^From [^\n]*\n/, ''), state, 0, {})
  return files
}

type State = { parts: number; files: InputFile[] }

type PartContext = Pick<InputFile, 'partOf' | 'signs'>

function visit(entity: string, state: State, depth: number, place: PartContext): void {
  if (++state.parts > limits.parts || depth > limits.depth) throw new ContainerError('too-much')
  const { headers, body } = split(entity)
  const type = fieldOf(headers, 'content-type')
  const kind = type.value === '' ? 'text/plain' : type.value
  if (kind.startsWith('multipart/')) {
    const parts = partsOf(body, type.parameters.get('boundary') ?? '')
    const isSigned =
      kind === 'multipart/signed' && /pkcs7-signature/i.test(type.parameters.get('protocol') ?? '')
    if (isSigned && parts.length !== 2) throw new ContainerError('damaged')
    const signed = isSigned ? signedPart(parts[0]!, headers, place) : undefined
    if (signed) state.files.push(signed)
    const [inSigned, besideSigned] = signed ? [{ partOf: signed }, { signs: signed }] : [place, place]
    for (const [i, part] of parts.entries()) visit(part, state, depth + 1, i === 0 ? inSigned : besideSigned)
    return
  }
  const content = decoded(body, headers)
  if (kind === 'message/rfc822') {
    visit(content, state, depth + 1, place)
    return
  }
  const disposition = fieldOf(headers, 'content-disposition')
  const name = disposition.parameters.get('filename') ?? type.parameters.get('name') ?? null
  if (isOfText(kind, name, disposition.value, headers)) return
  const blob = new Blob([bytesIn(content)])
  state.files.push({ name: safeName(name, kind, state.files.length + 1), blob, ...place })
}

/** Whether a part belongs to the text of the e-mail, like the pictures in it, and is not an attached document. */
function isOfText(kind: string, name: string | null, disposition: string, headers: Headers): boolean {
  if (name === null) return /^text\/(?:plain|html|calendar)$/.test(kind) && disposition !== 'attachment'
  return kind.startsWith('image/') && disposition !== 'attachment' && headers.has('content-id')
}

/** Lines end with CR LF when they are signed, whatever line breaks the file has (RFC 8551, 3.1.1). */
function signedPart(part: string, headers: Headers, place: PartContext): InputFile {
  const lines = part.replaceAll(/\r?\n/g, '\r\n')
  const subject = decodedWords(headers.get('subject') ?? '')
  const name = safeName(subject === '' ? null : `${subject}.eml`, 'message/rfc822', 1)
  return { ...place, name, blob: new Blob([bytesIn(lines)]) }
}

type Headers = Map<string, string>

function split(entity: string): { headers: Headers; body: string } {
  const end = /\r?\n\r?\n/.exec(entity)
  // A part may have no header at all; then it begins with an empty line.
  const isBare = /^\r?\n/.exec(entity)
  const head = isBare ? '' : entity.slice(0, end?.index ?? entity.length)
  const body = isBare ? entity.slice(isBare[0].length) : end ? entity.slice(end.index + end[0].length) : ''
  if (head.length > limits.headers) throw new ContainerError('too-much')
  const headers: Headers = new Map()
  for (const line of head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value] = /^([!-9;-~]+)[ \t]*:(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    const key = name.toLowerCase()
    // A field that occurs twice is refused, because some programs take the first value and some the last.
    if (headers.has(key) && key.startsWith('content-')) throw new ContainerError('damaged')
    headers.set(key, value.trim())
  }
  return { headers, body }
}

function partsOf(body: string, boundary: string): string[] {
  if (boundary === '' || boundary.length > 200) throw new ContainerError('damaged')
  const parts: string[] = []
  const line = `--${boundary}`
  let from: number | null = null
  for (let at = body.indexOf(line); at >= 0; at = body.indexOf(line, at + line.length)) {
    if (at > 0 && body[at - 1] !== '\n') continue
    const [, closing, rest] =
      /^(--)?[ \t]*(\r?\n|$)/.exec(body.slice(at + line.length, at + line.length + 80)) ?? []
    if (rest === undefined) continue
    if (from !== null) {
      // The line break before a boundary belongs to the boundary.
      const end = at - (body.startsWith('\r\n', at - 2) ? 2 : 1)
      parts.push(body.slice(from, Math.max(from, end)))
      if (parts.length > limits.parts) throw new ContainerError('too-much')
    }
    if (closing !== undefined) return parts
    from = body.indexOf('\n', at + line.length) + 1
    if (from === 0) break
  }
  throw new ContainerError('damaged')
}

function decoded(body: string, headers: Headers): string {
  switch ((headers.get('content-transfer-encoding') ?? '7bit').toLowerCase()) {
    case 'base64':
      return fromBase64(body)
    case 'quoted-printable':
      return fromQuotedPrintable(body)
    case '7bit':
    case '8bit':
    case 'binary':
      return body
    default:
      throw new ContainerError('damaged')
  }
}

function fromBase64(text: string): string {
  const compact = text.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact) || compact.length % 4 !== 0) throw new ContainerError('damaged')
  return atob(compact)
}

function fromQuotedPrintable(text: string): string {
  // White space at the end of a line is not part of the text; some mail servers add it.
  const lines = text.split('\n').map((line, i, all) => {
    const isBroken = line.endsWith('\r')
    const bare = line.trimEnd()
    return i === all.length - 1
      ? bare
      : bare.endsWith('=')
        ? bare.slice(0, -1)
        : `${bare}${isBroken ? '\r' : ''}\n`
  })
  return lines.join('').replaceAll(/=([0-9A-Fa-f]{2})?/g, (_, digits?: string) => {
    if (digits === undefined) throw new ContainerError('damaged')
    return String.fromCharCode(Number.parseInt(digits, 16))
  })
}

type Field = { value: string; parameters: Map<string, string> }

/** `value; name=token; name="text"`, with the continuations and encodings of RFC 2231. */
function fieldOf(headers: Headers, key: string): Field {
  const text = headers.get(key) ?? ''
  const value = (/^[^;]*/.exec(text)?.[0] ?? '').trim().toLowerCase()
  const found = new Map<string, string>()
  for (const [, name, quoted, token] of text.matchAll(
    /;\s*([\w!#$%&'+.^`|~*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g,
  )) {
    const parameter = name!.toLowerCase()
    if (found.has(parameter)) throw new ContainerError('damaged')
    found.set(parameter, quoted === undefined ? token! : quoted.replaceAll(/\\(.)/g, '$1'))
  }
  const parameters = new Map<string, string>()
  for (const [name, plain] of found) if (!name.includes('*')) parameters.set(name, decodedWords(plain))
  for (const name of new Set(
    [...found.keys()].filter((one) => one.includes('*')).map((one) => one.split('*')[0]!),
  ))
    parameters.set(name, continued(name, found))
  return { value, parameters }
}

/**
 * The encoded form takes precedence over the plain one, which is for programs that cannot read it (RFC 6266, 4.3).
 */
function continued(name: string, found: ReadonlyMap<string, string>): string {
  const pieces: { text: string; isEncoded: boolean }[] = []
  const whole = found.get(`${name}*`)
  if (whole !== undefined) pieces.push({ text: whole, isEncoded: true })
  else
    for (let i = 0; ; i++) {
      const [encoded, plain] = [found.get(`${name}*${i}*`), found.get(`${name}*${i}`)]
      const text = encoded ?? plain
      if (text === undefined) break
      pieces.push({ text, isEncoded: encoded !== undefined })
    }
  const [, charset = 'utf-8', first] = /^([^']*)'[^']*'(.*)$/s.exec(pieces[0]?.text ?? '') ?? []
  if (first !== undefined && pieces[0]?.isEncoded) pieces[0].text = first
  const bytes = pieces.map(({ text, isEncoded }) =>
    isEncoded
      ? text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, digits: string) =>
          String.fromCharCode(Number.parseInt(digits, 16)),
        )
      : text,
  )
  return inCharset(bytes.join(''), charset)
}

/** `=?charset?B?…?=` (RFC 2047): not allowed inside a quoted name, but common there. */
function decodedWords(text: string): string {
  const adjoining = text.replaceAll(/(\?=)\s+(?==\?)/g, '$1')
  // A character may be split between two words, so adjoining words of one encoding are joined before decoding.
  const whole = adjoining.replaceAll(
    /=\?([^?\s]+)\?([bq])\?([^?\s]*)\?=(?:=\?\1\?\2\?[^?\s]*\?=)*/gi,
    (words) => {
      const [, charset = '', form = ''] = /^=\?([^?]+)\?(.)/.exec(words) ?? []
      const bytes = [...words.matchAll(/=\?[^?]+\?.\?([^?]*)\?=/g)].map(([, one]) =>
        form.toLowerCase() === 'b' ? fromBase64(one!) : fromQuotedPrintable(one!.replaceAll('_', ' ')),
      )
      return inCharset(bytes.join(''), charset.split('*')[0]!)
    },
  )
  // Names in plain UTF-8 are common, too.
  return /[\u0080-\u00ff]/.test(whole) && !/[^\u0000-\u00ff]/.test(whole) ? inCharset(whole, 'utf-8') : whole
}

function inCharset(binary: string, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytesIn(binary))
  } catch {
    return binary
  }
}

/** The name to show: without folders, control characters and marks that change the direction of text. */
function safeName(name: string | null, kind: string, number: number): string {
  const bare = (name ?? '')
    .split(/[/\\]/)
    .at(-1)!
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
  if (bare !== '' && bare !== '.' && bare !== '..') return bare
  return kind === 'message/rfc822'
    ? 'message.eml'
    : `${number}.${kind.split('/').at(-1)!.replaceAll(/\W/g, '-')}`
}

/** One character for each byte, because an e-mail has parts in several encodings. */
function textIn(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += 8192)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 8192)))
  return pieces.join('')
}

function bytesIn(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}
