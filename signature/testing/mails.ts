/** For tests: e-mails as programs write them. */
import { latin1 } from '../asn1/values.ts'

export type MailPart = {
  name: string
  bytes: Uint8Array
  encoding?: 'base64' | 'quoted-printable' | '8bit'
  /** How the name is encoded. */
  naming?: 'plain' | '2231' | '2231-continued' | '2047'
  type?: string
}

const utf8 = (text: string) => latin1(new TextEncoder().encode(text))
const escaped = (text: string) =>
  Array.from(utf8(text), (character) =>
    /[A-Za-z0-9._-]/.test(character)
      ? character
      : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('')

function nameParameter(name: string, naming: MailPart['naming']): string {
  switch (naming ?? 'plain') {
    case 'plain':
      return `filename="${utf8(name)}"`
    case '2231':
      return `filename*=UTF-8''${escaped(name)}`
    case '2231-continued': {
      const pieces = escaped(name).match(/(?:%..|[^%]){1,8}/g) ?? []
      return pieces.map((piece, i) => `filename*${i}*=${i === 0 ? "UTF-8''" : ''}${piece}`).join(';\r\n ')
    }
    case '2047':
      return `filename="=?UTF-8?B?${btoa(utf8(name))}?="`
  }
}

function encodedBody({ bytes, encoding = 'base64' }: MailPart): string {
  switch (encoding) {
    case 'base64':
      return (btoa(latin1(bytes)).match(/.{1,76}/g) ?? []).join('\r\n')
    case 'quoted-printable': {
      const all = Array.from(bytes, (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      return (all.join('').match(/(?:=..){1,25}/g) ?? []).join('=\r\n')
    }
    case '8bit':
      return latin1(bytes)
  }
}

export function mailPart(part: MailPart): string {
  return [
    `Content-Type: ${part.type ?? 'application/octet-stream'}`,
    `Content-Transfer-Encoding: ${part.encoding ?? 'base64'}`,
    `Content-Disposition: attachment;\r\n ${nameParameter(part.name, part.naming)}`,
    '',
    encodedBody(part),
  ].join('\r\n')
}

export const textPart = (text: string) =>
  `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${utf8(text)}`

export function multipart(parts: readonly string[], kind = 'multipart/mixed', boundary = 'b1'): string {
  const body = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')
  return `Content-Type: ${kind}; boundary="${boundary}"\r\n\r\nMIME\r\n${body}--${boundary}--\r\n`
}

export function mail(entity: string): Uint8Array<ArrayBuffer> {
  const text = `From: a@example.kz\r\nTo: b@example.kz\r\nSubject: =?UTF-8?B?${btoa(utf8('Шарт'))}?=\r\nMIME-Version: 1.0\r\n${entity}`
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}
