/**
 * Runs the questions of visitors of the check page in turn: one visitor may have a few in progress and some waiting,
 * so that a flood of one visitor does not leave others without an answer.
 */
export type VisitorLimits = {
  /** How many questions of all visitors together run at once. */
  atOnce: number
  ofOneAtOnce: number
  ofOneWaiting: number
}

export type VisitorTurns = {
  /** False: this visitor has as many questions waiting as allowed. */
  mayAsk: (visitor: string) => boolean
  run: <T>(visitor: string, work: () => Promise<T>) => Promise<T>
}

type Line = { running: number; waiting: (() => void)[] }

export function createVisitorTurns({ atOnce, ofOneAtOnce, ofOneWaiting }: VisitorLimits): VisitorTurns {
  // In the order of their turns: a visitor who had a turn goes to the end.
  const lines = new Map<string, Line>()
  let running = 0

  function startNext(): void {
    while (running < atOnce) {
      const found = [...lines].find(([, line]) => line.waiting.length > 0 && line.running < ofOneAtOnce)
      if (!found) return
      const [visitor, line] = found
      lines.delete(visitor)
      lines.set(visitor, line)
      running++
      line.running++
      line.waiting.shift()!()
    }
  }

  return {
    mayAsk: (visitor) => (lines.get(visitor)?.waiting.length ?? 0) < ofOneWaiting,
    async run(visitor, work) {
      const line = lines.get(visitor) ?? { running: 0, waiting: [] }
      lines.set(visitor, line)
      await new Promise<void>((start) => {
        line.waiting.push(start)
        startNext()
      })
      try {
        return await work()
      } finally {
        running--
        line.running--
        lines.delete(visitor)
        if (line.running > 0 || line.waiting.length > 0) lines.set(visitor, line)
        startNext()
      }
    },
  }
}
