/** Editor of one page: opens its text or what this browser kept of it, and saves while the person writes. */
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type ChangeSource, contentKey, queryClient, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { checkAppVersion } from '../api/app-version.js'
import {
  closeSession,
  createClient,
  journal,
  openSession,
  saveOtherDrafts,
  takeLeftDraft,
  textKeysOf,
  unlockDraft,
} from '../sync/drafts.js'
import { takeBackDraft } from '../sync/draft-claims.js'
import { setSaveState } from '../sync/save-states.js'
import { fetchPageText, saveText } from '../sync/save-text.js'
import { type SaveState, TextSession } from '../sync/text-session.js'
import { Button } from '../ui/button.js'
import { ErrorNotice, Notice, Skeleton } from '../ui/display.js'
import { fileUrlsQuery } from './file-urls.js'
import { ConflictPanel } from './conflict-panel.js'
import { DescriptionField, TitleField } from './title-field.js'
import type { RichView } from './rich-view.js'
import type { SourceView } from './source-view.js'
import type { TextEdited } from '../../contract/page-text.js'
import type { ChangeRequest } from '../../contract/change-requests.js'
import { countInteractions } from './interactions.js'
import { CopyText, MoveToNewChange, headingOf } from './unsaved-drafts.js'
import type { ViewPosition } from './view-position.js'
import './page-editor.css'

/** Where the person was in each text, for another view of it and for coming back. */
const positions = new Map<string, ViewPosition>()

