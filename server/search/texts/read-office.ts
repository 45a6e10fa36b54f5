/**
 * The text of a docx or xlsx, which have no pages. Uploads were checked: they unpack to a limited size and define no
 * entities (server/documents/check), so the few tags that matter are read without a parser of XML.
 */
import { text as readText } from 'node:stream/consumers'
import yauzl, { type Entry } from 'yauzl'
import { longestText } from './read-job.ts'

/** The parts with text, in the order in which they are read. */
const parts = {
  docx: [/^word\/document\d*\.xml$/, /^word\/(?:header|footer|footnotes|endnotes)\d*\.xml$/],
  xlsx: [/^xl\/sharedStrings\.xml$/, /^xl\/worksheets\/[^/]+\.xml$/],
}
/** The largest part that is read. */
const largestPart = 64 * 1024 * 1024

export async function readOffice(path: string, format: keyof typeof parts): Promise<string[]> {
  const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false })
  try {
    const entries: Entry[] = []
    for await (const entry of zip.eachEntry()) entries.push(entry)
    let text = ''
    for (const pattern of parts[format]) {
      for (const entry of entries.filter(({ fileName }) => pattern.test(fileName))) {
        if (entry.uncompressedSize > largestPart || text.length > longestText) continue
        const xml = await readText(await zip.openReadStreamPromise(entry))
        text += `${textOf(xml, format)}\n`
      }
    }
    return [text]
  } finally {
    zip.close()
  }
}

/** `t` holds text in both formats, `v` a number of a sheet; a paragraph, a cell and a break end a line. */
function textOf(xml: string, format: keyof typeof parts): string {
  const pieces = xml.matchAll(
    format === 'docx'
      ? /<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>|<(?:\/w:p|w:tab|w:br)\b[^>]*>/g
      : /<t(?:\s[^>]*)?>([^<]*)<\/t>|<(?:\/si|\/c)>|<c\b(?![^>]*\bt="s")[^>]*>\s*<v>([^<]*)<\/v>/g,
  )
  let text = ''
  for (const [all, word, number] of pieces) {
    const isText = word !== undefined || number !== undefined
    text += isText ? decoded(word ?? ` ${number} `) : all.startsWith('<w:tab') ? ' ' : '\n'
    if (text.length > longestText) break
  }
  return text
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decoded(text: string): string {
  return text.replaceAll(
    /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi,
    (all, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? all
      const code = Number.parseInt(decimal ?? hex!, decimal === undefined ? 16 : 10)
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' '
    },
  )
}
