/** The file name of a download. The name that the server suggests was chosen by the sender, so it is not trusted. */
import { existsSync } from 'node:fs'
import { extname } from 'node:path'

/** Keeps only the base name: no folders, hidden files, device names or terminal control characters. */
export function safeFileName(suggested: string | null, otherwise: string): string {
  const last = (suggested ?? '').split(/[/\\]/).at(-1)!
  const name = last
    .replaceAll(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '')
  const isDevice = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)
  return name === '' || isDevice ? otherwise : name
}

/** Returns another name if the file exists: a document from outside must never replace a local file. */
export function freeFileName(name: string, isTaken: (name: string) => boolean = existsSync): string {
  if (!isTaken(name)) return name
  const ending = extname(name)
  const beginning = name.slice(0, name.length - ending.length)
  for (let i = 2; ; i++) {
    const other = `${beginning} (${i})${ending}`
    if (!isTaken(other)) return other
  }
}
