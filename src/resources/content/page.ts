/**
 * One page with its text, as JSON. The answer follows from the revision alone, so it is kept under
 * the revision's name until room is needed.
 */
import { loadTexts } from '../../core/merkle/steps.js'
import { subtree } from '../../core/pages/subtree.js'
import type { PageRecord } from '../../core/pages/types.js'
import { type Written, writeOnce } from '../../access/route/written.js'
import type { Services } from '../../access/route/scope.js'
import type { Page } from '../../contract/pages.js'
import type { DocumentForm, Format } from '../../contract/content.js'
import { kindOf } from '../../store/cache/kinds.js'
import type { ContentHere } from './content.js'
import { collectTargets } from './targets.js'
import { documentOf } from './document.js'
import { openingOf, readerKey } from './visibility.js'
import { presentPage } from './present.js'
import { nameForm, workedOut } from './worked-out.js'

const pageKind = kindOf<Uint8Array>('page', (json) => json.length)

/** Answers the JSON as bytes: what is sent many times is encoded once. */
export function writePage(
  content: ContentHere,
  page: PageRecord,
  wanted: PageForm,
  services: Services,
): Promise<Written> {
  const { format = '' } = wanted
  const key = `${content.revision.id}${page.id}${format}${nameForm(wanted)}${readerKey(content)}`
  return writeOnce(services, pageKind, key, async () =>
    JSON.stringify(await readPage(content, page, wanted, services)),
  )
}

interface PageForm extends DocumentForm {
  readonly format?: Format
}

/** Returns the page with its subpages and, as the format says, its Markdown, its document, or both. */
async function readPage(
  content: ContentHere,
  page: PageRecord,
  { format, ...form }: PageForm,
  { addresses }: Services,
): Promise<Page> {
  const { snapshot } = content.revision
  const hash = page.type === 'document' ? page.text : undefined
  // At once: where a question is a round trip, both share the first.
  const [below, [written = '']] = await Promise.all([
    page.type === 'link' ? [] : content.run(subtree(snapshot, page.id)),
    content.run(loadTexts(hash === undefined ? [] : [hash])),
  ])
  const opening = await openingOf(content)
  const children = opening?.nodes(below) ?? below
  const text = opening?.text(written, page) ?? written
  const targets = await collectTargets(content, [{ page, children }])
  const shown = presentPage(page, children, { addresses, spaceId: content.spaceId, targets })
  if (page.type !== 'document') return shown

  if (format !== 'document') shown.markdown = text
  if (format !== 'markdown') {
    const make = (file: string, said: string) => documentOf(content, file, said, addresses)
    const document = await make(page.file, text)
    shown.document = await workedOut(content, { document, page }, form, make)
  }
  return shown
}
