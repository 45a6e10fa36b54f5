/**
 * Which organisation a page works in (CHECKLIST.md A-04): the one of the query if it is the person's, else the one
 * remembered for this login, else the first. None at all: null.
 */
export function chooseOrganization(
  organizations: readonly { Id: string }[],
  fromQuery: string | undefined,
  remembered: string | undefined,
): string | null {
  const isOurs = (id: string | undefined) => organizations.some((o) => o.Id === id)
  if (fromQuery !== undefined && isOurs(fromQuery)) return fromQuery
  if (remembered !== undefined && isOurs(remembered)) return remembered
  return organizations[0]?.Id ?? null
}
