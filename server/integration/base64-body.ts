/**
 * A file that is uploaded as base64 text, with line breaks and a byte order mark, as accounting software writes it.
 */
import { Readable } from 'node:stream'
import { Refusal, refuse } from '@kelisim/domain/errors.ts'

const byteOrderMark = '\u00ef\u00bb\u00bf'
/** The length of a group of base64 characters. */
const group = 4

/** The decoded bytes as a stream; broken text ends it with a refusal. */
export function decodedBase64(body: Readable): Readable {
  return Readable.from(decode(body), { objectMode: false })
}

async function* decode(body: Readable): AsyncGenerator<Buffer> {
  let kept = ''
  let isFirst = true
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      let text = kept + chunk.toString('latin1')
      if (isFirst && text.length < byteOrderMark.length && byteOrderMark.startsWith(text)) {
        kept = text
        continue
      }
      if (isFirst && text.startsWith(byteOrderMark)) text = text.slice(byteOrderMark.length)
      isFirst = false
      text = text.replaceAll(/[\r\n\t ]+/g, '')
      // The last whole group is kept back, because only the end of the text may be padded.
      const whole = Math.max(0, Math.ceil(text.length / group) - 1) * group
      kept = text.slice(whole)
      if (whole > 0) yield bytesOf(text.slice(0, whole), /^[A-Za-z0-9+/]*$/)
    }
  } catch (error) {
    // The client disconnected: not a fault of the server.
    if (!(error instanceof Refusal) && body.readableAborted) refuse('malformed-body')
    throw error
  } finally {
    // A client that is still sending sees the response only when the whole body is read.
    body.resume()
  }
  kept = kept.replaceAll(/[\r\n\t ]+/g, '')
  if (kept !== '') yield bytesOf(kept, /^[A-Za-z0-9+/]{2,4}={0,2}$/)
}

function bytesOf(text: string, alphabet: RegExp): Buffer {
  if (!alphabet.test(text)) refuse('base64-broken')
  const bytes = Buffer.from(text, 'base64')
  // Extra bits that belong to no byte, or wrong padding, mean that the text was cut or changed on the way.
  const isExact = bytes.toString('base64').replaceAll('=', '') === text.replaceAll('=', '')
  if (!isExact || (text.includes('=') && text.length % group !== 0)) refuse('base64-broken')
  return bytes
}
