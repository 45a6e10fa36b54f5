/** Who sends, and what the request keeps of them. */
import { refuse } from '@kelisim/domain/errors.ts'
import type { OrganizationOptions } from '@kelisim/domain/options/options.ts'
import { leavesSender } from '@kelisim/domain/requests/sending/sender.ts'

export type Sender = {
  organizationId: string
  userId: string
  member: { organizationId: string; roles: number; options: OrganizationOptions }
}

/** The sender as the request keeps it. */
export type SenderFacts = { name: string; bin: string; confirmedAt: Date | null }

/** Others read the name and number of the sender, so these must be proved by its key. */
export function refuseUnproved(
  points: readonly { organizationId: string | null }[],
  { bin, confirmedAt }: Pick<SenderFacts, 'bin' | 'confirmedAt'>,
  organizationId: string,
): void {
  if (confirmedAt === null && leavesSender(points, organizationId))
    refuse('organization-not-confirmed', { bin })
}
