/**
 * Renders a document as HTML: the body of a published page.
 *
 * One switch names every block; a block file renders its own element and calls back for its content.
 * Pure: the same document and context results give the same characters.
 */
import { type Budget, type Limits, OverBudget, createBudget, pageLimits } from '../../core/budget.js'
import { plainText } from '../../core/document/plain-text.js'
import type { Annotation, Block, Document } from '../../core/document/types.js'
import { html, type Html, join, nothing } from '../html.js'
import { fill, wordsIn } from '../words/words.js'
import { renderBlockquote } from './blockquote.js'
import { renderCode } from './code.js'
import { compared, inRegion } from './comparison.js'
import { renderColumns } from './columns.js'
import { renderContentRef } from './content-ref.js'
import type { RenderContext, PageRenderer } from './context.js'
import { renderDivider } from './divider.js'
import { renderDrawing } from './drawing.js'
import { renderEmbed } from './embed.js'
import { renderExpandable } from './expandable.js'
import { renderFile } from './file.js'
import { renderHeading } from './heading.js'
import { renderHint } from './hint.js'
import { renderIf } from './if.js'
import { renderImages } from './images.js'
import { noteId, renderInlines } from './inlines.js'
import { renderIntegration } from './integration.js'
import { renderList } from './list.js'
import { renderMath } from './math.js'
import { renderOpenAPI } from './openapi.js'
import { isTargetOnly, renderParagraph } from './paragraph.js'
import { createPageFragments } from './fragments.js'
import { createPlainRenderer, plainTextBox } from './plain-text-fallback.js'
import { renderPrompt } from './prompt.js'
import { renderRawHtml } from './raw-html.js'
import { renderReusableContent } from './reusable-content.js'
import { renderStepper } from './stepper.js'
import { renderTable } from './table.js'
import { renderTabs } from './tabs.js'
import { renderUpdates } from './updates.js'

/** Maximum depth of includes within includes. */
export const maxIncludeDepth = 5

/**
 * Render budget of a page. Depth: more than the parser ever nests, so that no text is omitted; below the limit of
 * the stack. Steps: a million takes about half a second.
 */
export const renderLimits: Limits = { ...pageLimits, steps: 1_000_000, depth: 300 }

/** Characters of API details on a page: the block that goes past it is whole, those after it have none. */
const longestReference = 600_000

