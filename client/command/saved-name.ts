/** Under which name a download is saved: the server suggests one, and whoever sent the document chose it. */
import { existsSync } from 'node:fs'
import { extname } from 'node:path'

/** No folder, no hidden file, no device and nothing that a terminal would act on: only the name itself is taken. */
export function safeFileName(suggested: string | null, otherwise: string): string {
  const last = (suggested ?? '').split(/[/\\]/).at(-1)!
  const name = last
    .replaceAll(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '')
  const isDevice = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)
  return name === '' || isDevice ? otherwise : name
}

/** Another name if there is such a file: a document must not replace what is there because somebody called it so. */
export function freeFileName(name: string, isTaken: (name: string) => boolean = existsSync): string {
  if (!isTaken(name)) return name
  const ending = extname(name)
  const beginning = name.slice(0, name.length - ending.length)
  for (let i = 2; ; i++) {
    const other = `${beginning} (${i})${ending}`
    if (!isTaken(other)) return other
  }
}
