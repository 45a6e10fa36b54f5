/** The first verifications are ten times slower than later ones, so a worker runs some before they are needed. */
import { curves, type CurveName } from './algorithms/curves.ts'
import { verifyPair } from './algorithms/gost.ts'
import { groupOf } from './algorithms/groups.ts'
import { hash } from './algorithms/hash.ts'

const usual: CurveName[] = ['tc26-512-a', 'cryptopro-a']

export function warmUp(): void {
  const bytes = new Uint8Array(64 * 1024)
  for (const name of ['streebog-512', 'gost-34.311', 'sha-256'] as const) hash(name, bytes)
  for (const name of usual) {
    const { x, y } = curves[name]
    for (let i = 1n; i <= 20n; i++) verifyPair(groupOf(name), { x, y }, i, { r: x + i, s: y >> 1n })
  }
}
