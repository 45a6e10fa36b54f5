/**
 * Shows deceptive text of strangers: characters that reverse text or are invisible are replaced by their numbers, in
 * brackets that every font has. For names from certificates, which must neither be changed silently nor deceive.
 */

/** Includes the Braille blank (U+2800), the only empty character that Unicode does not list among invisible ones. */
export const unseenCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(
      unseenCharacters,
      (character) => `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    )
}

/** Equivalent JSON in which such characters are escaped, for terminals, where they would deceive too. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(unseenCharacters, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

export function withoutUnseen(text: string): string {
  return text.replaceAll(unseenCharacters, '')
}

/** Joiners and selectors inside emoji, and the non-joiner between Arabic letters, whose effect is visible. */
const visibleJoiners =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3)|(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})/gu

/** Removes invisible characters; emoji and Arabic words stay intact. */
export function withoutHidden(text: string): string {
  let result = ''
  let from = 0
  for (const { index, 0: joiner } of text.matchAll(visibleJoiners)) {
    result += withoutUnseen(text.slice(from, index)) + joiner
    from = index + joiner.length
  }
  return result + withoutUnseen(text.slice(from))
}

/** Whether the text has invisible characters, so that texts that look the same may differ. */
export function hasUnseen(text: string): boolean {
  return text.replaceAll(visibleJoiners, '').search(unseenCharacters) !== -1
}
