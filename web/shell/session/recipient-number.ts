/** The BIN or IIN that a link says its document is for: one number, whatever else the query holds. */
export function recipientNumber(search: string): string | null {
  const value = new URLSearchParams(search).get('number') ?? ''
  return /^"?(\d{12})"?$/.exec(value)?.[1] ?? null
}
