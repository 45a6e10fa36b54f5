/**
 * Drawing on a page: positions in millimetres from its upper left corner, font sizes in points. Produces the operators
 * of a content stream.
 */
import type { PDFContext, PDFRef } from '@cantoo/pdf-lib'
import { rgbOf, type Colour } from './palette.ts'
import type { Matrix } from './qr-code.ts'
import { millimetre } from './units.ts'
import { registerStream, type TypeFaces, type Weight } from './type-faces.ts'

export const sheetSize = { width: 210, height: 297 }
/** The line height relative to the font size. */
const leading = 1.32

export type Style = { size: number; weight?: Weight; colour?: Colour }

/** Shared by all pages of a card, so that a QR code that appears on each page is stored once. */
export type Paper = { context: PDFContext; faces: TypeFaces; pictures: Map<Matrix, PDFRef> }

export type Drawing = ReturnType<typeof openDrawing>

export function openDrawing({ context, faces, pictures }: Paper) {
  const operators: string[] = []
  const codes: Matrix[] = []
  const put = (...parts: (string | number)[]) =>
    void operators.push(parts.map((part) => (typeof part === 'number' ? shown(part) : part)).join(' '))
  const across = (x: number) => x * millimetre
  const down = (y: number) => (sheetSize.height - y) * millimetre

  function line(
    text: string,
    x: number,
    baseline: number,
    { size, weight = 'regular', colour = 'ink' }: Style,
  ) {
    const runs = faces.runsOf(text, weight)
    if (runs.length === 0) return
    put('BT', ...rgbOf(colour), 'rg', 1, 0, 0, 1, across(x), down(baseline), 'Tm')
    for (const { face, codes } of runs) put(`/${face}`, size, `Tf <${codes}> Tj`)
    put('ET')
  }

  function pictureOf(matrix: Matrix): PDFRef {
    const known = pictures.get(matrix) ?? registerCode(context, matrix)
    pictures.set(matrix, known)
    return known
  }

  return {
    line,
    widthOf: (text: string, { size, weight = 'regular' }: Style) =>
      faces.widthOf(text, weight, size) / millimetre,
    /** Ends at `x`. */
    lineTo(text: string, x: number, baseline: number, style: Style) {
      line(text, x - faces.widthOf(text, style.weight ?? 'regular', style.size) / millimetre, baseline, style)
    },
    fill(x: number, y: number, width: number, height: number, colour: Colour) {
      put(
        ...rgbOf(colour),
        'rg',
        across(x),
        down(y + height),
        width * millimetre,
        height * millimetre,
        're f',
      )
    },
    frame(x: number, y: number, width: number, height: number, colour: Colour) {
      put(
        ...rgbOf(colour),
        'RG 0.6 w',
        across(x),
        down(y + height),
        width * millimetre,
        height * millimetre,
        're S',
      )
    },
    rule(x: number, y: number, width: number, colour: Colour, weight = 0.6) {
      put(...rgbOf(colour), 'RG', weight, 'w', across(x), down(y), 'm', across(x + width), down(y), 'l S')
    },
    /** A stroke through these points, with round ends and corners. */
    stroke(places: readonly (readonly [number, number])[], colour: Colour, weight: number) {
      const path = places.flatMap(([x, y], i) => [across(x), down(y), i === 0 ? 'm' : 'l'])
      put('q 1 J 1 j', ...rgbOf(colour), 'RG', weight * millimetre, 'w', ...path, 'S Q')
    },
    /** Draws a QR code, dark where `matrix` is true, with a quiet zone of four modules. */
    code(matrix: Matrix, x: number, y: number, size: number) {
      const number = codes.push(matrix)
      put(
        'q',
        size * millimetre,
        0,
        0,
        size * millimetre,
        across(x),
        down(y + size),
        `cm /code${number} Do Q`,
      )
    },
    /** The logo of the product, drawn on a grid of 32 by 32. */
    mark(x: number, y: number, size: number) {
      const scale = (size / 32) * millimetre
      put('q', scale, 0, 0, -scale, across(x), down(y), 'cm 1 J 2.6 w')
      for (const { colour, from, curves } of markStrokes) {
        put(...rgbOf(colour), 'RG', ...from, 'm', ...curves.flatMap((curve) => [...curve, 'c']), 'S')
      }
      put('Q')
    },
    /** Draws as if the page were rotated by 90° to the left around this point, which becomes the upper left corner. */
    turned(x: number, y: number, draw: () => void) {
      // Moves the upper left corner of the rotated page, where the drawing begins, to this point.
      put('q', 0, 1, -1, 0, across(x) + down(0), down(y), 'cm')
      draw()
      put('Q')
    },
    /** The page's content and its resources; the fonts are passed when all pages are drawn. */
    finish(fonts: Record<string, PDFRef>) {
      const contents = registerStream(context, Buffer.from(operators.join('\n'), 'latin1'), {})
      const drawn = codes.map((matrix, i) => [`code${i + 1}`, pictureOf(matrix)] as const)
      return { contents, resources: context.obj({ Font: fonts, XObject: Object.fromEntries(drawn) }) }
    },
  }
}