export default function PageEditor({
  source,
  page,
  mode,
  title,
  sign,
  parent,
  status,
  onTitle,
}: {
  readonly source: ChangeSource
  readonly page: string
  readonly mode: 'rich' | 'source'
  readonly title: string
  /** The emoji or icon of the page; undefined for a page without one. */
  readonly sign: ReactNode
  /** The page above. */
  readonly parent: string | undefined
  /** That of the change request. */
  readonly status: ChangeRequest['status']
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
  const [problems, setProblems] = useState(0)
  /** Why the rich view could not be made. */
  const [richError, setRichError] = useState<Error>()
  const rich = useRef<RichView>(undefined)
  const plain = useRef<SourceView>(undefined)
  const mounted = useRef(mode)
  /** What had the focus when a view was asked for, and the interactions until then: see `showView`. */
  const before = useRef({ focus: null as Element | null, interactions: 0 })
  const rememberFocus = () => {
    before.current = { focus: document.activeElement, interactions: countInteractions() }
  }

  useEffect(() => {
    rememberFocus()
    let isGone = false
    let opened: TextSession | undefined
    const gone = new AbortController()
    const key = textKeysOf(source).of(page)
    async function open() {
      const draft = await takeLeftDraft(key)
      const start = draft ?? (await fetchPageText(source, page))
      const client = draft?.draft.client ?? (await createClient())
      if (isGone) return unlockDraft(client)
      let heading = headingOf('draft' in start ? start.base.text : start.text)
      let answer: TextEdited | undefined
      let wasOffline = false
      opened = new TextSession(start, {
        key,
        client,
        journal: await journal,
        save: (edit) => saveText(source, page, edit, (next) => (answer = next)),
        readEditor: () => opened && rich.current?.tell(opened),
        describe: (base) => rich.current?.describe(base),
        onAcknowledged(text) {
          if (rich.current === undefined || answer === undefined) return
          if (rich.current.acknowledge(answer, text)) rich.current.tell(opened!)
          // At once: what is typed in a document of another text cannot be taken over.
          else flushSync(() => setReloads((count) => count + 1))
        },
        onState: (next) => {
          // What it was saved on may be another version of the server.
          if (next.kind === 'saved' && wasOffline) void checkAppVersion(true)
          wasOffline = next.kind === 'offline'
          // What says nothing here is not drawn again with every save.
          setState((before) => (isQuiet(before) && isQuiet(next) ? before : next))
          setSaveState({ key, client }, next)
          if (next.kind === 'refused') void refresh('space', source.space)
          if (next.kind !== 'saved') return
          void queryClient.invalidateQueries({ queryKey: [...contentKey(source), 'page', page] })
          const saved = headingOf(opened!.text)
          if (saved !== heading) onTitle()
          heading = saved
        },
        onRemote: (splices) => plain.current?.applyRemote(splices),
      })
      openSession(opened)
      if (draft === undefined) setState({ kind: 'saved', isMerged: false })
      setSession(opened)
      void saveOtherDrafts(source, key, () => void opened?.pull(), gone.signal)
    }
    setError(undefined)
    open().catch((failure: unknown) => !isGone && setError(failure as Error))
    // The network is back, or the person has signed in in another tab.
    const retry = () => document.visibilityState === 'visible' && opened?.retry()
    window.addEventListener('online', retry)
    window.addEventListener('focus', retry)
    document.addEventListener('visibilitychange', retry)
    return () => {
      isGone = true
      gone.abort()
      window.removeEventListener('online', retry)
      window.removeEventListener('focus', retry)
      document.removeEventListener('visibilitychange', retry)
      if (opened !== undefined) void closeSession(opened)
    }
    // The callbacks of the screen may change with each rendering.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [source.space, source.change, page, attempt])

  useEffect(() => {
    const parent = pane.current
    if (session === undefined || parent === null) return undefined
    let isGone = false
    const showView = (view: RichView | SourceView) => {
      const position = positions.get(session.key)
      if (position !== undefined) view.moveTo(position)
      const { activeElement } = document
      // Taken only from where it was then, and from a person who has waited since.
      const { focus, interactions } = before.current
      const isFree =
        activeElement === document.body || (activeElement === focus && countInteractions() === interactions)
      // A dialog may be open over the page.
      if (isFree && parent.closest('[inert], [aria-hidden="true"]') === null) view.focus()
    }
    const mountSource = async () => {
      const { mountSourceView } = await import('./source-view.js')
      if (isGone) return
      plain.current = mountSourceView(parent, {
        text: session.text,
        source,
        page,
        onChange: (next) => session.update(next),
        onProblems: setProblems,
      })
      showView(plain.current)
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
      if (session.text !== stored.text) throw new Error(text.change.richUnsaved)
      rich.current = mountRichView(parent, {
        source,
        page,
        text: stored.text,
        document: stored,
        files,
        onChange: () => rich.current?.tell(session),
      })
      showView(rich.current)
    }
    const mountRichOrSource = () =>
      mountRich().catch((failure: unknown) => {
        if (isGone) return undefined
        console.error(failure)
        setRichError(failure as Error)
        return mountSource()
      })
    setRichError(undefined)
    void (mode === 'source' ? mountSource() : mountRichOrSource())
    return () => {
      isGone = true
      rememberFocus()
      rich.current?.tell(session)
      setProblems(0)
      rich.current?.destroy()
      plain.current?.destroy()
      rich.current = undefined
      plain.current = undefined
    }
  }, [session, mode, source, page, reloads])

  // Where the person is has to be read before the view is taken out of the page.
  const remember = () => {
    const view = rich.current ?? plain.current
    if (session !== undefined && view !== undefined) positions.set(session.key, view.position())
  }
  if (mode !== mounted.current) {
    remember()
    mounted.current = mode
  }
  useLayoutEffect(() => remember, [session])

  // The browser asks before it closes a tab whose text exists nowhere else.
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (session?.hasUnsavedChanges === true) event.preventDefault()
    }
    const flush = () => void session?.flush()
    const flushHidden = () => document.visibilityState === 'hidden' && flush()
    window.addEventListener('beforeunload', warn)
    window.addEventListener('pagehide', flush)
    document.addEventListener('visibilitychange', flushHidden)
    return () => {
      window.removeEventListener('beforeunload', warn)
      window.removeEventListener('pagehide', flush)
      document.removeEventListener('visibilitychange', flushHidden)
    }
  }, [session])

  if (error !== undefined) return <ErrorNotice error={error} onRetry={() => setAttempt(attempt + 1)} />
  if (session === undefined) return <Skeleton lines={10} />
  return (
    <div className="page-editor">
      <EditorNotices
        state={state}
        session={session}
        source={source}
        status={status}
        onTakeBack={() => void takeBackDraft(session.client).then(() => setAttempt((count) => count + 1))}
      />
      {richError !== undefined && mode === 'rich' && (
        <Notice tone="amber" icon="triangleAlert">
          {text.change.richFailed(richError.message)}{' '}
          <Button variant="quiet" icon="refresh" onClick={() => setReloads((count) => count + 1)}>
            {text.common.tryAgain}
          </Button>
        </Notice>
      )}
      {mode === 'rich' && (
        <>
          <TitleField key={title} source={source} page={page} title={title} sign={sign} onTitle={onTitle} />
          <DescriptionField source={source} page={page} parent={parent} />
        </>
      )}
      <div
        key={mode}
        className={mode === 'source' ? 'source-pane' : 'rich-pane'}
        inert={state.kind === 'elsewhere'}
        ref={pane}
      />
      {problems > 0 && (
        <div className="source-problems">
          <Button icon="triangleAlert" onClick={() => plain.current?.openProblems()}>
            {text.source.problems(problems)}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Whether there is no notice of a state. */
const isQuiet = (state: SaveState): boolean =>
  state.kind === 'saved' || ((state.kind === 'saving' || state.kind === 'offline') && !state.isInTabOnly)

function EditorNotices({
  state,
  session,
  source,
  status,
  onTakeBack,
}: {
  readonly state: SaveState
  readonly session: TextSession
  readonly source: ChangeSource
  readonly status: ChangeRequest['status']
  /** The text is opened here again. */
  readonly onTakeBack: () => void
}) {
  const copy = <CopyText markdown={() => session.text} />
  switch (state.kind) {
    case 'saved':
      return null
    case 'elsewhere':
      return (
        <Notice tone="amber" icon="copy">
          {text.save.elsewhere}{' '}
          <Button variant="quiet" icon="pencil" onClick={onTakeBack}>
            {text.save.takeBack}
          </Button>
        </Notice>
      )
    case 'signedOut':
      return (
        <Notice tone="red" icon="lock">
          {text.save.signedOut} {state.isInTabOnly && text.save.storageFull}{' '}
          <a className="notice-link" href="/~octavo/sign-in" target="_blank" rel="noopener">
            {text.save.signInElsewhere}
          </a>{' '}
          {!state.isInTabOnly && (
            <a
              className="notice-link"
              href={`/~octavo/sign-in?return=${encodeURIComponent(location.pathname)}`}
            >
              {text.save.signInHere}
            </a>
          )}
          <Button variant="quiet" icon="refresh" onClick={() => session.retry()}>
            {text.common.tryAgain}
          </Button>
          {copy}
        </Notice>
      )
    case 'refused':
      return (
        <Notice tone="red" icon="circleAlert">
          {describeRefusal(state, status)} {text.save.whatYouWrote}{' '}
          {state.reason !== 'other' && <MoveToNewChange space={source.space} draft={() => session.leave()} />}
          {copy}
          <Button variant="quiet" icon="refresh" onClick={() => session.retry()}>
            {text.common.tryAgain}
          </Button>
        </Notice>
      )
    case 'conflict':
      return <ConflictPanel state={state} session={session} />
    default:
      return state.isInTabOnly ? (
        <Notice tone="amber" icon="triangleAlert">
          {text.save.storageFull} {copy}
        </Notice>
      ) : null
  }
}

function describeRefusal(
  { reason, message }: Extract<SaveState, { kind: 'refused' }>,
  status: ChangeRequest['status'],
): string {
  if (reason === 'other') return message
  if (reason !== 'closed') return text.save.refused[reason]
  return status === 'merged' || status === 'archived'
    ? text.save.refused.closed(text.change.state[status].toLowerCase())
    : text.save.refused.closedNow
}
