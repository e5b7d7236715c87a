/**
 * A document as HTML: the body of a published page.
 *
 * One switch names every block; a block file renders its own element and asks back for what is inside.
 * Pure: the same document and answers of the context give the same characters.
 */
import type { Annotation, Block, Document } from '../../core/document/types.js'
import { html, type Html, join, nothing } from '../html.js'
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
import { renderPrompt } from './prompt.js'
import { renderRawHtml } from './raw-html.js'
import { renderReusableContent } from './reusable-content.js'
import { renderStepper } from './stepper.js'
import { renderTable } from './table.js'
import { renderTabs } from './tabs.js'
import { renderUpdates } from './updates.js'

/** Includes within includes. */
const deepestInclude = 5

/** Blocks within blocks: more than the parser ever nests, so that no text is left out; below what the stack can hold. */
const deepestNesting = 300

/** The body of the page: its blocks, then the notes of its annotations. */
export function renderDocument(document: Document, context: RenderContext): Html {
  const anchors = new Set<string>()
  const notes: Annotation[] = []
  const including: string[] = []
  let depth = 0

  const page: Rendering = {
    context,
    blocks(blocks) {
      if (depth >= deepestNesting) return nothing
      depth++
      const rendered = join(blocks.map((block) => renderBlock(block, page)))
      depth--
      return rendered
    },
    inlines(inlines) {
      if (inlines.length === 0 || depth >= deepestNesting) return nothing
      depth++
      const rendered = renderInlines(inlines, page)
      depth--
      return rendered
    },
    anchor(fragment) {
      let free = fragment
      for (let number = 1; anchors.has(free); number++) free = `${fragment}-${number}`
      anchors.add(free)
      return free
    },
    note(annotation) {
      // By identity: two references share one note, and a note that refers to itself ends.
      const known = notes.findIndex(({ body }) => body === annotation.body)
      return known === -1 ? notes.push(annotation) : known + 1
    },
    included(src) {
      if (including.length >= deepestInclude || including.includes(src)) return undefined
      const included = context.include(src)
      if (included === undefined) return undefined
      including.push(src)
      const rendered = page.blocks(included.blocks)
      including.pop()
      return rendered
    },
  }

  const body = page.blocks(document.blocks)
  return notes.length === 0 ? body : html`${body}${renderNotes(notes, page)}`
}

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
      return renderCode(block)
    case 'math':
      return renderMath(block)
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
      return renderRawHtml([{ raw: block.html }])
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
  return html`<section class="notes" aria-label="Notes">${rendered}</section>\n`
}
