/**
 * `node scripts/signature-package/build.ts FOLDER` makes the package `@kelisim/signature`: JavaScript that any Node and any
 * bundler reads, types, the command and the examples. `npm pack` in that folder makes the archive to publish.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '../..')
const here = import.meta.dirname

export async function buildPackage(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await writeCode(folder)
  writeTypes(join(folder, 'types'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description(), null, 2)}\n`)
  cpSync(join(here, 'README.md'), join(folder, 'README.md'))
  cpSync(join(here, 'examples'), join(folder, 'examples'), { recursive: true })
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

function description() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return {
    name: '@kelisim/signature',
    version,
    description:
      'Verifies the electronic signatures of Kazakhstan: CMS, PDF, XML, archives. Offline, in Node and browsers',
    license: 'Apache-2.0',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22' },
    exports: { '.': { types: './types/scripts/signature-package/index.d.ts', default: './index.js' } },
    bin: { 'kelisim-verify': './kelisim-verify.js' },
    files: ['*.js', 'types', 'examples'],
  }
}

/** The command and the library share their chunks. */
async function writeCode(folder: string): Promise<void> {
  const bundle = await rolldown({
    input: { index: join(here, 'index.ts'), 'kelisim-verify': join(here, 'command.ts') },
    platform: 'neutral',
    external: /^node:/,
    resolve: { extensions: ['.ts', '.js'] },
    logLevel: 'warn',
  })
  await bundle.write({
    dir: folder,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'engine-[hash].js',
  })
  await bundle.close()
}

/** Writes the types. The compiler keeps names of our packages, which must become paths outside this repository. */
function writeTypes(folder: string): void {
  const settings = mkdtempSync(join(tmpdir(), 'kelisim-types-'))
  try {
    const config = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: root,
        outDir: folder,
        lib: ['es2024', 'dom'],
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
        // Types of packages in node_modules are not written.
        paths: { '@kelisim/*': [join(root, '*')] },
      },
      files: [join(here, 'index.ts')],
    }
    writeFileSync(join(settings, 'tsconfig.json'), JSON.stringify(config))
    const compiler = join(root, 'node_modules/.bin/tsc')
    const { status, stdout } = spawnSync(compiler, ['-p', settings], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stdout)
  } finally {
    rmSync(settings, { recursive: true })
  }
  // These modules hold compiled code as text, and nobody imports their types.
  rmSync(join(folder, 'signature/algorithms/built'), { recursive: true })
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(folder, name)
    writeFileSync(path, withPaths(readFileSync(path, 'utf8'), path, folder))
  }
}

function withPaths(text: string, path: string, folder: string): string {
  return text.replaceAll(
    /(from |import\()(['"])([^'"]+)\.ts\2/g,
    (_, keyword: string, quote: string, name: string) => {
      const own = /^@kelisim\/(.+)$/.exec(name)
      const target = own ? relative(dirname(path), join(folder, own[1]!)) : name
      return `${keyword}${quote}${target.startsWith('.') ? target : `./${target}`}.js${quote}`
    },
  )
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new RangeError('Where to?')
  await buildPackage(resolve(folder))
}
