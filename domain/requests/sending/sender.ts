/** Nobody sends documents to others under a number that they have not proved by its key (docs/product/in-whose-name.md). */

type AskedPoint = {
  /** The organisation whose people act; null: whoever has the number. */
  organizationId: string | null
}

/** Whether anybody outside the sending organisation is asked or notified. */
export function leavesSender(points: readonly AskedPoint[], senderId: string): boolean {
  return points.some(({ organizationId }) => organizationId !== senderId)
}
