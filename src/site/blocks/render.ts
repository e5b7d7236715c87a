/**
 * A document as HTML: the body of a published page.
 *
 * One switch names every block; a block file renders its own element and asks back for what is inside.
 * Pure: the same document and answers of the context give the same characters.
 */
import { type Budget, type Limits, OverBudget, createBudget, pageLimits } from '../../core/budget.js'
import { plainText } from '../../core/document/plain-text.js'
import type { Annotation, Block, Document } from '../../core/document/types.js'
import { html, type Html, join, nothing } from '../html.js'
import { fill, wordsIn } from '../words/words.js'
import { renderBlockquote } from './blockquote.js'
import { renderCode } from './code.js'
import { renderColumns } from './columns.js'
import { renderContentRef } from './content-ref.js'
import type { RenderContext, Rendering } from './context.js'
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
import { renderParagraph } from './paragraph.js'
import { createPieces } from './pieces.js'
import { createPlainRenderer, plainPiece } from './plain.js'
import { renderPrompt } from './prompt.js'
import { renderRawHtml } from './raw-html.js'
import { renderReusableContent } from './reusable-content.js'
import { renderStepper } from './stepper.js'
import { renderTable } from './table.js'
import { renderTabs } from './tabs.js'
import { renderUpdates } from './updates.js'

/** Includes within includes. */
export const deepestInclude = 5

/**
 * What a page may cost. Blocks within blocks: more than the parser ever nests, so that no text is left out; below
 * what the stack can hold. Steps: a million takes about half a second.
 */
export const renderLimits: Limits = { ...pageLimits, steps: 1_000_000, depth: 300 }

/** The body of the page: its blocks, then the notes of its annotations. Never throws for what is in the document. */
export function renderDocument(
  document: Document,
  context: RenderContext,
  whole: Budget = createBudget(renderLimits),
): Html {
  /** The number that the next of its name gets. */
  const anchors = new Map<string, number>()
  const notes: Annotation[] = []
  const numbers = new Map<readonly Block[], number>()
  const including: string[] = []
  /** What was rendered, where it may stand again as it is. */
  const included = new Map<string, Html>()
  const renderPlain = createPlainRenderer(context)
  const pieces = context.pieces ?? createPieces()
  /** What a second rendering of the same content would write in another way: anchors, notes, includes that were cut. */
  let particulars = 0
  /** Said once: the sentence is longer than what it stands for. */
  let isIncludeRefused = false
  let hasPicture = false
  /** Words of the heading that stands right above; undefined where something else does. */
  let above = context.title
  let budget = whole
  let depth = 0

  /** Renders one level deeper, and counts the characters that what is inside has not counted itself. */
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

  /** The blocks one by one, each with half of what is left: a greedy one leaves something to those behind it. */
  function outermost(blocks: readonly Block[]): Html {
    const parts: Html[] = []
    for (const [index, block] of blocks.entries()) {
      const share = { steps: whole.left('steps') / 2, output: whole.left('output') / 2 }
      const rendered = whole.attempt<Html | OverBudget>(
        share,
        (piece) => {
          budget = piece
          return page.blocks([block])
        },
        (over) => over,
      )
      budget = whole
      depth = 0
      including.length = 0
      if (!(rendered instanceof OverBudget)) parts.push(rendered)
      else if (share.steps > leastShare && share.output > leastShare) parts.push(renderPlain([block]))
      else {
        // So little is left that trying each would cost more than it shows.
        parts.push(renderPlain(blocks.slice(index)))
        break
      }
    }
    return join(parts)
  }

  const page: Rendering = {
    context,
    words: wordsIn(context.language ?? 'en'),
    spend: (resource, amount) => budget.spend(resource, amount),
    piece: pieces.markup,
    blocks(blocks) {
      if (depth >= renderLimits.depth) return renderPlain(blocks)
      return counted(blocks.length, () =>
        join(
          blocks.map((block) => {
            const rendered = renderBlock(block, page)
            above = block.type === 'heading' ? plainText(block.children) : undefined
            return rendered
          }),
        ),
      )
    },
    inlines(inlines) {
      if (inlines.length === 0 || depth >= renderLimits.depth) return nothing
      return counted(inlines.length, () => renderInlines(inlines, page))
    },
    anchor(fragment) {
      particulars++
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
    isNamedAbove(words) {
      if (above === undefined || inOneLine(above) !== inOneLine(words)) return false
      particulars++
      return true
    },
    isFirstPicture() {
      if (hasPicture) return false
      particulars++
      hasPicture = true
      return true
    },
    note(annotation) {
      particulars++
      // By identity: two references share one note, and a note that refers to itself ends.
      const known = numbers.get(annotation.body)
      if (known !== undefined) return known
      const number = notes.push(annotation)
      numbers.set(annotation.body, number)
      return number
    },
    included(src) {
      const document = context.include(src)
      if (document === undefined) return undefined
      if (including.length >= deepestInclude || including.includes(src)) {
        particulars++
        return undefined
      }
      if (budget.left('includes') < 1) {
        particulars++
        if (isIncludeRefused) return nothing
        isIncludeRefused = true
        return plainPiece('', fill(page.words.tooManyIncludes, renderLimits.includes))
      }
      budget.spend('includes')
      const known = included.get(src)
      if (known !== undefined) {
        budget.spend('output', known.length)
        return known
      }
      const before = particulars
      including.push(src)
      const rendered = page.blocks(document.blocks)
      including.pop()
      if (particulars === before) included.set(src, rendered)
      return rendered
    },
  }

  const body = outermost(document.blocks)
  if (notes.length === 0) return body
  const shown = whole.attempt<Html>(
    {},
    (piece) => {
      budget = piece
      return renderNotes(notes, page)
    },
    () => renderPlain(notes.flatMap((note) => note.body)),
  )
  return html`${body}${shown}`
}

const inOneLine = (words: string): string => words.replace(/\s+/g, ' ').trim()

/** Below this share of steps or characters the rest of a page is plain text. */
const leastShare = 1_000

function renderBlock(block: Block, page: Rendering): Html {
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
 * Popovers that the browser opens and closes by itself; a browser without them, and paper, show the
 * notes as a list at the end. A note may hold annotations of its own, so the list grows as it is read.
 */
function renderNotes(notes: readonly Annotation[], page: Rendering): Html {
  const rendered: Html[] = []
  for (let index = 0; index < notes.length; index++) {
    const note = notes[index] as Annotation
    rendered.push(
      html`<div class="note" id="${noteId(index + 1)}" popover role="note">
        <span class="note-number">${index + 1}</span>
        <div>${page.blocks(note.body)}</div>
      </div>\n`,
    )
  }
  return html`<section class="notes" aria-label="${page.words.notes}">${rendered}</section>\n`
}
