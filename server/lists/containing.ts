/** A LIKE pattern in which the person's own % and _ are just letters. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}
