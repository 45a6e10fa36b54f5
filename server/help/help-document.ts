/** The layout of a help document: its title, table of contents, and blocks. */
import type { Content, ContentText, CustomTableLayout, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { shownDate } from '@kelisim/domain/calendar.ts'
import type { HelpLanguage } from '@kelisim/domain/help/documents.ts'
import { palette } from '@kelisim/pdf/palette.ts'
import { a4, millimetre } from '@kelisim/pdf/units.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Block, Source, Span } from './markdown.ts'

const side = 22 * millimetre
const width = a4.width - 2 * side
/** A little narrower than the text, so that two pictures with their steps fit on one page. */
const pictureWidth = 420
export type HelpPages = {
  source: Source
  language: HelpLanguage
  version: string
  /** The bytes of a screenshot by its name. */
  picture: (name: string) => Buffer
  /** What is inserted at the placeholders of the source. */
  insets: Record<string, () => Content>
}

export function helpDefinition(pages: HelpPages): TDocumentDefinitions {
  const { source, language, version } = pages
  const { title, lead, edition, contents } = source.facts
  if (title === undefined || edition === undefined) throw new Error('a source needs a title and an edition')
  const t = textsOf(language, 'help')
  return {
    pageSize: 'A4',
    pageMargins: [side, 24 * millimetre, side, 22 * millimetre],
    defaultStyle: { font: 'Golos', fontSize: 10.5, lineHeight: 1.3, color: palette.ink },
    info: { title, subject: lead ?? title, author: 'Kelisim', creator: 'Kelisim', producer: 'Kelisim' },
    language,
    displayTitle: true,
    header: (page) =>
      page === 1
        ? ''
        : { text: title, fontSize: 8.5, color: palette.soft, margin: [side, 12 * millimetre, side, 0] },
    footer: (page, count) => ({
      columns: [
        { text: 'Келісім', color: palette.turquoise, bold: true, fontSize: 8.5 },
        { text: t('pdf.page', { page, count }), alignment: 'right', color: palette.soft, fontSize: 8.5 },
      ],
      margin: [side, 8 * millimetre, side, 0],
    }),
    content: [
      { text: 'Келісім', color: palette.turquoise, bold: true, fontSize: 13, margin: [0, 0, 0, 26] },
      { text: title, bold: true, fontSize: 25, lineHeight: 1.12, margin: [0, 0, 0, 8] },
      ...(lead === undefined
        ? []
        : [{ text: lead, fontSize: 12, color: palette.soft, margin: [0, 0, 0, 8] as Four }]),
      {
        text: t('pdf.edition', { date: shownDate(edition), version }),
        fontSize: 9,
        color: palette.soft,
        margin: [0, 0, 0, 14],
      },
      rule(palette.turquoise, 1.5),
      ...(contents === undefined ? [] : tableOfContents(t('pdf.contents'))),
      ...(contents === 'page' ? [{ text: '', pageBreak: 'after' as const }] : []),
      ...bodyOf(pages),
    ],
  }
}

type Four = [number, number, number, number]

function rule(color: string, lineWidth: number): Content {
  return { canvas: [{ type: 'line', x1: 0, y1: 0, x2: width, y2: 0, lineWidth, lineColor: color }] }
}

function tableOfContents(title: string): Content[] {
  return [
    {
      toc: {
        title: { text: title, bold: true, fontSize: 13, margin: [0, 18, 0, 8] },
        numberStyle: { color: palette.soft },
        outlines: true,
      },
    },
  ]
}

function bodyOf(pages: HelpPages): Content[] {
  const { blocks, facts } = pages.source
  const hasClauses = facts['clauses'] === 'yes'
  let [section, clause] = [0, 0]
  const contents = blocks.map((block): Content[] => {
    if (block.kind === 'heading' && block.level === 2) {
      section += 1
      clause = 0
      return [heading(`${section}. ${block.text}`, 2)]
    }
    if (block.kind === 'heading') return [heading(block.text, 3)]
    if (hasClauses && block.kind === 'paragraph' && section > 0) {
      clause += 1
      return [numbered(`${section}.${clause}.`, block.spans)]
    }
    return block.kind === 'list' ? listed(block) : [shown(block, pages)]
  })
  return headedTogether(blocks, contents)
}

/** Keeps a heading on one page with just the beginning of its text: a block longer than a page is not printed. */
function headedTogether(blocks: readonly Block[], contents: readonly Content[][]): Content[] {
  const together: Content[] = []
  for (let i = 0; i < contents.length; i++) {
    const first = i
    while (blocks[i]?.kind === 'heading') i++
    const headings = contents.slice(first, i).flat()
    const [beginning, ...rest] = contents[i] ?? []
    const group = beginning === undefined ? headings : [...headings, beginning]
    together.push(...(headings.length === 0 ? group : [{ stack: group, unbreakable: true }]), ...rest)
  }
  return together
}

/** A list made of columns, so that text extraction reads the number before its line and not inside it. */
function listed({ items, isOrdered }: Extract<Block, { kind: 'list' }>): Content[] {
  return items.map((spans, i) => ({
    columns: [
      { text: isOrdered ? `${i + 1}.` : '•', width: isOrdered ? 18 : 12, color: palette.turquoise },
      { text: runs(spans), width: '*' },
    ],
    margin: [6, 0, 0, i === items.length - 1 ? 10 : 3],
  }))
}

function heading(text: string, level: 2 | 3): Content {
  return {
    text,
    bold: true,
    fontSize: level === 2 ? 15 : 11.5,
    color: level === 2 ? palette.ink : palette.turquoise,
    margin: level === 2 ? [0, 20, 0, 7] : [0, 10, 0, 4],
    ...(level === 2 && { tocItem: true, tocMargin: [0, 3, 0, 0] as Four, tocStyle: { fontSize: 10.5 } }),
  }
}

function numbered(number: string, spans: Span[]): Content {
  return {
    columns: [
      { text: number, width: 34, color: palette.soft },
      { text: runs(spans), width: '*' },
    ],
    margin: [0, 0, 0, 6],
  }
}

function shown(block: Exclude<Block, { kind: 'heading' | 'list' }>, pages: HelpPages): Content {
  switch (block.kind) {
    case 'paragraph':
      return { text: runs(block.spans), margin: [0, 0, 0, 7] }
    case 'note':
      return boxed({ text: runs(block.spans) }, palette.pale, palette.turquoise)
    case 'code':
      return boxed(
        { text: block.text, fontSize: 8.5, lineHeight: 1.25, preserveLeadingSpaces: true },
        palette.pale,
        palette.line,
      )
    case 'table':
      return {
        table: {
          headerRows: 1,
          keepWithHeaderRows: 2,
          dontBreakRows: true,
          widths: block.head.map((_, i) => (i === 0 ? 'auto' : '*')),
          body: [
            block.head.map((spans) => ({ text: runs(spans), bold: true, fontSize: 9.5 })),
            ...block.rows.map((row) => row.map((spans) => ({ text: runs(spans), fontSize: 9.5 }))),
          ],
        },
        layout: lined,
        unbreakable: block.rows.length < 10,
        margin: [0, 4, 0, 10],
      }
    case 'picture':
      return {
        unbreakable: true,
        stack: [
          {
            table: {
              widths: [pictureWidth],
              body: [
                [
                  {
                    image: `data:image/jpeg;base64,${pages.picture(block.name).toString('base64')}`,
                    width: pictureWidth - 2,
                    margin: [0, 0, 0, -3],
                  },
                ],
              ],
            },
            layout: framed,
          },
          { text: block.caption, fontSize: 9, color: palette.soft, margin: [0, 4, 0, 0] },
        ],
        margin: [0, 6, 0, 12],
      }
    case 'inset': {
      const inset = pages.insets[block.name]
      if (!inset) throw new Error(`nothing is made for {{${block.name}}}`)
      return inset()
    }
  }
}

function runs(spans: Span[]): ContentText[] {
  return spans.map(({ text, bold: isBold, code, link }) => ({
    text,
    ...(isBold && { bold: true }),
    ...(code && { background: palette.pale }),
    ...(link !== undefined && { link, color: palette.turquoise, decoration: 'underline' as const }),
  }))
}

function boxed(content: Content, fill: string, edge: string): Content {
  return {
    table: { widths: ['*'], body: [[content]] },
    layout: {
      hLineWidth: () => 0,
      vLineWidth: (i) => (i === 0 ? 2.5 : 0),
      vLineColor: () => edge,
      fillColor: () => fill,
      paddingLeft: () => 10,
      paddingRight: () => 10,
      paddingTop: () => 7,
      paddingBottom: () => 5,
    },
    unbreakable: true,
    margin: [0, 2, 0, 10],
  }
}

export const lined: CustomTableLayout = {
  hLineWidth: (i) => (i === 0 ? 0 : 0.6),
  vLineWidth: () => 0,
  hLineColor: () => palette.line,
  fillColor: (row) => (row === 0 ? palette.pale : null),
  paddingTop: () => 5,
  paddingBottom: () => 4,
  paddingLeft: () => 7,
  paddingRight: () => 7,
}

const framed: CustomTableLayout = {
  hLineWidth: () => 0.7,
  vLineWidth: () => 0.7,
  hLineColor: () => palette.line,
  vLineColor: () => palette.line,
  paddingTop: () => 0,
  paddingBottom: () => 0,
  paddingLeft: () => 0,
  paddingRight: () => 0,
}
