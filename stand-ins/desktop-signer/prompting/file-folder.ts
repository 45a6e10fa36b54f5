/**
 * Documents that pages may name by path. The real program reads any file that a page names; this one is limited to a
 * folder, because a page that can have any file signed and attached can read that file.
 */
import { readdir, readFile, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'

export type FileFolder = {
  /** The paths of all files with this extension; of all files for null. */
  list: (extension: string | null) => Promise<string[]>
  /** Null: the folder has no such file. */
  read: (path: string) => Promise<Uint8Array | null>
}

export function fileFolder(folder: string): FileFolder {
  return {
    async list(extension) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
      return entries
        .filter((entry) => entry.isFile() && hasExtension(entry.name, extension))
        .map((entry) => join(folder, entry.name))
        .toSorted()
    },
    async read(path) {
      try {
        const place = await realpath(isAbsolute(path) ? path : join(folder, path))
        const way = relative(await realpath(folder), place)
        if (way === '' || way.split(sep)[0] === '..' || isAbsolute(way)) return null
        return new Uint8Array(await readFile(place))
      } catch {
        return null
      }
    },
  }
}

function hasExtension(name: string, extension: string | null): boolean {
  return extension === null || name.toLowerCase().endsWith(`.${extension.toLowerCase()}`)
}
