/**
 * `.gitbook.yaml` parsing: content root, names of special files, redirects, and folders excluded from imports. Invalid
 * values fall back to their defaults with a problem.
 */
import { Scalar, isMap, isScalar } from 'yaml'
import type { Problem, Span } from '../document/types.js'
import { decodePercent, isAbsoluteUrl, joinPath } from '../links/resolve.js'
import { defaultConfig, type ContentConfig } from '../config.js'
import { isMapping } from '../mapping.js'
import { isBoundedYaml, parseYaml, readMapping } from './yaml-text.js'

export interface ParsedConfig {
  readonly config: ContentConfig
  /** Folders excluded from imports, as written. */
  readonly exclude: readonly string[]
  readonly problems: readonly Problem[]
}

/** Returns an address as written, or a file with its fragment; undefined for anything else. */
function redirectTarget(to: string): string | undefined {
  if (isAbsoluteUrl(to)) return isWebAddress(to) ? to : undefined
  const hash = to.indexOf('#')
  const file = joinPath('', hash < 0 ? to : to.slice(0, hash))
  return file === undefined || hash < 0 ? file : file + to.slice(hash)
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

/** Returns where each old path is written, as the configuration has it. */
export function redirectSpans(text: string): ReadonlyMap<string, Span> {
  const spans = new Map<string, Span>()
  const document = isBoundedYaml(text) ? parseYaml(text) : undefined
  const redirects = document?.errors.length === 0 ? document.get('redirects', true) : undefined
  for (const { key } of isMap(redirects) ? redirects.items : []) {
    const oldPath = isScalar(key) ? joinPath('', decodePercent(String(key.value))) : undefined
    const range = isScalar(key) ? key.range : undefined
    if (oldPath !== undefined && range) spans.set(oldPath, { start: range[0], end: range[1] })
  }
  return spans
}

/** Former destinations of a redirect and its new one, as the configuration has them. */
export interface RedirectChange {
  readonly before: readonly string[]
  readonly after: string
}

/** Returns the text with the destinations of redirects changed, by their old paths; all else stays as it is. */
export function replaceRedirects(text: string, changes: ReadonlyMap<string, RedirectChange>): string {
  const document = isBoundedYaml(text) ? parseYaml(text) : undefined
  const redirects = document?.errors.length === 0 ? document.get('redirects', true) : undefined
  const parts: string[] = []
  let done = 0
  for (const { key, value } of isMap(redirects) ? redirects.items : []) {
    const oldPath = isScalar(key) ? joinPath('', decodePercent(String(key.value))) : undefined
    const change = oldPath === undefined ? undefined : changes.get(oldPath)
    if (change === undefined || !isScalar(value) || typeof value.value !== 'string' || !value.range) continue
    const target = redirectTarget(value.value.trim())
    if (target === undefined || !change.before.includes(target)) continue
    const prefix = value.value.trim().startsWith('./') ? './' : ''
    const written = formatScalar(prefix + change.after, value.type)
    if (written === undefined) continue
    parts.push(text.slice(done, value.range[0]), written)
    done = value.range[1]
  }
  return parts.join('') + text.slice(done)
}

/** Returns a text as a YAML scalar in the style of the one that it replaces; undefined for a block. */
function formatScalar(text: string, style: Scalar.Type | undefined): string | undefined {
  if (style === Scalar.BLOCK_FOLDED || style === Scalar.BLOCK_LITERAL) return undefined
  if (style === Scalar.QUOTE_SINGLE) return `'${text.replaceAll("'", "''")}'`
  const isPlain = /^[\p{L}\d./_][\p{L}\p{M}\d./_#%-]*$/u.test(text) && /[./]\p{L}/u.test(text)
  return style === Scalar.PLAIN && isPlain ? text : JSON.stringify(text)
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
      const target = typeof to === 'string' ? redirectTarget(to.trim()) : undefined
      if (oldPath && target !== undefined) redirects.push([oldPath, target])
      else report(`The redirect of ${from} must name a file of the content, or an address (http or https).`)
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
