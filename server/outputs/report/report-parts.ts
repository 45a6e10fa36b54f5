/** The look of headings, tables and pairs of the report, and its format of moments and numbers. */
import type { Content, CustomTableLayout } from 'pdfmake/interfaces.js'
import { secondInAlmaty } from '@kelisim/domain/calendar.ts'
import { palette } from '@kelisim/pdf/palette.ts'

export function heading(text: string): Content {
  return { text, bold: true, fontSize: 12, margin: [0, 14, 0, 5], headlineLevel: 1 }
}

export function note(text: string): Content {
  return { text: breakable(text), color: palette.soft, margin: [0, 0, 0, 5] }
}

const lines: CustomTableLayout = {
  hLineWidth: () => 0.5,
  vLineWidth: () => 0,
  hLineColor: () => palette.line,
  paddingTop: () => 3,
  paddingBottom: () => 3,
  paddingLeft: () => 4,
  paddingRight: () => 4,
}

/** A table of names and values; unknown values are left out. */
export function pairs(all: readonly (readonly [string, string | null | undefined])[]): Content {
  const known = all.filter((pair): pair is readonly [string, string] => !!pair[1])
  return {
    table: {
      widths: [120, '*'],
      body: known.map(([name, value]) => [{ text: name, color: palette.soft }, { text: breakable(value) }]),
    },
    layout: lines,
  }
}

export type Line = { text: string; bold?: boolean; color?: string; alignment?: 'right' }

/** Each cell is a list of lines. */
export function table(widths: (number | '*')[], head: readonly string[], rows: readonly Line[][][]): Content {
  const cell = (lines: readonly Line[], i: number): Content => ({
    stack: lines.map((line) => ({ ...line, text: breakable(line.text, widths[i] === '*' ? 22 : 16) })),
  })
  return {
    table: {
      widths,
      headerRows: 1,
      // A row that is kept together although it is longer than a page would be cut off.
      dontBreakRows: rows.every((cells) => cells.every(isShort)),
      body: [
        head.map((text) => ({ text, bold: true, fillColor: palette.pale })),
        ...rows.map((cells) => cells.map(cell)),
      ],
    },
    layout: lines,
  }
}

/** Whether a cell fits on a page even in a narrow column. */
export function isShort(lines: readonly Line[]): boolean {
  return lines.reduce((length, { text }) => length + text.length, 0) < 900
}

/** Breaks words that are longer than their column: they would push the other columns off the page. */
export function breakable(text: string, longest = 69): string {
  const piece = longest === 69 ? 44 : longest
  return text.replaceAll(new RegExp(`\\S{${longest + 1},}`, 'gu'), (long) =>
    long.replaceAll(new RegExp(`.{${piece}}(?=.)`, 'gu'), '$&\n'),
  )
}

export const grouped = new Intl.NumberFormat('ru-RU')

export function moment(at: string | Date): string {
  return secondInAlmaty(new Date(at)).replace(',', '')
}
