/** Prints one job like the server, and reports the peak memory in kilobytes. */
import { readFile } from 'node:fs/promises'
import { openPrinting } from '@kelisim/server/outputs/printable/printing.ts'
import type { PrintableJob, PrintableSignature } from '@kelisim/server/outputs/printable/printable-job.ts'

type Written = Omit<PrintableJob, 'signatures'> & {
  signatures: (Omit<PrintableSignature, 'cms'> & { cms: number[] })[]
}

const { facts, signatures, ...job } = JSON.parse(await readFile(process.argv[2]!, 'utf8')) as Written
const printing = openPrinting()
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
await printing.close()
console.log(process.resourceUsage().maxRSS)
