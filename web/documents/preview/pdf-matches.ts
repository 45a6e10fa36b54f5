/**
 * Where words stand on a page. A PDF knows pieces of text and where each begins; words may begin in one and end in the
 * next, and lines that are broken in the document are not broken for who looks for words.
 */

/** `hasEOL`: a line ends with it. Gaps within a line are pieces of their own. */
export type Piece = { str: string; hasEOL: boolean }
/** Letters of one piece, from and to, that are part of what was looked for. */
export type Part = { piece: number; from: number; to: number }

export function folded(text: string): string {
  return text
    .replaceAll(/[\s\S]/g, foldedLetter)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Each place where the words stand, as the parts of pieces that they are made of. */
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

/** One UTF-16 unit each, so that places in the text are places in this list. */
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

/** As long as it was: a letter whose small form takes two places stays what it is. */
function foldedLetter(letter: string): string {
  const small = letter.toLocaleLowerCase('kk')
  return small.length === letter.length ? small : letter
}
