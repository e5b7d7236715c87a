/**
 * The body of a page: its text, parsed, with everything that it names loaded, rendered.
 *
 * Rendering asks no questions that wait, so every destination is resolved and every reusable content
 * is loaded beforehand. The links of a reusable content are written as seen from its own file; before
 * it is parsed they are written anew as seen from the page, so that one table answers for both.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createBudget } from '../../core/budget.js'
import { conditionLimits, evaluate, holds } from '../../core/conditions/evaluate.js'
import { parseExpression } from '../../core/conditions/parse.js'
import { outline } from '../../core/document/headings.js'
import type { Document } from '../../core/document/types.js'
import { visitBlocks } from '../../core/document/visit.js'
import { retarget } from '../../core/links/relative.js'
import { replaceDestinations } from '../../core/links/replace.js'
import { resolveReference } from '../../core/links/resolve.js'
import { parseFragment, parsePage } from '../../core/markdown/parse.js'
import { nameOf } from '../../core/pages/paths.js'
import { type Target, resolveTargets } from '../../core/pages/targets.js'
import type { ContentConfig, DocumentPage, FileRecord, PageRecord } from '../../core/pages/types.js'
import type { FileTarget, LinkTarget, RenderContext } from '../blocks/context.js'
import { type Pieces, createPieces } from '../blocks/pieces.js'
import { deepestInclude, renderDocument, renderLimits } from '../blocks/render.js'
import { encodeText } from '../blocks/safe-url.js'
import type { Html } from '../html.js'
import type { OutlineEntry } from '../layout/view.js'
import { type ShownContent, inputsOf, isOpen, readOpenTexts } from './content.js'

export interface Body {
  /** The document's own, when it begins with a title. */
  readonly title?: string
  readonly html: Html
  readonly outline: readonly OutlineEntry[]
  readonly isEmpty: boolean
  /** False when another time more of it may be shown: too much was going on. */
  readonly isFinal: boolean
  /** Where the destinations lead that the page's record holds: its cover. */
  source(url: string): string | undefined
}

/** Characters of all contents that a page includes, over all levels; each is read once. */
const longestIncluded = 2_000_000
/** Contents that are loaded together: each may be a megabyte. */
const filesAtOnce = 16
/** Characters that take about ten milliseconds to read. */
const longText = 20_000
/** Pieces of a page that may fail until the others of it are not tried. */
const mostFailures = 2

/** Returns the body of a page with this text. */
export async function renderBody(shown: ShownContent, page: DocumentPage, text: string): Promise<Body> {
  const parsed = parsePage(text)
  const loaded: Loaded = { targets: new Map(), includes: new Map() }
  await loadAll(shown, page, parsed, loaded)
  const pieces = createPieces()
  const context: RenderContext = { ...contextOf(shown, page, loaded), pieces }
  let rendered = renderDocument(parsed.document, context)
  let isFinal = true
  if (pieces.heavy.size > 0) {
    isFinal = await settlePieces(shown, pieces)
    rendered = renderDocument(parsed.document, context)
  }
  return {
    ...(parsed.title !== undefined && parsed.title.text !== '' && { title: parsed.title.text }),
    html: rendered,
    outline: outline(parsed.document),
    isEmpty: parsed.document.blocks.length === 0,
    isFinal,
    source: (url) => context.file(url)?.href ?? (/^https?:/i.test(url) ? url : undefined),
  }
}

/** Has the heavy pieces done one after another, so that no page keeps others waiting; false when some were refused. */
async function settlePieces({ pieces: worker }: ShownContent, pieces: Pieces): Promise<boolean> {
  let isFinal = true
  let failures = 0
  for (const [owner, piece] of pieces.heavy) {
    const result = failures < mostFailures ? await worker.ask(piece) : undefined
    if (result !== undefined && 'lost' in result) {
      failures++
      if (result.lost === 'busy') isFinal = false
    }
    pieces.settle(owner, result !== undefined && 'markup' in result ? result.markup : undefined)
  }
  return isFinal
}

interface Loaded {
  /** By the destination as it is written on the page. */
  readonly targets: Map<string, Target>
  /** By the file that holds them. */
  readonly includes: Map<string, Document>
}

type Parsed = Pick<ReturnType<typeof parsePage>, 'document' | 'references'>

/** Level by level: what the page names, then what its included contents name, each file once. */
async function loadAll(
  shown: ShownContent,
  page: DocumentPage,
  parsed: Parsed,
  loaded: Loaded,
): Promise<void> {
  const { content } = shown
  const { snapshot } = content.revision
  let left = longestIncluded
  let level = [parsed]
  for (let depth = 0; level.length > 0; depth++) {
    const urls = new Set(level.flatMap(({ references }) => references.map(({ url }) => url)))
    const unknown = [...urls].filter((url) => !loaded.targets.has(url))
    if (unknown.length > 0) {
      const step = resolveTargets(snapshot, page.file, unknown, [shown.addresses.base])
      for (const [url, target] of await content.run(step)) loaded.targets.set(url, target)
    }
    if (depth === deepestInclude) return
    const files = [...wantedBy(level, loaded).values()]
    level = []
    for (let at = 0; at < files.length; at += filesAtOnce) {
      const batch = files.slice(at, at + filesAtOnce)
      if (loaded.includes.size >= renderLimits.includes || left <= 0) {
        for (const { path } of batch) loaded.includes.set(path, notShown)
        continue
      }
      const hashes = batch.map(({ entry }) => entry.text)
      const texts = await readOpenTexts(shown, page, hashes)
      for (const [index, { path }] of batch.entries()) {
        const text = texts[index]!
        left -= text.length
        const included =
          left < 0 ? undefined : parseFragment(seenFrom(page.file, path, text, snapshot.config))
        loaded.includes.set(path, included?.document ?? notShown)
        if (included !== undefined) level.push(included)
        // Others have their turn between texts that take a while.
        if (text.length > longText) await nextTurn()
      }
    }
  }
}

