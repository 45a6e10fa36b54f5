/** The calls of the quick send form, and the checks of a file before it is sent. */
import {
  formatNames,
  formatOfName,
  inMegabytes,
  landingFormats,
  sizeLimits,
} from '@kelisim/domain/documents/formats.ts'
import {
  commitTransaction,
  getTransactionToken,
  initTransaction,
} from '@kelisim/domain/landing/quick-send-contract.ts'
import type * as z from 'zod/mini'
import { ApiError, call } from '../../api/api.ts'
import { sendFile } from '../../api/file-api.ts'
import { textOf } from '../../i18n/language.ts'
import type { CaptchaProof } from '../captcha/captcha-widget.ts'

export type SentResult = z.output<typeof commitTransaction.result>
export type Fields = Omit<z.input<typeof initTransaction.input>, 'token' | 'fileName' | 'language'>
export type Begun = z.output<typeof initTransaction.result> & {
  file: File
  /** Whether the server received the same bytes; null: this browser cannot compute the hash. */
  isSameFile: boolean | null
  recipient: string
}

/**
 * The permission to send, kept until it is used, so that a problem with the file does not require another captcha.
 */
export type SendPermission = { key: string; token: string | null }

export function newSendPermission(): SendPermission {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const key = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  return { key, token: null }
}

export async function begin(
  leave: SendPermission,
  captcha: CaptchaProof | null,
  given: { file: File; fields: Fields; language: 'ru' | 'kk' | 'en'; recipient: string },
  onProgress: (part: number) => void,
): Promise<Begun> {
  const { file, fields, language, recipient } = given
  leave.token ??= (
    await call(getTransactionToken, { key: leave.key, ...(captcha && { captcha }) }, undefined, {
      isOpenToAll: true,
    })
  ).token
  const begun = await sendFile(
    initTransaction,
    { ...fields, token: leave.token, fileName: file.name, language },
    file,
    {
      signal: new AbortController().signal,
      onProgress: (sent) => onProgress(file.size === 0 ? 1 : sent / file.size),
      isPrivate: true,
    },
  )
  return { ...begun, file, recipient, isSameFile: await isSame(file, begun.document.sha256) }
}

/** Web Crypto is available on pages loaded over HTTPS only. */
async function isSame(file: File, sha256: string): Promise<boolean | null> {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- not in pages that came over an unsafe line
  if (!crypto.subtle) return null
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('') === sha256
}

/** The alias and parameters of the problem; null: the file may be sent. */
export function whyNotFile(file: File): string | null {
  const format = formatOfName(file.name, landingFormats)
  if (!format) return words('file-format-not-supported', { formats: formatNames(landingFormats) })
  if (file.size === 0) return words('file-empty', {})
  const limit = sizeLimits[format]
  return file.size > limit ? words('file-too-large', { limit: inMegabytes(limit) }) : null
}

/** The text of an error in the language of the reader. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return words('unexpected-error', {})
  return error.message === '' ? words(error.alias, error.parameters) : error.message
}

export function words(alias: string, parameters: Readonly<Record<string, unknown>>): string {
  return textOf(`errors:${alias}.text`, parameters) ?? alias
}

export async function asBase64(file: File): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error!))
    reader.readAsDataURL(file)
  })
  return url.slice(url.indexOf(',') + 1)
}
