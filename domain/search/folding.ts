/**
 * Folding: the one spelling in which words are stored in the index and compared with a query. It is in lower case,
 * with ё as е, and with Kazakh letters as the Russian ones that people type if their keyboard has no others. The
 * database function `search_fold` does the same; a test compares both.
 */

/** The letter to which each lower-case letter of the alphabets is folded. */
const folded: Readonly<Record<string, string>> = {
  ё: 'е',
  ә: 'а',
  ғ: 'г',
  қ: 'к',
  ң: 'н',
  ө: 'о',
  ұ: 'у',
  ү: 'у',
  һ: 'х',
  і: 'и',
  // The Latin alphabets of Kazakh, and names with accents.
  ä: 'a',
  á: 'a',
  ğ: 'g',
  ñ: 'n',
  ö: 'o',
  ó: 'o',
  ş: 's',
  ü: 'u',
  ū: 'u',
  ú: 'u',
  ı: 'i',
  ç: 'c',
  é: 'e',
}

export const kazakhLetters = /[әғқңөұүһі]/i

/** Of longer words only the beginning is stored. */
export const longestWord = 64

/** Folds a text; the result is as long as its composed form (NFC), so that positions in both are the same. */
export function fold(text: string): string {
  return (
    text
      .normalize('NFC')
      // The only letter whose lower case is longer.
      .replaceAll('İ', 'I')
      .toLowerCase()
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[^\x00-\x7fа-я]/g, (letter) => folded[letter] ?? ' ')
  )
}

/** Runs of letters and digits, including the separators inside numbers of documents: 77/2026, 15.10.2026, К-12. */
const runs = /[0-9a-zа-я]+(?:[/.-][0-9a-zа-я]+)*/g

/** The words under which a text is found; a number with separators counts as a whole and as its parts. */
export function wordsOf(text: string): string[] {
  const words = new Set<string>()
  for (const [run] of fold(text).matchAll(runs)) {
    for (const word of wordsOfRun(run)) words.add(word.slice(0, longestWord))
  }
  return [...words]
}

function wordsOfRun(run: string): string[] {
  const parts = run.split(/[/.-]/)
  return isNumber(run) ? [parts.join('/'), ...parts] : parts
}

/** Whether the run is a number with separators; in a run without a digit they only divide words. */
export function isNumber(run: string): boolean {
  return /[/.-]/.test(run) && /\d/.test(run)
}

/** The runs of letters, digits and separators of a text, folded. */
export function runsOf(text: string): string[] {
  return [...fold(text).matchAll(runs)].map(([run]) => run)
}
