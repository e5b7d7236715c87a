/**
 * Folders that an import leaves out: a name means every folder of that name, a path with a slash the one folder at it,
 * from the top of the tree.
 */
import { nameOf } from '../../core/pages/paths.js'
import type { LeftOutItem } from './archive.js'

export type Exclusion = (folder: string) => boolean

/** Returns whether a folder is left out by itself. */
export function createExclusion(folders: readonly string[]): Exclusion {
  const plain = folders.map((folder) => folder.replace(/^\.?\/|\/$/g, ''))
  const names = new Set(plain.filter((folder) => !folder.includes('/')))
  const paths = new Set(plain)
  return (folder) => names.has(nameOf(folder)) || paths.has(folder)
}

/** Returns the outermost folder of a file that is left out, undefined when none is. */
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
