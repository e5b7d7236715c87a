/**
 * `.gitbook.yaml` parsing: content root, names of special files, redirects, and folders excluded from imports. Invalid
 * values fall back to their defaults with a problem.
 */
import type { Problem } from '../document/types.js'
import { decodePercent, joinPath } from '../links/resolve.js'
import { defaultConfig, type ContentConfig } from '../config.js'
import { isMapping } from '../mapping.js'
import { readMapping } from './yaml-text.js'

export interface ParsedConfig {
  readonly config: ContentConfig
  /** Folders excluded from imports, as written. */
  readonly exclude: readonly string[]
  readonly problems: readonly Problem[]
}

/** Returns the configuration, with defaults for the rest; paths are relative and never leave the root. Never throws. */
export function parseConfig(text: string): ParsedConfig {
  const { value, problems } = readMapping(text)
  const report = (message: string) => problems.push({ message, span: { start: 0, end: text.length } })

  const pathOr = (configured: unknown, fallback: string, name: string): string => {
    if (configured === undefined || configured === null) return fallback
    const path = typeof configured === 'string' ? joinPath('', configured.trim()) : undefined
    if (path !== undefined && (path !== '' || name === 'root')) return path
    report(`${name} must be a path inside the repository.`)
    return fallback
  }
  const structure = isMapping(value.structure) ? value.structure : {}
  if (value.structure !== undefined && value.structure !== null && !isMapping(value.structure)) {
    report('structure must be a mapping of readme and summary.')
  }
  const config = {
    root: pathOr(value.root, defaultConfig.root, 'root'),
    readme: pathOr(structure.readme, defaultConfig.readme, 'structure.readme'),
    summary: pathOr(structure.summary, defaultConfig.summary, 'structure.summary'),
    redirects: {} as Record<string, string>,
  }

  const redirects: [string, string][] = []
  if (isMapping(value.redirects)) {
    for (const [from, to] of Object.entries(value.redirects)) {
      const oldPath = joinPath('', decodePercent(from))
      const file = typeof to === 'string' ? joinPath('', to.trim()) : undefined
      if (oldPath && file !== undefined) redirects.push([oldPath, file])
      else report(`The redirect of ${from} must name a file of the content.`)
    }
  } else if (value.redirects !== undefined && value.redirects !== null) {
    report('redirects must be a mapping from old paths to files.')
  }
  const excluded: readonly unknown[] = Array.isArray(value.exclude) ? value.exclude : []
  const exclude = excluded.filter((folder) => typeof folder === 'string')
  if (exclude.length < excluded.length || !(value.exclude == null || Array.isArray(value.exclude))) {
    report('exclude must be a list of folders.')
  }
  return { config: { ...config, redirects: Object.fromEntries(redirects) }, exclude, problems }
}
