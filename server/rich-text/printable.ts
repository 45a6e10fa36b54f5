/**
 * A user's text for a printed document: characters that the fonts lack become question marks, and HTML is escaped.
 */
export function printable(text: string): string {
  return text
    .replaceAll(/[^\p{Script=Cyrillic}\p{Script=Latin}\p{N}\p{P}\p{Zs}+<=>|^~$₸№]/gu, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('{', '(')
    .replaceAll('}', ')')
}
