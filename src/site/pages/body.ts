/**
 * The body of a page: its text, parsed, with everything that it names loaded, rendered.
 *
 * Rendering asks no questions that wait, so every destination is resolved and every reusable content
 * is loaded beforehand. The links of a reusable content are written as seen from its own file; before
 * it is parsed they are written anew as seen from the page, so that one table answers for both.
 */
import { evaluate, holds } from '../../core/conditions/evaluate.js'
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
import { renderDocument } from '../blocks/render.js'
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
  /** Where the destinations lead that the page's record holds: its cover. */
  source(url: string): string | undefined
}

/** Reusable contents within reusable contents. */
const deepestInclude = 5

/** Returns the body of a page with this text. */
export async function renderBody(shown: ShownContent, page: DocumentPage, text: string): Promise<Body> {
  const parsed = parsePage(text)
  const loaded: Loaded = { targets: new Map(), includes: new Map() }
  await loadAll(shown, page, parsed, loaded, deepestInclude)
  const context = contextOf(shown, page, loaded)
  return {
    ...(parsed.title !== undefined && parsed.title.text !== '' && { title: parsed.title.text }),
    html: renderDocument(parsed.document, context),
    outline: outline(parsed.document),
    isEmpty: parsed.document.blocks.length === 0,
    source: (url) => context.file(url)?.href ?? (/^https?:/i.test(url) ? url : undefined),
  }
}

interface Loaded {
  /** By the destination as it is written on the page. */
  readonly targets: Map<string, Target>
  /** By the file that holds them. */
  readonly includes: Map<string, Document>
}

type Parsed = Pick<ReturnType<typeof parsePage>, 'document' | 'references'>

async function loadAll(
  shown: ShownContent,
  page: DocumentPage,
  { document, references }: Parsed,
  loaded: Loaded,
  depth: number,
): Promise<void> {
  const { content } = shown
  const { snapshot } = content.revision
  const urls = references.map(({ url }) => url).filter((url) => !loaded.targets.has(url))
  if (urls.length > 0) {
    const step = resolveTargets(snapshot, page.file, urls, [shown.addresses.base])
    for (const [url, target] of await content.run(step)) loaded.targets.set(url, target)
  }
  if (depth === 0) return
  const wanted = new Map<string, Extract<Target, { kind: 'text' }>>()
  visitBlocks(document, (block) => {
    const target = block.type === 'reusable-content' ? loaded.targets.get(block.src) : undefined
    if (target?.kind === 'text' && !loaded.includes.has(target.path)) wanted.set(target.path, target)
  })
  if (wanted.size === 0) return
  const files = [...wanted.values()]
  const hashes = files.map(({ entry }) => entry.text)
  const texts = await readOpenTexts(shown, page, hashes)
  for (const [index, { path }] of files.entries()) {
    const parsed = parseFragment(seenFrom(page.file, path, texts[index]!, snapshot.config))
    loaded.includes.set(path, parsed.document)
    await loadAll(shown, page, parsed, loaded, depth - 1)
  }
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
        return evaluate(parsed.expression, inputs)
      } catch {
        // An expression that names what is not there prints nothing, as everywhere.
        return undefined
      }
    },
    holds: (condition) => !site.isAdaptive || holds(condition, inputs),
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
