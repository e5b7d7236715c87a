/**
 * Drawings of formulas and diagrams while they are written: the server draws them as it does for readers, in one preview
 * for all that are asked for together. What was drawn is remembered by its source.
 */
import { previewChangeRequestContent, previewSpaceContent } from '../../contract/previews.js'
import { type EditedBlock, blocksOfSource } from '../../core/editing/source-blocks.js'
import { formatBlocks } from '../../core/markdown/format.js'
import { api } from '../api/client.js'
import { contentRequest } from '../api/content-request.js'
import type { PreviewKind } from '../document/construct.js'
import type { EditedPage } from './choices.js'

interface Request {
  readonly kind: PreviewKind
  readonly source: string
  readonly resolve: (drawing: Element | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Milliseconds in which requests are collected. */
const pause = 30
/** In one preview. */
const most = 20
/** Drawings that are remembered. */
const maxDrawn = 200

export function createDrawer(
  edited: EditedPage,
): (kind: PreviewKind, source: string) => Promise<Element | undefined> {
  const drawn = new Map<string, Promise<Element | undefined>>()
  let waiting: Request[] = []
  const send = () => {
    const requests = waiting
    waiting = []
    for (let at = 0; at < requests.length; at += most) void drawAll(edited, requests.slice(at, at + most))
  }
  return async (kind, source) => {
    if (source.trim() === '') return undefined
    const key = `${kind} ${source}`
    const known = drawn.get(key)
    if (known !== undefined) return copyOf(await known)
    const drawing = new Promise<Element | undefined>((resolve, reject) => {
      if (waiting.length === 0) setTimeout(send, pause)
      waiting.push({ kind, source, resolve, reject })
    })
    if (drawn.size >= maxDrawn) drawn.delete(drawn.keys().next().value!)
    drawn.set(key, drawing)
    // What failed for want of a connection is drawn at the next attempt.
    drawing.catch(() => drawn.delete(key))
    return copyOf(await drawing)
  }
}

const copyOf = (drawing: Element | undefined) => drawing?.cloneNode(true) as Element | undefined

async function drawAll(edited: EditedPage, requests: readonly Request[]): Promise<void> {
  try {
    const places = await preview(edited, requests)
    // A source that ends its own frame moves the others: each is drawn by itself then.
    if (places.length !== requests.length && requests.length > 1) {
      for (const request of requests) await drawAll(edited, [request])
      return
    }
    for (const [index, { kind, resolve }] of requests.entries()) resolve(drawingIn(places[index], kind))
  } catch (error) {
    for (const { reject } of requests) reject(error)
  }
}

/** Returns the frames of the requests in a page that has nothing else. */
async function preview(
  { source, page }: EditedPage,
  requests: readonly Request[],
): Promise<readonly Element[]> {
  const hints = requests.map((request): EditedBlock => ({
    type: 'hint',
    attributes: { style: 'info' },
    blocks: [blockOf(request)],
  }))
  const body = { page, markdown: `# -\n\n${formatBlocks(blocksOfSource(hints)).join('\n')}\n` }
  const response = await api.send(
    ...contentRequest(source, previewSpaceContent, previewChangeRequestContent, { body }),
  )
  // A parsed document runs no scripts and loads nothing.
  const html = new DOMParser().parseFromString(await response.text(), 'text/html')
  return [...html.querySelectorAll('article .body > .hint')]
}

function blockOf({ kind, source }: Request): EditedBlock {
  switch (kind) {
    case 'math':
      return { type: 'math', attributes: { formula: source } }
    case 'mermaid':
      return { type: 'code', attributes: { syntax: 'mermaid', code: source } }
    case 'inline-math':
      return {
        type: 'paragraph',
        attributes: {},
        inlines: [
          { type: 'text', text: 'x ' },
          { type: 'inline-math', formula: source },
        ],
      }
  }
}

function drawingIn(frame: Element | undefined, kind: PreviewKind): Element | undefined {
  if (kind === 'mermaid') return frame?.querySelector('.diagram > .drawing') ?? undefined
  const formula = frame?.querySelector('.hint-body math') ?? undefined
  return kind === 'math' ? (formula?.closest('.math') ?? formula) : formula
}
