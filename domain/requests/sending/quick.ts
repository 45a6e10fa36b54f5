/** Quick send: which group of the sender signs. */

/**
 * An individual, or the only member of an organisation, has no group to choose: a group with only them signs, and is
 * created when it is first needed.
 */
export function isAlone(members: readonly string[], userId: string): boolean {
  return members.length === 1 && members[0] === userId
}

/** The name of that group; numbered if another group of the organisation already has the name of the person. */
export function nameOfOwnGroup(fullName: string, taken: readonly string[]): string {
  const names = new Set(taken.map((name) => name.toLowerCase()))
  const numbered = (number: number) => (number === 1 ? fullName : `${fullName} ${number}`)
  let number = 1
  while (names.has(numbered(number).toLowerCase())) number++
  return numbered(number)
}
