/** The type that written documents are set in: four faces of Noto Serif, which has every letter of our three languages. */
import { createRequire } from 'node:module'
import { openSync } from 'fontkit'
import { everyInline, type Block } from '@kelisim/domain/rich-text/rich-text.ts'

export const faces = {
  normal: pathOf('400Regular/NotoSerif_400Regular.ttf'),
  bold: pathOf('700Bold/NotoSerif_700Bold.ttf'),
  italics: pathOf('400Regular_Italic/NotoSerif_400Regular_Italic.ttf'),
  bolditalics: pathOf('700Bold_Italic/NotoSerif_700Bold_Italic.ttf'),
}

function pathOf(face: string): string {
  return createRequire(import.meta.url).resolve(`@expo-google-fonts/noto-serif/${face}`)
}

let fonts: ReturnType<typeof openSync>[] | null = null

/** Signs that would be printed as empty boxes: nobody should sign those. */
export function unknownSigns(blocks: readonly Block[]): string[] {
  fonts ??= Object.values(faces).map((path) => openSync(path))
  const known = fonts
  const unknown = new Set<string>()
  for (const inline of everyInline(blocks)) {
    if (inline.kind === 'break') continue
    const text = inline.kind === 'text' ? inline.text : inline.value || inline.name
    for (const sign of text) {
      if (!known.every((font) => font.hasGlyphForCodePoint(sign.codePointAt(0)!))) unknown.add(sign)
    }
  }
  return [...unknown]
}
