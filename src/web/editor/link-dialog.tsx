/** The destination of a link: a page of the space, a heading, a page of another space, or an address. */
import { useState } from 'react'
import { setLink } from '../document/commands/text-commands.js'
import type { DocumentHandle } from '../document/mount.js'
import { documentText as text } from '../i18n/document-text.js'
import { Button } from '../ui/button.js'
import { Popover, type PopoverAnchor } from '../ui/popover.js'
import { SuggestField, type Suggestion } from '../ui/suggest-field.js'
import type { EditedPage } from './choices.js'
import {
  describeAddress,
  destinationOf,
  fetchLinkablePages,
  findPages,
  headingsOf,
  searchOtherSpaces,
} from './page-links.js'
import './link-dialog.css'

export function LinkDialog({
  handle,
  edited,
  anchor,
  onClose,
}: {
  readonly handle: DocumentHandle
  readonly edited: EditedPage
  readonly anchor: PopoverAnchor
  readonly onClose: () => void
}) {
  const [current] = useState(() => linkOf(handle))
  const apply = (url: string | undefined, words?: string) => {
    onClose()
    handle.run(setLink(url, words))
  }
  const choose = async (value: string, suggestion?: Suggestion) => {
    if (suggestion !== undefined) return apply(value, suggestion.name)
    if (value === '' || value === current) return onClose()
    const target = await describeAddress(edited.source, edited.page, value).catch(() => undefined)
    apply(target?.url ?? value, target?.title)
  }
  return (
    <Popover title={text.link.title} anchor={anchor} onClose={onClose}>
      <SuggestField
        label={text.link.label}
        isLabelHidden
        isOpen
        autoFocus
        value={current ?? ''}
        placeholder={text.link.placeholder}
        nothing={text.link.nothing}
        suggest={(query, show) => linkSuggestions(edited, query === current ? '' : query, show)}
        onChoose={(value, suggestion) => void choose(value, suggestion)}
      />
      {current !== undefined && (
        <div className="link-actions">
          <Button icon="trash" onClick={() => apply(undefined)}>
            {text.link.remove}
          </Button>
          {/^https?:/i.test(current) && (
            <a className="button button-quiet" href={current} target="_blank" rel="noopener noreferrer">
              {text.link.open}
            </a>
          )}
        </div>
      )}
    </Popover>
  )
}

/** Returns pages, then those of other spaces; behind a `#`, headings of the page before it, or of the edited one. */
async function linkSuggestions(
  edited: EditedPage,
  query: string,
  show: (found: readonly Suggestion[]) => void,
): Promise<readonly Suggestion[]> {
  const { source, page } = edited
  if (/^(?:https?:\/\/|mailto:|tel:)\S+$/i.test(query)) {
    const target = await describeAddress(source, page, query).catch(() => undefined)
    const { url, title } = target ?? { url: query, title: query }
    return [{ value: url, name: title, icon: target === undefined ? 'globe' : 'fileText' }]
  }
  const pages = await fetchLinkablePages(source)
  const own = pages.find(({ id }) => id === page)
  const sign = query.indexOf('#')
  if (sign >= 0) {
    const target = sign === 0 ? own : findPages(pages, query.slice(0, sign))[0]
    if (target === undefined) return []
    const words = query.slice(sign + 1).toLowerCase()
    return (await headingsOf(source, target))
      .filter(({ title }) => title.toLowerCase().includes(words))
      .map(({ id, title }) => ({
        value: destinationOf(own, target, id),
        name: title,
        detail: target.title,
        icon: 'hash',
      }))
  }
  const here = findPages(pages, query)
    .filter(({ id }) => id !== page)
    .slice(0, 30)
    .map((one): Suggestion => ({
      value: destinationOf(own, one),
      name: one.title,
      detail: one.above.join(' / '),
      icon: 'fileText',
      emoji: one.emoji,
    }))
  show(here)
  const elsewhere = await searchOtherSpaces(source, query).catch(() => [])
  return [
    ...here,
    ...elsewhere.map(({ title, space, url }): Suggestion => ({
      value: url,
      name: title,
      detail: text.link.otherSpace(space),
      icon: 'book',
    })),
  ]
}

/** Returns the destination of the link in the selection. */
function linkOf({ view }: DocumentHandle): string | undefined {
  const { $from, from, to } = view.state.selection
  const marks = [...$from.marks(), ...($from.nodeAfter?.marks ?? [])]
  let found = marks.find(({ type }) => type.name === 'link')
  view.state.doc.nodesBetween(from, to, (node) => {
    found ??= node.marks.find(({ type }) => type.name === 'link')
  })
  return (found?.attrs as { readonly url?: string } | undefined)?.url
}
