/** The BIN or IIN in a link, for which its document is meant. */
export function recipientNumber(search: string): string | null {
  const value = new URLSearchParams(search).get('number') ?? ''
  return /^"?(\d{12})"?$/.exec(value)?.[1] ?? null
}
