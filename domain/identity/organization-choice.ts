/**
 * Which organisation a page works in (docs/product/identity-and-organisations.md#a-04): the one in the query if the
 * person belongs to it, else the one remembered for this login, else the first. None at all: null.
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
