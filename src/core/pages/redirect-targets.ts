/**
 * Redirects of a space follow their targets: where a page or file has moved, the redirects to it name its new file, in
 * the settings and in the stored `.gitbook.yaml`, of which only the characters of these destinations change.
 */
import { retarget } from '../links/relative.js'
import { joinPath } from '../links/resolve.js'
import { type RedirectChange, replaceRedirects } from '../markdown/gitbook-yaml.js'
import { getMany } from '../merkle/map.js'
import { overlayGet } from '../merkle/overlay.js'
import type { Step } from '../merkle/types.js'
import { readingsOf } from './describe.js'
import { type Draft, draftName, draftPage, draftText, putTextFile } from './draft.js'
import { configFile } from './paths.js'
import { redirectUrl, redirectsFile } from './redirects.js'
import type { NameEntry, Snapshot } from './types.js'

/** Points redirects to where the draft has what they led to in the snapshot from which it began. */
export function* followRedirectTargets(draft: Draft, before: Snapshot): Step<void> {
  const { config } = draft
  const entries = Object.entries(config.redirects).map(
    ([from, to]) => [from, to, readingsOf(redirectsFile(config), redirectUrl(to), config)] as const,
  )
  // What a batch moves is among its edits: only these redirects are looked up.
  const affected = entries.filter(([, , readings]) => readings.some((path) => draft.names.edits.has(path)))
  if (affected.length === 0) return
  const paths = [...new Set(affected.flatMap(([, , readings]) => readings))].toSorted()
  const stored = yield* getMany(before.names, paths)
  const found = new Map(paths.map((path, at) => [path, stored[at]]))
  const changes = new Map<string, RedirectChange>()
  for (const [from, to, readings] of affected) {
    const target = readings.find((path) => found.get(path) !== undefined)
    const moved = target === undefined ? undefined : yield* currentPath(draft, found.get(target)!)
    if (moved === undefined || moved === target) continue
    const after = redirectOf(retarget(redirectUrl(to), redirectsFile(config), moved, config.readme))
    if (after !== undefined) changes.set(from, { before: [to], after })
  }
  yield* changeRedirects(draft, changes)
}

/** Changes redirects in the settings and, where it has the former destination, in the stored file. */
export function* changeRedirects(draft: Draft, changes: ReadonlyMap<string, RedirectChange>): Step<void> {
  if (changes.size === 0) return
  const redirects = { ...draft.config.redirects }
  for (const [from, { after }] of changes) redirects[from] = after
  draft.config = { ...draft.config, redirects }
  const entry = yield* draftName(draft, configFile)
  if (entry === undefined || !('text' in entry)) return
  const text = yield* draftText(draft, entry.text)
  const written = replaceRedirects(text, changes)
  if (written !== text) yield* putTextFile(draft, configFile, written, entry.id)
}

/** Returns the destination of a redirect from its URL; undefined for a file outside of the content. */
export function redirectOf(url: string): string | undefined {
  const [path = '', ...fragment] = url.split('#')
  const below = joinPath('', path)
  return below === undefined ? undefined : [below, ...fragment].join('#')
}

function* currentPath(draft: Draft, entry: NameEntry): Step<string | undefined> {
  if ('page' in entry) {
    const page = yield* draftPage(draft, entry.page)
    return page?.type === 'document' ? page.file : undefined
  }
  return 'file' in entry ? (yield* overlayGet(draft.files, entry.file))?.path : undefined
}
