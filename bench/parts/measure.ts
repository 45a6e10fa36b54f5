export type Measure = {
  name: string
  /** What we reach, and what the anchor reaches (or the limit, where the goal is a limit). */
  value: number
  anchor: number
  ratio: number
  goal: string
  ok: boolean
  /** What else there is to say: a second anchor, or one that is missing. */
  note?: string
}

export function rounded(number: number): number {
  return Number(number.toPrecision(4))
}
