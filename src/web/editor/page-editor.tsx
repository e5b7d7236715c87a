/** Editor of one page: opens its text or what this browser kept of it, and saves while the person writes. */
import { useEffect, useRef, useState } from 'react'
import { type ContentSource, contentKey, queryClient } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { type StoredDraft, openJournal } from '../sync/journal.js'
import { fetchPageText, saveText } from '../sync/save-text.js'
import { type SaveState, TextSession } from '../sync/text-session.js'
import { Button } from '../ui/button.js'
import { ErrorNotice, Notice, Skeleton } from '../ui/display.js'
import { ConflictPanel } from './conflict-panel.js'
import { type SourceView, mountSourceView } from './source-view.js'
import './page-editor.css'

const journal = openJournal()

/** The name of this tab for the server and the journal, and a lock that other tabs see while it lives. */
const tab = crypto.getRandomValues(new Uint32Array(3)).join('-')
void navigator.locks?.request(`octavo-tab-${tab}`, () => new Promise(() => {}))
let openings = 0

/** Returns what a tab that is gone left unsaved, oldest first. */
async function findDraft(key: string): Promise<StoredDraft | undefined> {
  const drafts = await (await journal).list(key)
  const held = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name))
  return drafts.find(({ draft }) => !held.has(`octavo-tab-${draft.client.split('.')[0]}`))
}

export default function PageEditor({
  source,
  page,
  onState,
  onTitle,
}: {
  readonly source: ContentSource & { readonly change: number }
  readonly page: string
  readonly mode: 'rich' | 'source'
  readonly onState: (state: SaveState) => void
  /** The heading of the page has changed and is saved. */
  readonly onTitle: () => void
}) {
  const pane = useRef<HTMLDivElement>(null)
  const [session, setSession] = useState<TextSession>()
  const [state, setState] = useState<SaveState>({ kind: 'saved', isMerged: false })
  const [error, setError] = useState<Error>()
  const [attempt, setAttempt] = useState(0)
  const view = useRef<SourceView>(undefined)

  useEffect(() => {
    let isGone = false
    let opened: TextSession | undefined
    const key = `${source.space}/${source.change}/${page}`
    async function open() {
      const draft = await findDraft(key)
      const start = draft ?? (await fetchPageText(source, page))
      if (isGone) return
      let title = headingOf('draft' in start ? start.base.text : start.text)
      opened = new TextSession(start, {
        key,
        client: `${tab}.${++openings}`,
        journal: await journal,
        save: (edit) => saveText(source, page, edit),
        onState: (next) => {
          setState(next)
          onState(next)
          if (next.kind !== 'saved') return
          void queryClient.invalidateQueries({ queryKey: [...contentKey(source), 'page', page] })
          const saved = headingOf(opened!.text)
          if (saved !== title) onTitle()
          title = saved
        },
        onRemote: (splices) => view.current?.applyRemote(splices),
      })
      setSession(opened)
    }
    setError(undefined)
    open().catch((failure: unknown) => !isGone && setError(failure as Error))
    const retry = () => opened?.retry()
    window.addEventListener('online', retry)
    return () => {
      isGone = true
      window.removeEventListener('online', retry)
      // What is unsaved is sent; the journal has it if that fails.
      void opened?.flush().finally(() => opened?.close())
    }
    // The callbacks of the screen may change with each rendering.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [source.space, source.change, page, attempt])

  useEffect(() => {
    if (session === undefined || pane.current === null) return undefined
    const mounted = mountSourceView(pane.current, {
      text: session.text,
      isEditable: true,
      onChange: (next) => session.update(next),
    })
    view.current = mounted
    mounted.focus()
    return () => {
      view.current = undefined
      mounted.destroy()
    }
  }, [session])

  // The browser asks before it closes a tab whose text exists nowhere else.
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (session?.hasUnsavedChanges === true) event.preventDefault()
    }
    const flush = () => document.visibilityState === 'hidden' && void session?.flush()
    window.addEventListener('beforeunload', warn)
    document.addEventListener('visibilitychange', flush)
    return () => {
      window.removeEventListener('beforeunload', warn)
      document.removeEventListener('visibilitychange', flush)
    }
  }, [session])

  if (error !== undefined) return <ErrorNotice error={error} onRetry={() => setAttempt(attempt + 1)} />
  if (session === undefined) return <Skeleton lines={10} />
  return (
    <div className="page-editor">
      <EditorNotices state={state} session={session} />
      <div className="source-pane" ref={pane} />
    </div>
  )
}

/** The words of the first heading. */
const headingOf = (markdown: string): string | undefined => /^# +(.+)$/m.exec(markdown)?.[1]

function EditorNotices({ state, session }: { readonly state: SaveState; readonly session: TextSession }) {
  if (state.kind === 'signedOut') {
    return (
      <Notice tone="red" icon="lock">
        {text.save.signedOut}{' '}
        <a className="notice-link" href="/~octavo/sign-in" target="_blank" rel="noopener">
          {text.save.signInAgain}
        </a>{' '}
        <Button variant="quiet" onClick={() => session.retry()}>
          {text.common.tryAgain}
        </Button>
      </Notice>
    )
  }
  if (state.kind === 'refused') {
    return (
      <Notice tone="red" icon="circleAlert">
        {state.message} {text.save.keptHere}{' '}
        <Button variant="quiet" icon="copy" onClick={() => void navigator.clipboard.writeText(session.text)}>
          {text.save.copyText}
        </Button>
      </Notice>
    )
  }
  return state.kind === 'conflict' ? <ConflictPanel state={state} session={session} /> : null
}