/** Returns the body of the page: its blocks, then the notes of its annotations. Never throws, whatever the document. */
export function renderDocument(
  document: Document,
  context: RenderContext,
  whole: Budget = createBudget(renderLimits),
): Html {
  /** The number for the next anchor of the same name. */
  const anchors = new Map<string, number>()
  const notes: Annotation[] = []
  const noteNumbers = new Map<readonly Block[], number>()
  /** In a comparison: what the references to a note are part of, if all are. */
  const noteRegions = new Map<readonly Block[], 'added' | 'removed' | undefined>()
  const includeStack: string[] = []
  /** Rendered includes that can be reused unchanged. */
  const includeCache = new Map<string, Html>()
  const renderPlain = createPlainRenderer(context)
  const fragments = context.fragments ?? createPageFragments()
  /** Counts what makes a second rendering of the same content differ: anchors, notes, omitted includes. */
  let contextDependencies = 0
  /** The message is rendered once only: it is longer than what it replaces. */
  let isIncludeRefused = false
  let hasPicture = false
  let referenceLeft = longestReference
  /** Text of the heading directly above; undefined after other blocks. */
  let precedingHeading = context.title
  let budget = whole
  let depth = 0

  /** Renders one level deeper, and counts the characters that the content has not counted itself. */
  function counted(steps: number, render: () => Html): Html {
    budget.spend('steps', steps)
    const before = budget.spent('output')
    depth++
    try {
      const rendered = render()
      budget.spend('output', Math.max(0, rendered.length - (budget.spent('output') - before)))
      return rendered
    } finally {
      depth--
    }
  }

  /** Renders the blocks in order, each with half of the remaining budget, so that a greedy one leaves some to the others. */
  function renderTopLevel(blocks: readonly Block[]): Html {
    const parts: Html[] = []
    for (const [index, block] of blocks.entries()) {
      const share = { steps: whole.left('steps') / 2, output: whole.left('output') / 2 }
      const rendered = whole.attempt<Html | OverBudget>(
        share,
        (part) => {
          budget = part
          return page.blocks([block])
        },
        (over) => over,
      )
      budget = whole
      depth = 0
      includeStack.length = 0
      if (!(rendered instanceof OverBudget)) {
        parts.push(rendered)
        continue
      }
      if (context.comparison !== undefined) context.comparison.isPlain = true
      if (share.steps > minShare && share.output > minShare) parts.push(renderPlain([block]))
      else {
        // So little is left that trying each would cost more than its output.
        parts.push(renderPlain(blocks.slice(index)))
        break
      }
    }
    return join(parts)
  }

  const page: PageRenderer = {
    context,
    words: wordsIn(context.language ?? 'en'),
    spend: (resource, amount) => budget.spend(resource, amount),
    renderFragment: fragments.markup,
    blocks(blocks) {
      if (depth >= renderLimits.depth) return renderPlain(blocks)
      return counted(blocks.length, () =>
        join(
          blocks.map((block) => {
            const rendered = renderBlock(block, page)
            if (isTargetOnly(block)) return rendered
            precedingHeading = block.type === 'heading' ? plainText(block.children) : undefined
            return rendered
          }),
        ),
      )
    },
    inlines(inlines) {
      if (inlines.length === 0 || depth >= renderLimits.depth) return nothing
      return counted(inlines.length, () => renderInlines(inlines, page))
    },
    anchor(written) {
      contextDependencies++
      // Of two versions the later one has the fragments.
      const fragment = context.comparison?.region === 'removed' ? `before-${written}` : written
      let free = fragment
      let number = anchors.get(fragment) ?? 1
      while (anchors.has(free)) free = `${fragment}-${number++}`
      anchors.set(fragment, number)
      if (free !== fragment) anchors.set(free, 1)
      return free
    },
    aliases(fragments = []) {
      const free = fragments.filter((fragment) => !anchors.has(fragment))
      return join(free.map((fragment) => html`<span id="${page.anchor(fragment)}"></span>`))
    },
    targets(fragments) {
      const spans = page.aliases(fragments)
      return spans.length === 0 ? nothing : html`<span class="targets">${spans}</span>`
    },
    isNamedAbove(words) {
      if (
        precedingHeading === undefined ||
        collapseWhitespace(precedingHeading) !== collapseWhitespace(words)
      )
        return false
      contextDependencies++
      return true
    },
    isFirstPicture() {
      if (hasPicture) return false
      contextDependencies++
      hasPicture = true
      return true
    },
    reference(render) {
      contextDependencies++
      if (referenceLeft <= 0) return undefined
      const rendered = render()
      referenceLeft -= rendered.length
      return rendered
    },
    note(annotation) {
      contextDependencies++
      // By identity: two references share one note, and a note that refers to itself ends.
      const existing = noteNumbers.get(annotation.body)
      const region = context.comparison?.region
      noteRegions.set(
        annotation.body,
        existing === undefined ? region : noteRegions.get(annotation.body) && region,
      )
      if (existing !== undefined) return existing
      const number = notes.push(annotation)
      noteNumbers.set(annotation.body, number)
      return number
    },
    included(src) {
      const document = context.include(src)
      if (document === undefined) return undefined
      if (includeStack.length >= maxIncludeDepth || includeStack.includes(src)) {
        contextDependencies++
        return undefined
      }
      if (budget.left('includes') < 1) {
        contextDependencies++
        if (isIncludeRefused) return nothing
        isIncludeRefused = true
        return plainTextBox('', fill(page.words.tooManyIncludes, renderLimits.includes))
      }
      budget.spend('includes')
      const name = context.comparison?.region === 'removed' ? `before ${src}` : src
      const cached = includeCache.get(name)
      if (cached !== undefined) {
        budget.spend('output', cached.length)
        return cached
      }
      const before = contextDependencies
      includeStack.push(src)
      const rendered = page.blocks(document.blocks)
      includeStack.pop()
      if (contextDependencies === before) includeCache.set(name, rendered)
      return rendered
    },
  }

  const body = renderTopLevel(document.blocks)
  if (notes.length === 0) return body
  const renderedNotes = whole.attempt<Html>(
    {},
    (part) => {
      budget = part
      return renderNotes(notes, page, noteRegions)
    },
    () => renderPlain(notes.flatMap((note) => note.body)),
  )
  return html`${body}${renderedNotes}`
}

