/** Prints one job like the server, and reports the peak memory of its processes in kilobytes. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { openPrinting } from '@kelisim/server/outputs/printable/printing.ts'
import type { PrintableJob, PrintableSignature } from '@kelisim/server/outputs/printable/printable-job.ts'

type Written = Omit<PrintableJob, 'signatures'> & {
  signatures: (Omit<PrintableSignature, 'cms'> & { cms: number[] })[]
}

const { facts, signatures, ...job } = JSON.parse(await readFile(process.argv[2]!, 'utf8')) as Written
const printing = openPrinting()
let peak = 0
const looking = setInterval(() => (peak = Math.max(peak, childrenPeak())), 10)
await printing.print({
  ...job,
  facts: { ...facts, madeAt: new Date(facts.madeAt) },
  signatures: signatures.map(({ cms, acceptedAt, verdict, ...signature }) => ({
    ...signature,
    cms: Uint8Array.from(cms),
    acceptedAt: new Date(acceptedAt),
    verdict: { ...verdict, checkedAt: new Date(verdict.checkedAt) },
  })),
})
clearInterval(looking)
await printing.close()
console.log(process.resourceUsage().maxRSS + peak)

/** The peak memory of the child that prints, which may end as soon as it is done. */
function childrenPeak(): number {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
  return Math.max(0, ...pids.map(peakOf))
}

function peakOf(pid: string): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0 // The process has just ended.
  }
}
