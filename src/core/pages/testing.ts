/**
 * Snapshot fixtures drawn as indented text; for tests only.
 *
 * Each line is a page by its file, `## title` a group, `-> url` a link; links in a page's text follow
 * after a colon. The dialect of these texts knows only `[…](destination)`, and `key: value` lines between
 * `---` lines on top.
 */
import { byteLength } from '../bytes.js'
import type { Reference } from '../document/types.js'
import type { Hash, PageId } from '../ids.js'
import { range } from '../merkle/map.js'
import type { Memory } from '../merkle/testing.js'
import type { Sink, Step } from '../merkle/types.js'
import { spread } from '../order/position.js'
import { buildSnapshot } from './build.js'
import type { DescribedText } from './build.js'
import { withDescription } from './describe.js'
import type { Describe, Description } from './describe.js'
import { type LinkSource, linksPrefix, readLinkKey } from './keys.js'
import { slugify } from './paths.js'
import { pathsOfFile } from './page-paths.js'
import { listFiles, listNames, pageTree } from './read.js'
import type { PageNode } from './read.js'
import { defaultConfig } from '../config.js'
import type { ContentConfig } from '../config.js'
import type { PageRecord, Snapshot } from './types.js'

/** Reads the dialect of the drawings. */
export const describeDrawing: Describe = (text) => {
  const front = /^---\n([^]*?)\n---\n/.exec(text)
  const metadata = Object.fromEntries(
    (front?.[1] ?? '').split('\n').flatMap((line) => {
      const [, key, value] = /^(\w+): (.*)$/.exec(line) ?? []
      return key === undefined ? [] : [[key, value]]
    }),
  )
  const references: Reference[] = []
  for (const match of text.matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)) {
    const end = match.index + match[0].length - 1
    const span = { start: end - match[1]!.length, end }
    references.push({ kind: 'link', url: match[1]!, span, syntax: 'inline' })
  }
  const title = /^# (.*)$/m.exec(text)?.[1]
  return { ...(title !== undefined && { title }), metadata, references }
}

/** Puts a text and returns its description for a plan. */
export function describeAndPut(text: string, describe: Describe, sink: Sink): DescribedText {
  return { hash: sink.putText(text), size: byteLength(text), description: describe(text) }
}

/**
 * Returns the pages and texts that point to a target: a file path, or `/pages/<id>`, `/files/<id>`. A link
 * that may mean one of several files (`guides` for `guides.md`) is returned for each of them.
 */
export function* backlinks(snapshot: Snapshot, target: string): Step<LinkSource[]> {
  const entries = yield* range(snapshot.links, { prefix: linksPrefix(target) })
  return entries.map(([key]) => readLinkKey(key).source)
}

/** Builds the drawn space; ids are the parts before `=`, or the file without extension. */
export function drawnSnapshot(
  drawing: string,
  memory: Memory,
  config: ContentConfig = defaultConfig,
): Snapshot {
  const lines = drawing.split('\n').filter((line) => line.trim() !== '')
  const margin = Math.min(...lines.map((line) => line.search(/\S/)))
  const pages: PageRecord[] = []
  const descriptions = new Map<Hash, Description>()
  const open: { depth: number; id: PageId }[] = []
  const childCount = new Map<PageId | null, number>()
  const positions = spread(lines.length)
  for (const line of lines) {
    const depth = line.search(/\S/) - margin
    while (open.length > 0 && open.at(-1)!.depth >= depth) open.pop()
    const [, explicitId, content = '', targets] = /^\s*(?:(\w+)=)?(.*?)(?:: (.*))?$/.exec(line)!
    const parent = open.at(-1)?.id ?? null
    const place = childCount.get(parent) ?? 0
    childCount.set(parent, place + 1)
    const id = (explicitId ?? content.replace(/\.md$/, '')) as PageId
    const base = { id, parent, position: positions[place]! }
    open.push({ depth, id })
    if (content.startsWith('## ')) {
      const title = content.slice(3)
      pages.push({ ...base, type: 'group', title, slug: slugify(title), path: slugify(title) })
    } else if (content.startsWith('-> ')) {
      pages.push({ ...base, type: 'link', title: content.slice(3), url: content.slice(3) })
    } else {
      const links = (targets ?? '').split(' ').filter((target) => target !== '')
      const text = [`# ${id}`, ...links.map((target) => `See [it](${target}).`)].join('\n\n')
      const { hash, size, description } = describeAndPut(text, describeDrawing, memory)
      descriptions.set(hash, description)
      pages.push({ ...base, type: 'document', title: id, ...pathsOfFile(content, config), text: hash, size })
    }
  }
  return buildSnapshot({ config, pages, files: [], texts: [], descriptions }, memory)
}

/** Draws the space: files in order and nesting, links of each text after a colon. */
export function drawn(snapshot: Snapshot, memory: Memory): string {
  const lines: string[] = []
  const draw = (nodes: readonly PageNode[], depth: number): void => {
    for (const { page, children } of nodes) {
      const content =
        page.type === 'document' ? page.file : page.type === 'link' ? `-> ${page.url}` : `## ${page.title}`
      const references =
        page.type === 'document' && page.text !== undefined
          ? describeDrawing(memory.text(page.text)).references
          : []
      const links = references.length === 0 ? '' : `: ${references.map(({ url }) => url).join(' ')}`
      lines.push('  '.repeat(depth) + content + links)
      draw(children, depth + 1)
    }
  }
  draw(memory.run(pageTree(snapshot)), 0)
  return lines.join('\n')
}

/** Rebuilds the snapshot from its records and texts alone: equal roots prove that the indexes are consistent. */
export function rebuilt(snapshot: Snapshot, memory: Memory, describe: Describe = describeDrawing): Snapshot {
  const descriptions = new Map<Hash, Description>()
  const pages = memory.run(range(snapshot.pages)).map(([, value]) => value as unknown as PageRecord)
  const described = pages.map((page) => {
    if (page.type !== 'document' || page.text === undefined) return page
    const text = describeAndPut(memory.text(page.text), describe, memory)
    descriptions.set(text.hash, text.description)
    return withDescription({ ...page, size: text.size }, text.description)
  })
  const texts = memory.run(listNames(snapshot)).flatMap(([path, entry]) => {
    if (!('text' in entry)) return []
    const text: DescribedText = describeAndPut(memory.text(entry.text), describe, memory)
    return [{ path, text, ...(entry.id !== undefined && { id: entry.id }) }]
  })
  const files = memory.run(listFiles(snapshot))
  return buildSnapshot({ config: snapshot.config, pages: described, files, texts, descriptions }, memory)
}
