/** What the history says about changed steps, read from the data of its events. */
import * as z from 'zod/mini'
import { turnsOf } from '../../routes/route.ts'

const Steps = z.array(z.object({ order: z.int(), name: z.string() }))
const Sides = z.array(z.object({ name: z.string(), bin: z.string() }))

/** The steps ahead in their order, with the steps of one turn together; null for other events. */
export function toldSteps(data: Record<string, unknown>): Record<'before' | 'after', string> | null {
  const before = Steps.safeParse(data['before'])
  const after = Steps.safeParse(data['after'])
  return before.success && after.success ? { before: inTurns(before.data), after: inTurns(after.data) } : null
}

function inTurns(steps: z.output<typeof Steps>): string {
  return turnsOf(steps)
    .map(({ points }) => points.map(({ name }) => name).join(' + '))
    .join(' → ')
}

/** The signing sides, each once: by name, or by number if the name is not known. */
export function toldSides({ sides }: Record<string, unknown>): string | null {
  const { success, data } = Sides.safeParse(sides)
  return success ? [...new Set(data.map(({ name, bin }) => name || bin))].join(', ') : null
}
