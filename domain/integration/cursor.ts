/**
 * The position up to which a program has read the changes of an organisation. It names the organisation, so that a
 * cursor used for another organisation is refused instead of skipping or repeating changes.
 */

export function cursorOf(organizationId: string, position: number): string {
  return `${organizationId.replaceAll('-', '')}.${position}`
}

/** Null: not a cursor of this organisation. */
export function positionIn(cursor: string, organizationId: string): number | null {
  const [owner, digits, ...more] = cursor.split('.')
  if (owner !== organizationId.replaceAll('-', '') || more.length > 0) return null
  const position = Number(digits)
  return digits !== undefined && /^(-1|0|[1-9]\d*)$/.test(digits) && Number.isSafeInteger(position)
    ? position
    : null
}

/** The position before the first change. */
export const beginning = -1
