import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { fileOfModule } from './chunks.ts'

const pages = ['one', 'two', 'three', 'four', 'five'].map((name) => `${name}.js`)

test('modules are put together in chunks by the pages that load them', async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'requests', 'lists'), { recursive: true })
  const write = (name: string, ...lines: string[]) => writeFileSync(join(root, name), lines.join('\n'))
  const imports = (...names: string[]) => names.map((name) => `import './${name}.js'`)
  const module = (name: string) => write(`${name}.js`, `console.log('${name}')`)
  for (const name of [
    'everywhere',
    'application',
    'quick',
    'listed',
    'loading',
    'both',
    'shared',
    'rare',
    'own',
  ])
    module(name)
  write(
    'index.js',
    ...imports('everywhere', 'application'),
    ...pages.map((page) => `import('./${page}')`),
    `import('./requests/lists/lists-page.tsx')`,
    `import('./requests/lists/loaders.ts')`,
  )
  write('quick.entry.js', ...imports('everywhere', 'quick', 'both'))
  write('requests/lists/lists-page.tsx', `import '../../listed.js'`, `import '../../both.js'`)
  write('requests/lists/loaders.ts', `import '../../loading.js'`, `console.log('loader')`)
  pages.forEach((page, i) =>
    write(
      page,
      ...imports('shared', 'loading', ...(i < 2 ? ['rare'] : []), ...(i === 0 ? ['own', 'quick'] : [])),
    ),
  )
  const plain = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      rolldownOptions: { input: { index: join(root, 'index.js'), quick: join(root, 'quick.entry.js') } },
    },
  })
  const fileOf = fileOfModule(plain)
  const files = (...names: string[]) => names.map((name) => fileOf(join(root, name)))
  expect(files('everywhere.js', 'application.js', 'quick.js')).toEqual([
    'start-of-index-in-index-quick',
    'start-of-index-in-index',
    'start-of-quick-in-index-quick',
  ])
  expect(files('listed.js', 'loading.js', 'both.js')).toEqual([
    'first-page-in-index',
    'first-page-in-index',
    'start-of-quick-and-first-page-in-index-quick',
  ])
  expect(files('shared.js', 'rare.js', 'own.js')).toEqual(['pages-in-index', null, null])
  const loadedLazily = [...pages, 'requests/lists/lists-page.tsx', 'requests/lists/loaders.ts']
  expect(files('index.js', ...loadedLazily)).toEqual(Array(8).fill(null))
})

test('a lazy part of the landing page loads nothing that only another part needs', async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'landing', 'client'), { recursive: true })
  const write = (name: string, ...lines: string[]) => writeFileSync(join(root, name), lines.join('\n'))
  for (const name of ['captcha', 'react']) write(`${name}.js`, `console.log('${name}')`)
  write('quick.js', `import './captcha.js'`, `import './react.js'`)
  write('landing/client/feedback.js', `import '../../captcha.js'`, `console.log('feedback')`)
  write('landing.js', `import('./landing/client/feedback.js')`, `import('./landing/client/quick.js')`)
  write('landing/client/quick.js', `import('../../quick-send.js')`)
  write('quick-send.js', `import './captcha.js'`, `import './react.js'`, `console.log('send')`)
  const plain = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      rolldownOptions: { input: { landing: join(root, 'landing.js'), quick: join(root, 'quick.js') } },
    },
  })
  const fileOf = fileOfModule(plain)
  expect(fileOf(join(root, 'captcha.js'))).toBe('start-of-quick-in-landing-quick-for-feedback')
  expect(fileOf(join(root, 'react.js'))).toBe('start-of-quick-in-landing-quick')
})
