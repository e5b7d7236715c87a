/** Editor of one page: opens its text or what this browser kept of it, and saves while the person writes. */
import { useEffect, useRef, useState } from 'react'
import { type ChangeSource, contentKey, queryClient } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { type StoredDraft, openJournal } from '../sync/journal.js'
import { fetchPageText, saveText } from '../sync/save-text.js'
import { type SaveState, TextSession } from '../sync/text-session.js'
import { Button } from '../ui/button.js'
import { ErrorNotice, Notice, Skeleton } from '../ui/display.js'
import { fileUrlsQuery } from './file-urls.js'
import { ConflictPanel } from './conflict-panel.js'
import { TitleField } from './title-field.js'
import type { DocumentHandle } from '../document/mount.js'
import { LinkDialog } from './link-dialog.js'
import type { RichView } from './rich-view.js'
import type { SourceView } from './source-view.js'
import type { TextEdited } from '../../contract/page-text.js'
import './page-editor.css'

const journal = openJournal()

/** The name of this tab for the server and the journal, and a lock that other tabs see while it lives. */
const tab = crypto.getRandomValues(new Uint32Array(3)).join('-')
void navigator.locks?.request(`octavo-tab-${tab}`, () => new Promise(() => {}))
let openings = 0
/** Clients of the texts that are open in this tab, or whose last save is on its way. */
const openClients = new Set<string>()
/** Milliseconds after which a draft is nobody's, where the browser has no locks: only secure addresses have them. */
const draftPause = 30_000

/** Returns what was left unsaved, by a tab that is gone or on a page that this tab has left; the oldest first. */
async function findDraft(key: string): Promise<StoredDraft | undefined> {
  const drafts = await (await journal).list(key)
  const locks = (await navigator.locks?.query())?.held?.map(({ name }) => name)
  const isOpen = ({ client, writtenAt }: StoredDraft['draft']) => {
    const [owner] = client.split('.')
    if (owner === tab) return openClients.has(client)
    return locks === undefined ? Date.now() - writtenAt < draftPause : locks.includes(`octavo-tab-${owner}`)
  }
  return drafts.find(({ draft }) => !isOpen(draft))
}

export default function PageEditor({
  source,
  page,
  mode,
  title,
  onState,
  onTitle,
}: {
  readonly source: ChangeSource
  readonly page: string
  readonly mode: 'rich' | 'source'
  readonly title: string
  readonly onState: (state: SaveState) => void
  /** The heading of the page has changed and is saved. */
  readonly onTitle: () => void
}) {
  const pane = useRef<HTMLDivElement>(null)
  const [session, setSession] = useState<TextSession>()
  const [state, setState] = useState<SaveState>({ kind: 'saved', isMerged: false })
  const [error, setError] = useState<Error>()
  const [attempt, setAttempt] = useState(0)
  /** Counts how often the rich view has to be made anew from the stored text. */
  const [reloads, setReloads] = useState(0)
  const [linked, setLinked] = useState<DocumentHandle>()
  const rich = useRef<RichView>(undefined)
  const plain = useRef<SourceView>(undefined)

  useEffect(() => {
    let isGone = false
    let opened: TextSession | undefined
    const key = `${source.space}/${source.change}/${page}`
    async function open() {
      const draft = await findDraft(key)
      const start = draft ?? (await fetchPageText(source, page))
      if (isGone) return
      let heading = headingOf('draft' in start ? start.base.text : start.text)
      let answer: TextEdited | undefined
      opened = new TextSession(start, {
        key,
        client: `${tab}.${++openings}`,
        journal: await journal,
        save: (edit) => saveText(source, page, edit, (next) => (answer = next)),
        describe(base) {
          if (rich.current === undefined) return undefined
          opened!.update(rich.current.text())
          return rich.current.describe(base)
        },
        onAcknowledged(text) {
          if (rich.current === undefined || answer === undefined) return
          if (rich.current.acknowledge(answer, text)) opened!.update(rich.current.text())
          else setReloads((count) => count + 1)
        },
        onState: (next) => {
          setState(next)
          onState(next)
          if (next.kind !== 'saved') return
          void queryClient.invalidateQueries({ queryKey: [...contentKey(source), 'page', page] })
          const saved = headingOf(opened!.text)
          if (saved !== heading) onTitle()
          heading = saved
        },
        onRemote: (splices) => plain.current?.applyRemote(splices),
      })
      openClients.add(opened.client)
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
      const left = opened
      void left?.flush().finally(() => {
        left.close()
        openClients.delete(left.client)
      })
    }
    // The callbacks of the screen may change with each rendering.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [source.space, source.change, page, attempt])

  useEffect(() => {
    const parent = pane.current
    if (session === undefined || parent === null) return undefined
    let isGone = false
    const mountSource = async () => {
      const { mountSourceView } = await import('./source-view.js')
      if (isGone) return
      plain.current = mountSourceView(parent, {
        text: session.text,
        isEditable: true,
        onChange: (next) => session.update(next),
      })
      plain.current.focus()
    }
    /** The blocks are those of the stored text: what is unsaved is sent first. */
    const mountRich = async () => {
      const { mountRichView } = await import('./rich-view.js')
      await session.flush()
      const [stored, files] = await Promise.all([
        fetchPageText(source, page),
        queryClient.fetchQuery(fileUrlsQuery(source)),
      ])
      if (isGone) return
      session.takeOver(stored)
      if (session.text !== stored.text) return mountSource()
      rich.current = mountRichView(parent, {
        source,
        text: stored.text,
        document: stored,
        files,
        onChange: () => rich.current && session.update(rich.current.text()),
        onLink: setLinked,
      })
      rich.current.focus()
    }
    void (mode === 'source' ? mountSource() : mountRich().catch(mountSource))
    return () => {
      isGone = true
      if (rich.current !== undefined) session.update(rich.current.text())
      rich.current?.destroy()
      plain.current?.destroy()
      rich.current = undefined
      plain.current = undefined
    }
  }, [session, mode, source, page, reloads])

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
      {mode === 'rich' && (
        <TitleField key={title} source={source} page={page} title={title} onTitle={onTitle} />
      )}
      <div key={mode} className={mode === 'source' ? 'source-pane' : 'rich-pane'} ref={pane} />
      {linked !== undefined && <LinkDialog handle={linked} onClose={() => setLinked(undefined)} />}
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