type TextTarget = Extract<Target, { kind: 'text' }>

function wantedBy(level: readonly Parsed[], { targets, includes }: Loaded): ReadonlyMap<string, TextTarget> {
  const wanted = new Map<string, TextTarget>()
  for (const { document } of level) {
    visitBlocks(document, (block) => {
      const target = block.type === 'reusable-content' ? targets.get(block.src) : undefined
      if (target?.kind === 'text' && !includes.has(target.path)) wanted.set(target.path, target)
    })
  }
  return wanted
}

const nowhere = { start: 0, end: 0 }
/** What stands in place of a content that is one too many. */
const notShown: Document = {
  blocks: [
    {
      type: 'hint',
      span: nowhere,
      style: 'warning',
      blocks: [
        {
          type: 'paragraph',
          span: nowhere,
          children: [{ type: 'text', text: 'This part is not shown: the page includes too much text.' }],
        },
      ],
    },
  ],
}

/** Returns the text of `file` with its links written as they would be written in `page`. */
function seenFrom(page: string, file: string, text: string, config: ContentConfig): string {
  const readme = nameOf(config.readme)
  const replacements = parseFragment(text).references.flatMap((reference) => {
    const resolved = resolveReference(file, reference.url, { readme })
    if (resolved.kind !== 'file') return []
    const url = retarget(reference.url, page, resolved.path, readme)
    return url === reference.url ? [] : [{ span: reference.span, syntax: reference.syntax, url }]
  })
  return replaceDestinations(text, replacements)
}

function contextOf(shown: ShownContent, page: DocumentPage, { targets, includes }: Loaded): RenderContext {
  const { linker, site, variant } = shown
  const inputs = inputsOf(shown, page)
  const budget = createBudget(conditionLimits)
  return {
    link: (url) => linkTo(shown, url, targets.get(url)),
    file(src) {
      const target = targets.get(src)
      return target?.kind === 'file' ? fileTarget(shown, target.file) : undefined
    },
    include(src) {
      const target = targets.get(src)
      return target?.kind === 'text' ? includes.get(target.path) : undefined
    },
    evaluate(expression) {
      const parsed = parseExpression(expression)
      if (!parsed.ok) return undefined
      try {
        return evaluate(parsed.expression, inputs, budget)
      } catch {
        // An expression that names what is not there prints nothing, as everywhere.
        return undefined
      }
    },
    holds: (condition) => !site.isAdaptive || holds(condition, inputs, budget),
    searchHref: linker.search.href,
    language: variant.language ?? site.customization.internationalization.locale,
    externalInNewTab: site.customization.externalLinks.target === 'blank',
  }
}

function linkTo(shown: ShownContent, url: string, target: Target | undefined): LinkTarget {
  const { linker, site } = shown
  switch (target?.kind) {
    case 'page': {
      const { page, fragment } = target
      if (page.type === 'link') return outside(page.url)
      // Its title and description are as closed as the page.
      if (!isOpen(shown, page)) return { href: url, broken: true }
      return { href: linker.page(page, fragment), page: linkedPage(page) }
    }
    case 'file':
      return { href: linker.file(target.file) }
    case 'anchor':
      return { href: `#${encodeText(target.fragment)}` }
    case 'space': {
      // A space that this site does not show may be closed to its readers: the link leads nowhere.
      const href = linker.inSpace(target.space, target.path, target.fragment)
      if (href !== undefined) return { href }
      return site.visibility === 'private' ? { href: url } : { href: url, broken: true }
    }
    case 'url':
      return outside(target.url)
    case undefined:
      // A destination that no reference stands for, such as one inside raw HTML.
      return outside(url)
    default:
      return { href: url, broken: true }
  }
}

function outside(url: string): LinkTarget {
  return /^(?:https?:)?\/\//i.test(url) ? { href: url, external: true } : { href: url }
}

function linkedPage(page: PageRecord) {
  const description = page.type === 'document' ? page.description : undefined
  return {
    title: page.title,
    ...(page.emoji !== undefined && { emoji: page.emoji }),
    ...(page.icon !== undefined && { icon: page.icon }),
    ...(description !== undefined && { description }),
  }
}

function fileTarget({ linker }: ShownContent, file: FileRecord): FileTarget {
  return {
    href: linker.file(file),
    name: file.name,
    size: file.size,
    contentType: file.contentType,
    ...(file.width !== undefined && { width: file.width }),
    ...(file.height !== undefined && { height: file.height }),
  }
}
