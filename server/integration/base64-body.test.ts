import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodedBase64 } from './base64-body.ts'

async function decoded(chunks: readonly Buffer[]): Promise<Buffer> {
  return buffer(decodedBase64(Readable.from(chunks)))
}

function cut(text: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < text.length; at += size) chunks.push(text.subarray(at, at + size))
  return chunks
}

describe('base64', () => {
  test('with line breaks, a byte order mark and in any chunks is decoded', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 1, max: 90 }),
        fc.constantFrom('', '\n', '\r\n', ' \t'),
        fc.boolean(),
        fc.boolean(),
        async (bytes, line, size, ending, hasMark, isPadded) => {
          const text = Buffer.from(bytes)
            .toString('base64')
            .replaceAll('=', isPadded ? '=' : '')
          const lines = text.replaceAll(new RegExp(`.{${line}}`, 'g'), `$&${ending}`)
          const body = Buffer.concat([Buffer.from(hasMark ? '\ufeff' : ''), Buffer.from(lines)])
          expect(await decoded(cut(body, size))).toEqual(Buffer.from(bytes))
        },
      ),
    )
  })

  test.each([
    '%PDF',
    'YQ=',
    'YQ==YQ==',
    'Y',
    'YR==',
    'YWJj*',
    'YWJj\u0000',
    '\ufeff\ufeffYWJj',
    'YWJ=j',
    '====',
    'YW-_',
  ])('%j is refused', async (text) => {
    await expect(decoded([Buffer.from(text)])).rejects.toThrow('base64-broken')
    await expect(decoded(cut(Buffer.from(text), 1))).rejects.toThrow('base64-broken')
  })
})
