/** A text of somebody for a printed document: what the fonts cannot print stands as a question mark, and nothing of it is HTML. */
export function printable(text: string): string {
  return text
    .replaceAll(/[^\p{Script=Cyrillic}\p{Script=Latin}\p{N}\p{P}\p{Zs}+<=>|^~$₸№]/gu, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('{', '(')
    .replaceAll('}', ')')
}
