/**
 * The fonts of the document card: Golos Text, and Noto Serif for characters that it lacks. Characters are placed one by
 * one by their own widths, so that measured and drawn widths agree; only the characters used are embedded.
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

/** Consecutive characters of one face, as written into a content stream. */
export type Run = { face: FaceName; codes: string }

export type TypeFaces = {
  /** In points. */
  widthOf: (text: string, weight: Weight, size: number) => number
  runsOf: (text: string, weight: Weight) => Run[]
  /** The faces that were used, by the names that runs refer to. */
  embed: (context: PDFContext) => Record<string, PDFRef>
}

/** `width`: at a font size of one point. */
type Character = { face: FaceName; glyph: Glyph; text: string; width: number }
type UsedFace = { subset: Subset; characters: Map<number, Character> }

export function openTypeFaces(): TypeFaces {
  const used = new Map<FaceName, UsedFace>()
  const known = { regular: new Map<string, Character>(), bold: new Map<string, Character>() }

  function characterOf(text: string, weight: Weight): Character {
    let found = known[weight].get(text)
    if (!found) {
      const code = text.codePointAt(0)!
      const face = ([weight, 'fallback'] as const).find((name) => fontOf(name).hasGlyphForCodePoint(code))
      // A character that no face has is drawn and extracted as a question mark.
      const shown = face === undefined ? '?' : text
      const at = face ?? weight
      const font = fontOf(at)
      const glyph = font.glyphForCodePoint(shown.codePointAt(0)!)!
      found = { face: at, glyph, text: shown, width: glyph.advanceWidth / font.unitsPerEm }
      known[weight].set(text, found)
    }
    return found
  }

  function usedOf(face: FaceName): UsedFace {
    let one = used.get(face)
    if (!one) used.set(face, (one = { subset: fontOf(face).createSubset(), characters: new Map() }))
    return one
  }

  return {
    widthOf(text, weight, size) {
      let width = 0
      for (const one of text) width += characterOf(one, weight).width
      return width * size
    },
    runsOf(text, weight) {
      const runs: Run[] = []
      for (const one of text) {
        const character = characterOf(one, weight)
        const { subset, characters } = usedOf(character.face)
        const id = subset.includeGlyph(character.glyph)
        characters.set(id, character)
        const code = id.toString(16).padStart(4, '0')
        const last = runs.at(-1)
        if (last?.face === character.face) last.codes += code
        else runs.push({ face: character.face, codes: code })
      }
      return runs
    },
    embed: (context) =>
      Object.fromEntries([...used].map(([face, use]) => [face, embedded(context, face, use)])),
  }
}

/** Embeds one face: the font program with the used characters, their widths, and their Unicode values. */
function embedded(context: PDFContext, face: FaceName, { subset, characters }: UsedFace): PDFRef {
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
  const ids = [...characters.keys()].toSorted((one, other) => one - other)
  const widths = ids.flatMap((id) => [id, [Math.round(characters.get(id)!.glyph.advanceWidth * scale)]])
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
  const toUnicode = toUnicodeMap(ids.map((id) => [id, characters.get(id)!.text]))
  return context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: registerStream(context, Buffer.from(toUnicode), {}),
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

/** Maps the codes back to Unicode, for search and copying. */
function toUnicodeMap(pairs: readonly (readonly [number, string])[]): string {
  const hex = (number: number) => number.toString(16).padStart(4, '0')
  const rows = pairs.map(([id, text]) => {
    const units = Array.from({ length: text.length }, (_, i) => hex(text.charCodeAt(i)))
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
