export type Measure = {
  name: string
  /** Our value, and the anchor's (or the limit, where the goal is a limit). */
  value: number
  anchor: number
  ratio: number
  goal: string
  ok: boolean
  /** Remarks: a second anchor, or a missing one. */
  note?: string
}

export function rounded(number: number): number {
  return Number(number.toPrecision(4))
}
