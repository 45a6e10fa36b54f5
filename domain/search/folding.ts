/**
 * Folding: the one spelling in which words are stored in the index and compared with a query. Lower case, ё as е, and the
 * Kazakh letters as the Russian ones that people type when their keyboard has no others. The function `search_fold` of the
 * database does the same; a test compares them.
 */

/** Each letter of the alphabets, in lower case, as the letter it is folded to. */
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

/** Words longer than this are stored by their beginning. */
export const longestWord = 64

/** As long as the text in its composed form (NFC), so that a place in one is the same place in the other. */
export function fold(text: string): string {
  return (
    text
      .normalize('NFC')
      // The only letter that is longer in lower case.
      .replaceAll('İ', 'I')
      .toLowerCase()
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[^\x00-\x7fа-я]/g, (letter) => folded[letter] ?? ' ')
  )
}

/** Letters and digits, with the signs that hold a number of a document together: 77/2026, 15.10.2026, К-12. */
const runs = /[0-9a-zа-я]+(?:[/.-][0-9a-zа-я]+)*/g

/** The words under which a text is found; a number with its signs is a word as a whole and by its parts. */
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

/** Whether its signs hold it together: without a digit they only separate words. */
export function isNumber(run: string): boolean {
  return /[/.-]/.test(run) && /\d/.test(run)
}

/** The runs of letters, digits and signs of a text, folded. */
export function runsOf(text: string): string[] {
  return [...fold(text).matchAll(runs)].map(([run]) => run)
}
