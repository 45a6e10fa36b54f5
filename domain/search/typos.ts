/** Corrects mistyped words to the nearest words in things that the viewer may see. */
import { fold, longestWord } from './folding.ts'

/** Shorter words are not corrected, because too many others are near. */
const shortestCorrected = 4

/** How many wrong, missing, extra or swapped letters a word of this length may have. */
function mostErrors(length: number): number {
  if (length < 6) return 1
  return length < 10 ? 2 : 3
}

/** The query that was probably meant, in folded letters; null: no known word is near. */
export function corrected(text: string, known: readonly string[]): string | null {
  const chunks = text.normalize('NFC').split(/\s+/).filter(Boolean)
  const meant = chunks.map((chunk) => nearest(chunk, known) ?? chunk)
  return meant.some((word, i) => word !== chunks[i]) ? meant.join(' ') : null
}

function nearest(chunk: string, known: readonly string[]): string | null {
  const typed = fold(chunk)
  if (!/^[а-яa-z]+$/.test(typed) || typed.length < shortestCorrected || typed.length > longestWord)
    return null
  // A known word, or the beginning of one, needs no correction.
  if (known.some((word) => word.startsWith(typed))) return null
  const most = mostErrors(typed.length)
  let best: { word: string; errors: number; rest: number } | null = null
  for (const word of known) {
    if (word.length < typed.length - most || !/^[а-яa-z]+$/.test(word)) continue
    const { errors, rest } = errorsIn(typed, word)
    if (errors > most) continue
    const isNearer = !best || errors < best.errors || (errors === best.errors && rest < best.rest)
    if (isNearer) best = { word, errors, rest }
  }
  return best?.word ?? null
}

/**
 * The fewest errors with which `typed` is the beginning of `word` (optimal string alignment), and how many letters of
 * the word remain, because a half-typed word may be mistyped too.
 */
export function errorsIn(typed: string, word: string): { errors: number; rest: number } {
  let beforeLast: number[] = []
  let last = Array.from({ length: word.length + 1 }, (_, column) => column)
  for (let row = 1; row <= typed.length; row++) {
    const now = [row]
    for (let column = 1; column <= word.length; column++) {
      const isSame = typed[row - 1] === word[column - 1]
      const isSwapped =
        row > 1 && column > 1 && typed[row - 1] === word[column - 2] && typed[row - 2] === word[column - 1]
      now[column] = Math.min(
        last[column]! + 1,
        now[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? beforeLast[column - 2]! + 1 : Infinity,
      )
    }
    beforeLast = last
    last = now
  }
  const errors = Math.min(...last)
  return { errors, rest: word.length - last.lastIndexOf(errors) }
}
