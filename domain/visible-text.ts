/**
 * Text of strangers as it is, instead of as it pretends to be: characters that reverse text or cannot be seen are shown by
 * their numbers, in brackets that every font has. For names from certificates, which must not be changed silently and must not deceive.
 */

/** The Braille blank is the one empty character that Unicode does not list among those that cannot be seen. */
export const unseenCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(
      unseenCharacters,
      (character) => `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    )
}

/** JSON that says the same, in which such characters stand by their numbers: for a terminal, where they would deceive as well. */
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

/** Joiners and selectors inside of emoji, and the non-joiner between Arabic letters: a reader sees what they do. */
const visibleJoiners =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3)|(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})/gu

/** Without characters that nobody sees; emoji and Arabic words stay whole. */
export function withoutHidden(text: string): string {
  let result = ''
  let from = 0
  for (const { index, 0: joiner } of text.matchAll(visibleJoiners)) {
    result += withoutUnseen(text.slice(from, index)) + joiner
    from = index + joiner.length
  }
  return result + withoutUnseen(text.slice(from))
}

/** Whether the text has characters that nobody sees, so that two that look the same may differ. */
export function hasUnseen(text: string): boolean {
  return text.replaceAll(visibleJoiners, '').search(unseenCharacters) !== -1
}
