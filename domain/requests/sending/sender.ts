/**
 * Sending to others requires that the sender has proved its number by a signature (docs/product/in-whose-name.md).
 */

type AskedPoint = {
  /** The organisation whose people act; null: anybody who proves the number. */
  organizationId: string | null
}

/** Whether anybody outside the sending organisation is asked or notified. */
export function leavesSender(points: readonly AskedPoint[], senderId: string): boolean {
  return points.some(({ organizationId }) => organizationId !== senderId)
}
