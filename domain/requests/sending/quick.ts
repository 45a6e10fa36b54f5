/** Quick send: which group of the sender signs. */

/**
 * An individual, or the owner of a firm of one, has nobody to choose among: their own group of one signs, and is made for them
 * when it is first needed.
 */
export function isAlone(members: readonly string[], userId: string): boolean {
  return members.length === 1 && members[0] === userId
}

/** The name of the group of one; other groups of the organisation may have the name of the person already. */
export function nameOfOwnGroup(fullName: string, taken: readonly string[]): string {
  const names = new Set(taken.map((name) => name.toLowerCase()))
  const numbered = (number: number) => (number === 1 ? fullName : `${fullName} ${number}`)
  let number = 1
  while (names.has(numbered(number).toLowerCase())) number++
  return numbered(number)
}
