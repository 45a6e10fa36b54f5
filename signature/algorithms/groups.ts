/** Selects the build of the arithmetic for a curve, by trying, when the curve is first needed. */
import { wasm as fma256 } from './built/fma-256.ts'
import { wasm as fma512 } from './built/fma-512.ts'
import { wasm as fused } from './built/fused.ts'
import { wasm as integer256 } from './built/integer-256.ts'
import { wasm as integer512 } from './built/integer-512.ts'
import { wasm as montgomery256 } from './built/montgomery-256.ts'
import { curves, type Curve, type CurveName } from './curves.ts'
import { createGroup, type Group } from './group.ts'
import { bytesOf, loadModule } from './load-wasm.ts'

export type Backend = 'fma' | 'integer' | 'montgomery'

const groups = new Map<CurveName, Group>()

export function groupOf(name: CurveName): Group {
  const known = groups.get(name)
  if (known) return known
  const group = fastestGroup(name)
  groups.set(name, group)
  return group
}

/** The builds that support this curve's prime, the fastest first. */
export function backendsOf(name: CurveName): Backend[] {
  // for the prime of CryptoPro-C neither 2^256 nor 2^258 has a small remainder
  return name === 'cryptopro-c' ? ['montgomery'] : ['fma', 'integer']
}

export function createGroupOn(backend: Backend, curve: Curve): Group {
  switch (backend) {
    case 'fma':
      return createGroup(curve, moduleOf(curve.bits === 256 ? fma256 : fma512), 'special')
    case 'integer':
      return createGroup(curve, moduleOf(curve.bits === 256 ? integer256 : integer512), 'special')
    case 'montgomery':
      if (curve.bits !== 256) throw new RangeError('There is no such build for 512 bits')
      return createGroup(curve, moduleOf(montgomery256), 'montgomery')
  }
}

/** Whether WebAssembly has relaxed SIMD here (Safari has not) and the processor fuses multiply-add. */
export function hasFusedMultiplyAdd(): boolean {
  const bytes = bytesOf(fused)
  if (!WebAssembly.validate(bytes)) return false
  const exports = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as { isFused: () => number }
  return exports.isFused() === 1
}

/** A build that fails its self-test is skipped; if the last one fails, this machine cannot be trusted to verify. */
function fastestGroup(name: CurveName): Group {
  const usable = backendsOf(name).filter((backend) => backend !== 'fma' || hasFusedMultiplyAdd())
  for (const backend of usable.slice(0, -1)) {
    try {
      return createGroupOn(backend, curves[name])
    } catch {
      // the next build is slower and simpler
    }
  }
  return createGroupOn(usable.at(-1)!, curves[name])
}

const modules = new Map<string, WebAssembly.Module>()

function moduleOf(wasm: string): WebAssembly.Module {
  const known = modules.get(wasm)
  if (known) return known
  const module = loadModule(wasm)
  modules.set(wasm, module)
  return module
}
