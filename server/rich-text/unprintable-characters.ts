/** Characters of a written document that the fonts lack. */
import { openSync } from 'fontkit'
import { notoSerif } from '@kelisim/pdf/fonts.ts'
import { everyInline, type Block } from '@kelisim/domain/rich-text/rich-text.ts'

let fonts: ReturnType<typeof openSync>[] | null = null

/** Characters that would be printed as empty boxes: nobody should sign those. */
export function unprintableCharacters(blocks: readonly Block[]): string[] {
  fonts ??= Object.values(notoSerif).map((path) => openSync(path))
  const known = fonts
  const unknown = new Set<string>()
  for (const inline of everyInline(blocks)) {
    if (inline.kind === 'break') continue
    const text = inline.kind === 'text' ? inline.text : inline.value || inline.name
    for (const character of text) {
      if (!known.every((font) => font.hasGlyphForCodePoint(character.codePointAt(0)!))) unknown.add(character)
    }
  }
  return [...unknown]
}
