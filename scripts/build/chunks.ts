/**
 * Which modules share a file of the built site. Left alone, the bundler makes a file for every set of pages that have
 * modules in common: hundreds of them, most below 2 KB, and a page waited for a hundred and more.
 */
import type { build } from 'vite'

type Built = Awaited<ReturnType<typeof build>>
type Output = Extract<Built, { output: unknown }>['output']

/** The page that most people see first, and its loader: their files should contain as little else as possible. */
const firstPage = ['/requests/lists/lists-page.tsx', '/requests/lists/loaders.ts']
const partsOfLanding = '/landing/client/'
/** A module that fewer pages than this need stays in their own files. */
const pagesThatShare = 4

/**
 * Names the file of a module by who loads it. `plain` is the site as the bundler would split it by itself. No HTML page
 * loads a module that only others use: each has a content policy of its own.
 */
export function fileOfModule(plain: Built): (module: string) => string | null {
  const { users, roots } = usersOfModules(outputOf(plain))
  return (module) => {
    const { starts, sites, pages } = users.get(module) ?? nobody()
    const name = [...sites].toSorted().join('-') + forLanding(starts, pages)
    if (roots.has(module)) return null
    const isOnFirstPage = [...pages].some((page) => firstPage.some((part) => page.endsWith(part)))
    if (starts.size > 0) {
      const andFirstPage = isOnFirstPage && !starts.has('index') ? '-and-first-page' : ''
      return `start-of-${startsOf(starts)}${andFirstPage}-in-${name}`
    }
    if (isOnFirstPage) return `first-page-in-${name}`
    return pages.size >= pagesThatShare ? `pages-in-${name}` : null
  }
}

/**
 * The modules that the application starts with form one file for each set of HTML pages that use them at all; only
 * the landing, which has hardly any scripts, loads nothing that it does not start with.
 */
function startsOf(starts: ReadonlySet<string>): string {
  const isShared = starts.has('index') && !starts.has('landing')
  return isShared ? 'index' : [...starts].toSorted().join('-')
}

/** A part of the landing that is loaded later, such as its feedback form, must not load modules of another part. */
function forLanding(starts: ReadonlySet<string>, pages: ReadonlySet<string>): string {
  if (starts.has('landing')) return ''
  const parts = [...pages].filter((page) => page.includes(partsOfLanding))
  return parts
    .map((part) => `-for-${part.slice(part.lastIndexOf('/') + 1).replace(/\.\w+$/, '')}`)
    .toSorted()
    .join('')
}

function outputOf(built: Built): Output {
  if ('output' in built) return built.output
  throw new Error('The build has no single output')
}

type Users = {
  /** HTML pages that load it at their start. */
  starts: Set<string>
  /** HTML pages that load it at all. */
  sites: Set<string>
  /** Lazily loaded modules that cannot run without it. */
  pages: Set<string>
}

function nobody(): Users {
  return { starts: new Set(), sites: new Set(), pages: new Set() }
}

function usersOfModules(output: Output): { users: Map<string, Users>; roots: Set<string | null> } {
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])))
  const roots = [...chunks.values()].filter(({ isEntry, isDynamicEntry }) => isEntry || isDynamicEntry)
  const users = new Map<string, Users>()
  for (const { fileName, isEntry, name, facadeModuleId } of roots) {
    for (const known of usersLoadedWith(fileName, 'at once')) {
      if (isEntry) known.starts.add(name)
      else known.pages.add(facadeModuleId ?? name)
    }
    if (isEntry) for (const known of usersLoadedWith(fileName, 'ever')) known.sites.add(name)
  }
  return { users, roots: new Set(roots.map(({ facadeModuleId }) => facadeModuleId)) }

  function usersLoadedWith(fileName: string, when: 'at once' | 'ever'): Users[] {
    const modules = [...filesLoadedWith(fileName, when)].flatMap((file) => chunks.get(file)?.moduleIds ?? [])
    return modules.map((module) => {
      const ofModule = users.get(module) ?? nobody()
      users.set(module, ofModule)
      return ofModule
    })
  }

  function filesLoadedWith(fileName: string, when: 'at once' | 'ever', loaded = new Set<string>()) {
    const chunk = chunks.get(fileName)
    if (!chunk || loaded.has(fileName)) return loaded
    loaded.add(fileName)
    for (const file of chunk.imports) filesLoadedWith(file, when, loaded)
    if (when === 'ever') for (const file of chunk.dynamicImports) filesLoadedWith(file, when, loaded)
    return loaded
  }
}
