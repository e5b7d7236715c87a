/**
 * Blame beside the text of a page: who changed each block last, and when. In the margin where there is one, else as a list
 * of the blocks in a dialog. Blocks in a row with one source have one note.
 */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { PageBlame } from '../../contract/history.js'
import { formatExactTime, formatRelativeTime } from '../i18n/format.js'
import { text } from '../i18n/text.js'
import { revisionPath } from '../routes/addresses.js'
import { Link } from '../routes/navigation.js'
import { WithTooltip } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { Avatar, ErrorNotice, Skeleton } from '../ui/display.js'
import { matchBlocks } from './match-blocks.js'
import { blameQuery } from './queries.js'
import { namesOf, sentenceOf } from './sentences.js'
import './blame.css'

type Source = PageBlame['sources'][number]

/** Blocks in a row that were changed last by the same. */
interface Note {
  readonly source: Source | undefined
  readonly before: string | undefined
  /** Markdown of the blocks. */
  readonly texts: readonly string[]
}

const wide = window.matchMedia('(min-width: 60rem)')

export default function Blame({
  space,
  page,
  onClose,
}: {
  readonly space: string
  readonly page: string
  readonly onClose: () => void
}) {
  const { data, error, refetch } = useQuery(blameQuery(space, page))
  const notes = useMemo(() => (data === undefined ? [] : notesOf(data)), [data])
  const [hasMargin, setMargin] = useState(wide.matches)
  useEffect(() => {
    const follow = () => setMargin(wide.matches)
    wide.addEventListener('change', follow)
    return () => wide.removeEventListener('change', follow)
  }, [])
  const state =
    error !== null ? (
      <ErrorNotice error={error} onRetry={() => void refetch()} />
    ) : data === undefined ? (
      <Skeleton lines={4} />
    ) : undefined
  if (!hasMargin)
    return (
      <Dialog title={text.blame.title} width="wide" onClose={onClose}>
        {state}
        <ol className="blame-list">
          {notes.map((note, at) => (
            <li key={at}>
              <NoteLine space={space} note={note} />
              <p className="blame-words">{note.texts.join('\n').slice(0, 200)}</p>
            </li>
          ))}
        </ol>
      </Dialog>
    )
  return (
    <aside className="blame" aria-label={text.blame.title}>
      {state ?? <Margin space={space} notes={notes} />}
    </aside>
  )
}

/** The notes, each at the height of its first block. */
function Margin({ space, notes }: { readonly space: string; readonly notes: readonly Note[] }) {
  const own = useRef<HTMLDivElement>(null)
  const [places, setPlaces] = useState<readonly (Place | undefined)[]>([])
  useEffect(() => {
    const article = own.current?.closest('.reader')?.querySelector<HTMLElement>('.reader-article')
    const body = article?.querySelector(':scope > .body')
    if (article == null || body == null) return undefined
    const measure = () => setPlaces(placesOf(notes, body, own.current!))
    measure()
    // Pictures that arrive, and a window that changes, move the blocks.
    const observer = new ResizeObserver(measure)
    observer.observe(article)
    return () => observer.disconnect()
  }, [notes])
  return (
    <div ref={own} className="blame-margin">
      {notes.map((note, at) => {
        const place = places[at]
        return (
          place !== undefined && (
            <div key={at} className="blame-note" style={{ top: place.top, height: place.height }}>
              <NoteLine space={space} note={note} />
            </div>
          )
        )
      })}
    </div>
  )
}

function NoteLine({ space, note: { source, before } }: { readonly space: string; readonly note: Note }) {
  if (source === undefined)
    return (
      <span className="blame-line">
        {before === undefined ? text.blame.unknown : text.blame.before(formatRelativeTime(before))}
      </span>
    )
  const { revision, changedAt } = source
  const { mergedFrom } = revision
  const names = namesOf(source)
  const href =
    mergedFrom === undefined ? revisionPath(space, revision.id) : new URL(mergedFrom.urls.app).pathname
  const sentence = `${sentenceOf(revision)} · ${formatExactTime(changedAt)}`
  return (
    <WithTooltip label={sentence}>
      <Link href={href} className="blame-line">
        <Avatar name={names} photo={source.authors[0]?.photoURL} />
        <span className="blame-names">{names}</span>
        <time dateTime={changedAt}>{formatRelativeTime(changedAt)}</time>
      </Link>
    </WithTooltip>
  )
}

interface Place {
  readonly top: number
  readonly height: number
}

function placesOf(notes: readonly Note[], body: Element, margin: HTMLElement): (Place | undefined)[] {
  const elements = [...body.children]
  const matches = matchBlocks(
    notes.flatMap(({ texts }) => texts),
    elements.map((element) => element.textContent ?? ''),
  )
  const { top: zero } = margin.getBoundingClientRect()
  let next = 0
  return notes.map(({ texts }) => {
    const its = matches
      .slice(next, (next += texts.length))
      .flatMap((at) => (at === undefined ? [] : [elements[at]!]))
    if (its.length === 0) return undefined
    const { top } = its[0]!.getBoundingClientRect()
    return { top: top - zero, height: its.at(-1)!.getBoundingClientRect().bottom - top }
  })
}

/** Blocks inside of others have no note of their own: what changed inside of a block changed the block. */
function notesOf({ blocks, sources, text: markdown }: PageBlame & { readonly text: string }): Note[] {
  const notes: (Note & { readonly texts: string[] })[] = []
  let last: { readonly source: number | undefined } | undefined
  for (const { key, span, source, before } of blocks) {
    if (key.includes('.')) continue
    const words = markdown.slice(span.start, span.end)
    if (last !== undefined && last.source === source) notes.at(-1)!.texts.push(words)
    else notes.push({ source: source === undefined ? undefined : sources[source], before, texts: [words] })
    last = { source }
  }
  return notes
}
