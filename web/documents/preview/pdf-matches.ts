/**
 * Finds words on a page of a PDF. A PDF holds pieces of text with their positions: a word may begin in one piece and
 * end in the next, and line breaks do not separate the words of a phrase.
 */

/** `hasEOL`: a line ends with this piece. Gaps within a line are separate pieces. */
export type Piece = { str: string; hasEOL: boolean }
/** A range of characters of one piece that belongs to a match. */
export type Part = { piece: number; from: number; to: number }

export function folded(text: string): string {
  return text
    .replaceAll(/[\s\S]/g, foldedLetter)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Every match, as ranges of the pieces it consists of. */
export function matchesIn(pieces: readonly Piece[], words: string): Part[][] {
  const wanted = folded(words)
  if (wanted === '') return []
  const letters = lettersOf(pieces)
  const text = letters.map(({ letter }) => letter).join('')
  const matches: Part[][] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    matches.push(partsOf(letters.slice(at, at + wanted.length)))
  }
  return matches
}

/** One UTF-16 unit each, so that indexes in the text are indexes in this list. */
type Letter = { letter: string; piece: number; at: number }

function lettersOf(pieces: readonly Piece[]): Letter[] {
  const letters: Letter[] = []
  const add = (letter: string, piece: number, at: number) => {
    const isSpace = /\s/.test(letter)
    if (isSpace && (letters.length === 0 || letters.at(-1)?.letter === ' ')) return
    letters.push({ letter: isSpace ? ' ' : foldedLetter(letter), piece, at })
  }
  pieces.forEach(({ str, hasEOL }, piece) => {
    for (let at = 0; at < str.length; at++) add(str[at]!, piece, at)
    if (hasEOL) add(' ', piece, str.length)
  })
  return letters
}

function partsOf(letters: readonly Letter[]): Part[] {
  const byPiece = Map.groupBy(letters, ({ piece }) => piece)
  return [...byPiece]
    .map(([piece, here]) => ({ piece, from: here[0]!.at, to: here.at(-1)!.at + 1 }))
    .filter(({ from, to }) => to > from)
}

/** Keeps the length: a character whose lower case is longer stays as it is. */
function foldedLetter(letter: string): string {
  const small = letter.toLocaleLowerCase('kk')
  return small.length === letter.length ? small : letter
}
