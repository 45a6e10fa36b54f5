/** Small documents of every format, generated on the fly: for the demo, and for tests of documents. */
import { crc32, deflateRawSync } from 'node:zlib'

/** A page for each text: one line a paragraph, in a font that every reader has. */
export function makePdf(...pages: string[][]): Buffer {
  const objects: string[] = []
  const add = (body: string) => objects.push(body)
  const pageNumber = (i: number) => 4 + i * 2
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add(
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${pageNumber(i)} 0 R`).join(' ')}] >>`,
  )
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  for (const [i, lines] of pages.entries()) {
    const shown = lines.map((line, row) => `${row === 0 ? '' : '0 -22 Td '}(${escaped(line)}) Tj`).join('\n')
    const content = `BT /F1 13 Tf 72 770 Td\n${shown}\nET`
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${pageNumber(i) + 1} 0 R` +
        ' /Resources << /Font << /F1 3 0 R >> >> >>',
    )
    add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
  }
  return withTable('%PDF-1.4\n', objects)
}

/** Objects one after the other, then the cross-reference table. */
export function withTable(head: string, objects: readonly string[], trailer = ''): Buffer {
  let text = head
  const offsets = objects.map((body, i) => {
    const at = text.length
    text += `${i + 1} 0 obj\n${body}\nendobj\n`
    return at
  })
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const start = text.length
  text +=
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}` +
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\()]/g, '\\$&')
}

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

export type Parts = Record<string, string | Buffer>

/** The first paragraph is the heading; a row of a table has its cells separated by `|`. */
export function docxParts(paragraphs: readonly string[]): Parts {
  const run = (text: string) => `<w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`
  const cell = (text: string) => `<w:tc><w:p>${run(text.trim())}</w:p></w:tc>`
  const body = paragraphs.map((text, i) => {
    if (text.includes('|')) return `<w:tr>${text.split('|').map(cell).join('')}</w:tr>`
    const style = i === 0 ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : ''
    return `<w:p>${style}${run(text)}</w:p>`
  })
  const inTables = body.join('').replaceAll(/(?:<w:tr>.*?<\/w:tr>)+/g, '<w:tbl>$&</w:tbl>')
  return {
    '[Content_Types].xml': contentTypes({ '/word/document.xml': `${wordType}.document.main+xml` }),
    '_rels/.rels': relations({ [`${office}/officeDocument`]: 'word/document.xml' }),
    'word/document.xml':
      `${xml}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">` +
      `<w:body>${inTables}</w:body></w:document>`,
  }
}

export function makeDocx(...paragraphs: string[]): Buffer {
  return makeZip(docxParts(paragraphs))
}

export function xlsxParts(sheet: string, rows: readonly (readonly (string | number)[])[]): Parts {
  const cell = (value: string | number, at: string) =>
    typeof value === 'number'
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="inlineStr"><is><t>${escapeXml(value)}</t></is></c>`
  const data = rows.map((row, y) => {
    const cells = row.map((value, x) => cell(value, `${String.fromCharCode(65 + x)}${y + 1}`))
    return `<row r="${y + 1}">${cells.join('')}</row>`
  })
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  return {
    '[Content_Types].xml': contentTypes({
      '/xl/workbook.xml': `${sheetType}.sheet.main+xml`,
      '/xl/worksheets/sheet1.xml': `${sheetType}.worksheet+xml`,
    }),
    '_rels/.rels': relations({ [`${office}/officeDocument`]: 'xl/workbook.xml' }),
    'xl/workbook.xml':
      `${xml}<workbook xmlns="${main}" xmlns:r="${office}">` +
      `<sheets><sheet name="${escapeXml(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({ [`${office}/worksheet`]: 'worksheets/sheet1.xml' }),
    'xl/worksheets/sheet1.xml': `${xml}<worksheet xmlns="${main}"><sheetData>${data.join('')}</sheetData></worksheet>`,
  }
}

export function makeXlsx(sheet: string, rows: readonly (readonly (string | number)[])[]): Buffer {
  return makeZip(xlsxParts(sheet, rows))
}

function contentTypes(parts: Record<string, string>): string {
  const overrides = Object.entries(parts).map(
    ([name, type]) => `<Override PartName="${name}" ContentType="${type}"/>`,
  )
  return (
    `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`
  )
}

function relations(targets: Record<string, string>): string {
  const all = Object.entries(targets).map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${type}" Target="${target}"/>`,
  )
  return `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Compressed entries one after the other, then the central directory, then its offset. */
export function makeZip(parts: Parts): Buffer {
  const packed = Object.entries(parts).map(([name, content]) => entry(name, Buffer.from(content)))
  const pieces: Buffer[] = []
  let at = 0
  const list = packed.map(({ name, header, data }) => {
    const here = at
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), header, name, data])
    pieces.push(local)
    at += local.length
    const central = Buffer.alloc(16)
    central.writeUInt32LE(here, 12)
    return Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), header, central.subarray(2), name])
  })
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(list.length, 8)
  end.writeUInt16LE(list.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...pieces, directory, end])
}

/** The part of a header that is the same before the file and in the directory: from the version to the lengths. */
function entry(fileName: string, content: Buffer): { name: Buffer; header: Buffer; data: Buffer } {
  const name = Buffer.from(fileName)
  const data = deflateRawSync(content)
  const header = Buffer.alloc(26)
  header.writeUInt16LE(20, 0)
  header.writeUInt16LE(0x0800, 2) // names are UTF-8
  header.writeUInt16LE(8, 4) // deflated
  header.writeUInt16LE(0x5d21, 8) // an arbitrary date
  header.writeUInt32LE(crc32(content), 10)
  header.writeUInt32LE(data.length, 14)
  header.writeUInt32LE(content.length, 18)
  header.writeUInt16LE(name.length, 22)
  return { name, header, data }
}
