/**
 * `node signature/build.ts` compiles the AssemblyScript of algorithms/wasm into algorithms/built, one TypeScript file a
 * module with its bytes as text (docs/decisions/006-wasm.md). The built files are kept in git; a test compiles them
 * again and compares.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fmaField } from './algorithms/wasm/fma-field.ts'
import { inLocals } from './algorithms/wasm/in-locals.ts'
import { integerField } from './algorithms/wasm/integer-field.ts'
import { montgomeryField } from './algorithms/wasm/montgomery-field.ts'

type Compile = (
  args: string[],
  files: {
    readFile: (file: string) => string | null
    writeFile: (file: string, contents: string | Uint8Array) => void
    listFiles: () => string[]
    reportDiagnostic: (diagnostic: { message: string }) => void
  },
) => Promise<{ error: Error | null }>

/** A variable hides the import from the type checker: the compiler's types redeclare the globals of JavaScript. */
const compiler: string = 'assemblyscript/asc'
const { main: compile } = (await import(compiler)) as { main: Compile }

const sources = join(import.meta.dirname, 'algorithms', 'wasm')
const built = join(import.meta.dirname, 'algorithms', 'built')

/** Each module is one text: its parts concatenated. */
const modules: Record<string, () => string> = {
  streebog: () => source('streebog'),
  gost34311: () => source('gost34311'),
  sha: () => source('sha'),
  fused: () => source('fused'),
  'fma-256': () => fmaCurve(256, 6, 43),
  'fma-512': () => fmaCurve(512, 11, 47),
  'integer-256': () => integerCurve(256, 10, 26),
  'integer-512': () => integerCurve(512, 19, 27),
  'montgomery-256': () => montgomeryCurve(256, 10, 27),
}

export const moduleNames = Object.keys(modules)

/** The content of built/NAME.ts, compiled from the sources. */
export async function buildModule(name: string): Promise<string> {
  const text = modules[name]!()
  let bytes = new Uint8Array()
  const problems: string[] = []
  const options = ['--runtime', 'stub', optimization(name), '--noAssert', '--use', 'abort=']
  const features = ['--enable', 'simd', '--enable', 'relaxed-simd']
  const { error } = await compile(['module.ts', '-o', 'module.wasm', ...options, ...features], {
    readFile: (file) => (file === 'module.ts' ? text : null),
    writeFile: (_, contents) => {
      if (typeof contents !== 'string') bytes = Uint8Array.from(contents)
    },
    listFiles: () => [],
    reportDiagnostic: (diagnostic) => problems.push(diagnostic.message),
  })
  if (error) throw new Error([`${name}: ${error.message}`, ...problems].join('\n'))
  return `// Made by signature/build.ts from algorithms/wasm: change it there.\nexport const wasm =\n  '${Buffer.from(bytes).toString('base64')}'\n`
}

/**
 * The engine that runs the code optimises it again. Above the first level, the compiler moves computations to where
 * their results are used, which keeps more values alive than there are registers. Only the integer field gains by
 * that.
 */
function optimization(name: string): string {
  return name.startsWith('integer') ? '-O2' : '-O1'
}

export function readBuilt(name: string): string {
  return readFileSync(join(built, `${name}.ts`), 'utf8')
}

function fmaCurve(bits: number, limbs: number, width: number): string {
  const field = fmaField(bits, limbs, width)
  const formulas = unrolled(source('pair-points'), limbs, 16)
  const points = inLocals(formulas, 'doubleMinus3', limbs, field.writeProduct)
  return curve(field.text(), source('fma-lanes'), points)
}

function integerCurve(bits: number, limbs: number, width: number): string {
  const points = unrolled(source('pair-points'), Math.ceil(limbs / 2), 16)
  return curve(integerField(bits, limbs, width), source('integer-lanes'), points)
}

function montgomeryCurve(bits: number, limbs: number, width: number): string {
  return curve(montgomeryField(bits, limbs, width), unrolled(source('montgomery-points'), limbs, 8))
}

function curve(...parts: string[]): string {
  return [...parts, source('scalars'), source('multiplication')].join('\n')
}

/** Unrolls loops marked “each limb”, which the compiler does not do. */
function unrolled(text: string, count: number, step: number): string {
  const loop = /^ {2}for \(let i: usize = 0; i < SIZE; i \+= \d+\) \{ \/\/ each limb\n([^]*?)\n {2}\}$/gm
  return text.replaceAll(loop, (_, body: string) =>
    Array.from({ length: count }, (_, i) => `  {\n    const i: usize = ${step * i};\n${body}\n  }`).join(
      '\n',
    ),
  )
}

function source(name: string): string {
  return readFileSync(join(sources, `${name}.as`), 'utf8')
}

if (import.meta.main) {
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : moduleNames
  for (const name of wanted) writeFileSync(join(built, `${name}.ts`), await buildModule(name))
}