const collapseWhitespace = (words: string): string => words.replace(/\s+/g, ' ').trim()

/** Below this share of steps or characters the rest of a page is plain text. */
const minShare = 1_000

/** Blocks that place their further fragments themselves, where no element may stand before them. */
const placesAliases = new Set<Block['type']>(['paragraph', 'heading', 'expandable'])

/** A block, and before it the targets of its further fragments. */
function renderBlock(block: Block, page: PageRenderer): Html {
  const rendered = compared(
    block,
    page,
    () => renderContent(block, page),
    'block',
    (before) => renderContent(before as Block, page),
  )
  return placesAliases.has(block.type) ? rendered : html`${page.targets(block.aliases)}${rendered}`
}

function renderContent(block: Block, page: PageRenderer): Html {
  switch (block.type) {
    case 'paragraph':
      return renderParagraph(block, page)
    case 'heading':
      return renderHeading(block, page)
    case 'list':
      return renderList(block, page)
    case 'divider':
      return renderDivider()
    case 'blockquote':
      return renderBlockquote(block, page)
    case 'hint':
      return renderHint(block, page)
    case 'code':
      return renderCode(block, page)
    case 'math':
      return renderMath(block, page)
    case 'images':
      return renderImages(block, page)
    case 'file':
      return renderFile(block, page)
    case 'drawing':
      return renderDrawing(block, page)
    case 'embed':
      return renderEmbed(block, page)
    case 'content-ref':
      return renderContentRef(block, page)
    case 'reusable-content':
      return renderReusableContent(block, page)
    case 'expandable':
      return renderExpandable(block, page)
    case 'tabs':
      return renderTabs(block, page)
    case 'stepper':
      return renderStepper(block, page)
    case 'columns':
      return renderColumns(block, page)
    case 'table':
      return renderTable(block, page)
    case 'if':
      return renderIf(block, page)
    case 'updates':
      return renderUpdates(block, page)
    case 'prompt':
      return renderPrompt(block, page)
    case 'openapi-operation':
    case 'openapi-schemas':
    case 'openapi-webhook':
    case 'swagger':
      return renderOpenAPI(block, page)
    case 'integration':
      return renderIntegration(block)
    case 'html':
      return renderRawHtml(block, [{ raw: block.html }], page)
    default:
      return block satisfies never
  }
}

/**
 * Notes as native popovers; browsers without them, and print, render the notes as a list at the end.
 * A note can contain annotations, so the list grows during the iteration.
 */
function renderNotes(
  notes: readonly Annotation[],
  page: PageRenderer,
  regions: ReadonlyMap<readonly Block[], 'added' | 'removed' | undefined>,
): Html {
  const rendered: Html[] = []
  for (let index = 0; index < notes.length; index++) {
    const note = notes[index] as Annotation
    rendered.push(
      html`<div class="note" id="${noteId(index + 1)}" popover role="note">
        <span class="note-number">${index + 1}</span>
        <div>${inRegion(regions.get(note.body), () => page.blocks(note.body))}</div>
      </div>\n`,
    )
  }
  return html`<section class="notes" aria-label="${page.words.notes}">${rendered}</section>\n`
}