/** The height of one line of this size. */
export const heightOf = ({ size }: Style) => (size * leading) / millimetre
/** From the top of a line to its baseline. */
export const baselineOf = ({ size }: Style) => (size * 1.02) / millimetre

/** Lines no wider than this; a word wider than a line is broken. */
export function wrapped(
  drawing: Pick<Drawing, 'widthOf'>,
  text: string,
  width: number,
  style: Style,
): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let current = ''
    for (const word of paragraph.split(' ')) {
      const together = current === '' ? word : `${current} ${word}`
      if (drawing.widthOf(together, style) <= width) {
        current = together
        continue
      }
      if (current !== '') lines.push(current)
      const pieces = broken(drawing, word, width, style)
      lines.push(...pieces.slice(0, -1))
      current = pieces.at(-1) ?? ''
    }
    lines.push(current)
  }
  return lines
}

function broken(drawing: Pick<Drawing, 'widthOf'>, word: string, width: number, style: Style): string[] {
  const pieces: string[] = []
  let [current, taken] = ['', 0]
  for (const sign of word) {
    const own = drawing.widthOf(sign, style)
    if (taken + own > width && current !== '') {
      pieces.push(current)
      ;[current, taken] = ['', 0]
    }
    current += sign
    taken += own
  }
  return [...pieces, current]
}

/** Returns at most `most` lines; the last ends with an ellipsis if lines were cut off. */
export function cut(lines: readonly string[], most: number): string[] {
  return lines.length <= most
    ? [...lines]
    : [...lines.slice(0, most - 1), `${lines[most - 1]!.slice(0, -1)}…`]
}

function shown(number: number): string {
  return String(Math.round(number * 1000) / 1000)
}

const quiet = 4

function registerCode(context: PDFContext, { size: inner, modules }: Matrix): PDFRef {
  const size = inner + 2 * quiet
  const row = Math.ceil(size / 8)
  const bits = Buffer.alloc(row * size, 255)
  for (let i = 0, y = quiet; y < inner + quiet; y++) {
    for (let x = quiet; x < inner + quiet; x++, i++) {
      if (modules[i] === 1) bits[y * row + (x >> 3)]! &= ~(128 >> (x & 7))
    }
  }
  const kind = { Type: 'XObject', Subtype: 'Image', ColorSpace: 'DeviceGray', BitsPerComponent: 1 }
  return registerStream(context, bits, { ...kind, Width: size, Height: size })
}

const markStrokes: { colour: Colour; from: number[]; curves: number[][] }[] = [
  {
    colour: 'turquoise',
    from: [26.2, 7.2],
    curves: [
      [22.22, 2.64, 15.69, 1.29, 10.22, 3.89],
      [4.75, 6.5, 1.69, 12.42, 2.73, 18.39],
      [3.77, 24.36, 8.65, 28.9, 14.67, 29.51],
      [20.7, 30.12, 26.39, 26.64, 28.6, 21],
    ],
  },
  {
    colour: 'gold',
    from: [7, 19.5],
    curves: [
      [10.4, 12.9, 13.6, 10.2, 14.6, 12.9],
      [15.6, 15.5, 11.9, 20.1, 14.8, 20.3],
      [17.5, 20.5, 19.4, 12.5, 22.3, 12.5],
      [24.9, 12.5, 23.3, 17.7, 24.6, 19.4],
      [25.5, 20.6, 27.3, 20, 29.8, 17.3],
    ],
  },
]
