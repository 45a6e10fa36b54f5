/** A LIKE pattern in which the user's own % and _ are ordinary characters. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}
