/**
 * The type of the card: Golos Text, and Noto Serif for signs that it lacks. Signs are set one by one, by their own widths,
 * so that what is measured is what is drawn; only those that were used are embedded.
 */
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { PDFRawStream, PDFString, type PDFContext, type PDFRef } from '@cantoo/pdf-lib'
import { create, type Font, type Glyph, type Subset } from '@cantoo/fontkit'
import { golosText, notoSerif } from './fonts.ts'

const files = {
  regular: golosText.normal,
  bold: golosText.bold,
  fallback: notoSerif.normal,
}
type FaceName = keyof typeof files
export type Weight = 'regular' | 'bold'

const opened = new Map<FaceName, Font>()

function fontOf(name: FaceName): Font {
  let font = opened.get(name)
  if (!font) {
    font = create(readFileSync(files[name])) as Font
    opened.set(name, font)
  }
  return font
}

/** Signs in a row from one face, as a content stream writes them. */
export type Run = { face: FaceName; codes: string }

export type TypeFaces = {
  /** In points. */
  widthOf: (text: string, weight: Weight, size: number) => number
  runsOf: (text: string, weight: Weight) => Run[]
  /** The faces that were used, by the names under which runs call them. */
  embed: (context: PDFContext) => Record<string, PDFRef>
}

/** `width`: for type of one point. */
type Sign = { face: FaceName; glyph: Glyph; sign: string; width: number }
type Used = { subset: Subset; signs: Map<number, Sign> }

export function openTypeFaces(): TypeFaces {
  const used = new Map<FaceName, Used>()
  const known = { regular: new Map<string, Sign>(), bold: new Map<string, Sign>() }

  function signOf(sign: string, weight: Weight): Sign {
    let found = known[weight].get(sign)
    if (!found) {
      const code = sign.codePointAt(0)!
      const face = ([weight, 'fallback'] as const).find((name) => fontOf(name).hasGlyphForCodePoint(code))
      // A sign that no face has is drawn as a question mark, and said to be one.
      const shown = face === undefined ? '?' : sign
      const at = face ?? weight
      const font = fontOf(at)
      const glyph = font.glyphForCodePoint(shown.codePointAt(0)!)!
      found = { face: at, glyph, sign: shown, width: glyph.advanceWidth / font.unitsPerEm }
      known[weight].set(sign, found)
    }
    return found
  }

  function usedOf(face: FaceName): Used {
    let one = used.get(face)
    if (!one) used.set(face, (one = { subset: fontOf(face).createSubset(), signs: new Map() }))
    return one
  }

  return {
    widthOf(text, weight, size) {
      let width = 0
      for (const sign of text) width += signOf(sign, weight).width
      return width * size
    },
    runsOf(text, weight) {
      const runs: Run[] = []
      for (const letter of text) {
        const sign = signOf(letter, weight)
        const { subset, signs } = usedOf(sign.face)
        const id = subset.includeGlyph(sign.glyph)
        signs.set(id, sign)
        const code = id.toString(16).padStart(4, '0')
        const last = runs.at(-1)
        if (last?.face === sign.face) last.codes += code
        else runs.push({ face: sign.face, codes: code })
      }
      return runs
    },
    embed: (context) =>
      Object.fromEntries([...used].map(([face, use]) => [face, embedded(context, face, use)])),
  }
}

/** Of one face: the program with the used signs, their widths, and the letters they stand for. */
function embedded(context: PDFContext, face: FaceName, { subset, signs }: Used): PDFRef {
  const font = fontOf(face)
  const scale = 1000 / font.unitsPerEm
  const name = `KELSIM+${font.postscriptName ?? face}`
  const program = Buffer.from(subset.encode())
  const fontFile = registerStream(context, program, { Length1: program.length })
  const { minX, minY, maxX, maxY } = font.bbox
  const descriptor = context.register(
    context.obj({
      Type: 'FontDescriptor',
      FontName: name,
      Flags: face === 'fallback' ? 6 : 4,
      FontBBox: [minX, minY, maxX, maxY].map((value) => Math.round(value * scale)),
      ItalicAngle: 0,
      StemV: face === 'bold' ? 120 : 80,
      CapHeight: Math.round(font.capHeight * scale),
      Ascent: Math.round(font.ascent * scale),
      Descent: Math.round(font.descent * scale),
      FontFile2: fontFile,
    }),
  )
  const ids = [...signs.keys()].toSorted((one, other) => one - other)
  const widths = ids.flatMap((id) => [id, [Math.round(signs.get(id)!.glyph.advanceWidth * scale)]])
  const descendant = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: name,
      CIDToGIDMap: 'Identity',
      DW: 0,
      CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
      FontDescriptor: descriptor,
      W: widths,
    }),
  )
  const letters = lettersOf(ids.map((id) => [id, signs.get(id)!.sign]))
  return context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: registerStream(context, Buffer.from(letters), {}),
    }),
  )
}

export function registerStream(
  context: PDFContext,
  bytes: Uint8Array,
  entries: Record<string, string | number | number[]>,
): PDFRef {
  const packed = deflateSync(bytes)
  const dict = context.obj({ ...entries, Filter: 'FlateDecode', Length: packed.length })
  return context.register(PDFRawStream.of(dict, packed))
}

/** How readers turn the codes back into letters, for search and copying. */
function lettersOf(pairs: readonly (readonly [number, string])[]): string {
  const hex = (number: number) => number.toString(16).padStart(4, '0')
  const rows = pairs.map(([id, sign]) => {
    const units = Array.from({ length: sign.length }, (_, i) => hex(sign.charCodeAt(i)))
    return `<${hex(id)}> <${units.join('')}>`
  })
  const blocks: string[] = []
  // The format allows a hundred in a block.
  for (let i = 0; i < rows.length; i += 100) {
    const block = rows.slice(i, i + 100)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
  }
  return [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange\n<0000> <ffff>\nendcodespacerange',
    ...blocks,
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end\nend',
  ].join('\n')
}
