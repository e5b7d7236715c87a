/**
 * Folder exclusion of imports: a name excludes every folder of that name, a path with a slash only the folder at that
 * path from the root of the tree.
 */
import { nameOf } from '../../core/pages/paths.js'
import type { LeftOutItem } from './archive.js'

export type Exclusion = (folder: string) => boolean

/** Returns a function that tells whether a folder itself is excluded. */
export function createExclusion(folders: readonly string[]): Exclusion {
  const plain = folders.map((folder) => folder.replace(/^\.?\/|\/$/g, ''))
  const names = new Set(plain.filter((folder) => !folder.includes('/')))
  const paths = new Set(plain)
  return (folder) => names.has(nameOf(folder)) || paths.has(folder)
}

/** Returns the outermost excluded folder that contains a file, undefined when there is none. */
export function findExcluded(file: string, isExcluded: Exclusion): string | undefined {
  for (let slash = file.indexOf('/'); slash >= 0; slash = file.indexOf('/', slash + 1)) {
    const folder = file.slice(0, slash)
    if (isExcluded(folder)) return folder
  }
  return undefined
}

export function excludedFolder(folder: string): LeftOutItem {
  return { path: `${folder}/`, leftOut: 'This folder was left out, as was asked.' }
}
