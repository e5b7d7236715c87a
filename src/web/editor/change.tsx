/** A change request: write its pages, see what changes, and merge it. */
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useEffect, useMemo, useState } from 'react'
import { type ChangeRequest, updateChangeRequest } from '../../contract/change-requests.js'
import type { Space } from '../../contract/spaces.js'
import { type Action, useActions } from '../actions/actions.js'
import { ApiRequestError, api } from '../api/client.js'
import { changeQuery, contentKey, pagesQuery, refresh, spaceQuery } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { type ChangeTab, changePath, changeTabs, spacePath } from '../routes/addresses.js'
import { Link, navigate } from '../routes/navigation.js'
import { Header } from '../shell/frame.js'
import { ContentLayout, TreeToggle } from '../space/content-layout.js'
import { PageIcon } from '../space/page-icon.js'
import { type PageNode, findPage, hasSign, pageNodeOf, wayTo } from '../space/page-node.js'
import { ReaderPage } from '../space/reader-page.js'
import { SpaceError } from '../space/space.js'
import { Button, IconButton, WithTooltip } from '../ui/button.js'
import {
  Avatar,
  Badge,
  EmojiOrIcon,
  EmptyState,
  ErrorNotice,
  Notice,
  Skeleton,
  type Tone,
} from '../ui/display.js'
import { useEditedValue } from '../ui/edited-value.js'
import { Menu } from '../ui/menu.js'
import { Segmented } from '../ui/segmented.js'
import { reportFailure, showToast } from '../ui/toast.js'
import { textKeysOf } from '../sync/drafts.js'
import { ChangeTree } from './change-tree.js'
import { MergeDialog } from './merge-dialog.js'
import { PagePanel } from './page-panel.js'
import { PreviewPane } from './preview-pane.js'
import { CurrentSaveLine } from './save-line.js'
import { UnsavedDrafts } from './unsaved-drafts.js'
import { ReviewButton } from '../review/review-button.js'
import { Reviewers } from '../review/reviewers.js'
import { checkQuery } from '../review/reviews-query.js'
import { SpaceLabels } from '../review/space-labels.js'
import { UpdateButton } from '../review/update-button.js'
import { closeComments } from '../review/comment-place.js'
import { useCommentsBeside } from '../review/comments-beside.js'
import './change.css'

const PageEditor = lazy(() => import('./page-editor.js'))
const Changes = lazy(() => import('../review/changes.js'))
const Conversation = lazy(() => import('../review/conversation.js'))
const Checks = lazy(() => import('../review/checks.js'))

export default function Change({
  space: spaceId,
  change: number,
  tab,
  path,
}: {
  readonly space: string
  readonly change: number
  readonly tab: ChangeTab
  readonly path: string
}) {
  const { data: space, error: spaceError } = useQuery(spaceQuery(spaceId))
  const { data: change, error } = useQuery(changeQuery(spaceId, number))
  const spaceLoss = space === undefined || isRefusal(spaceError) ? spaceError : null
  const lost = spaceLoss ?? (change === undefined || isRefusal(error) ? error : null)
  if (lost !== null) {
    return (
      <>
        <SpaceError error={lost} />
        <UnsavedDrafts source={{ space: spaceId, change: number }} canMove={space !== undefined} />
      </>
    )
  }
  if (space === undefined || change === undefined) {
    return (
      <>
        <Header>{null}</Header>
        <Skeleton lines={8} />
      </>
    )
  }
  return <ChangeView space={space} change={change} tab={tab} path={path} />
}

/** The space or the change request is gone, or not shared any more; what is open stays open while the server is away. */
const isRefusal = (error: Error | null): boolean =>
  error instanceof ApiRequestError && [403, 404].includes(error.status)

const tones: Readonly<Record<ChangeRequest['status'], Tone>> = {
  draft: 'neutral',
  open: 'accent',
  merged: 'green',
  archived: 'neutral',
}

export type EditorMode = 'rich' | 'source'
/** Beside the text, or instead of it. */
type PreviewPlace = 'none' | 'beside' | 'instead'
const modeKey = 'octavo-editor-mode'
const besideKey = 'octavo-preview-beside'

function ChangeView({
  space,
  change,
  tab,
  path,
}: {
  readonly space: Space
  readonly change: ChangeRequest
  readonly tab: ChangeTab
  readonly path: string
}) {
  const source = useMemo(() => ({ space: space.id, change: change.number }), [space.id, change.number])
  const { data: pages, error } = useQuery(pagesQuery(source))
  const nodes = useMemo(() => pages?.map(pageNodeOf), [pages])
  const page = nodes && findPage(nodes, path)
  const [mode, setMode] = useState<EditorMode>(() =>
    localStorage.getItem(modeKey) === 'source' ? 'source' : 'rich',
  )
  const [preview, setPreview] = useState<PreviewPlace>('none')
  const [isMerging, setMerging] = useState(false)
  const [isPanelOpen, setPanelOpen] = useState(false)
  const isClosed = change.status === 'merged' || change.status === 'archived'
  const canEdit = change.permissions?.edit ?? false

  const mayComment = change.permissions?.comment === true
  const comments = useCommentsBeside(source, tab === 'write' ? page?.id : undefined, mayComment)

  useEffect(() => {
    document.title = `${page === undefined ? '' : `${page.title} · `}#${change.number} ${change.subject} · ${space.title}`
  }, [page, change.number, change.subject, space.title])

  const chooseMode = (next: EditorMode) => {
    setMode(next)
    setPreview((place) => (place === 'instead' ? 'none' : place))
    localStorage.setItem(modeKey, next)
  }
  const openPreview = () =>
    setPreview((place) =>
      place !== 'none' ? 'none' : localStorage.getItem(besideKey) === 'true' ? 'beside' : 'instead',
    )
  const togglePlace = () => {
    const next = preview === 'beside' ? 'instead' : 'beside'
    localStorage.setItem(besideKey, String(next === 'beside'))
    setPreview(next)
  }
  const togglePanel = () => {
    const wasCovered = closeComments()
    setPanelOpen((isOpen) => wasCovered || !isOpen)
  }
  const { data: rules } = useQuery({ ...checkQuery(source, 'merge-rules'), enabled: !isClosed })
  const unmet = rules?.status === 'failed' ? rules.items.find(({ isMet }) => isMet === false) : undefined
  const mergeReason = isClosed
    ? text.change.closed
    : change.permissions?.merge === true
      ? unmet?.message
      : text.change.mayNotMerge
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: 'merge',
          name: text.change.merge,
          icon: 'gitMerge',
          keys: 'M',
          disabledReason: mergeReason,
          run: () => setMerging(true),
        },
        {
          id: 'preview',
          name: text.change.preview,
          icon: 'eye',
          keys: 'Mod+Shift+P',
          run: openPreview,
        },
        {
          id: 'source',
          name: text.change.source,
          icon: 'code',
          keys: 'Mod+Alt+S',
          run: () => chooseMode('source'),
        },
        {
          id: 'rich',
          name: text.change.rich,
          icon: 'pencil',
          keys: 'Mod+Alt+R',
          run: () => chooseMode('rich'),
        },
        {
          id: 'panel',
          name: text.panel.title,
          icon: 'panelRight',
          keys: ']',
          run: togglePanel,
        },
      ],
      [mergeReason],
    ),
  )

  return (
    <>
      <Header>
        {(tab === 'write' || tab === 'changes') && <TreeToggle />}
        <Link href={spacePath(space.id, path)} className="breadcrumb-space">
          <EmojiOrIcon emoji={space.emoji} icon="book" />
          <span className="change-space">{space.title}</span>
        </Link>
        <SubjectField key={change.id} change={change} isEditable={canEdit} />
        <Badge tone={tones[change.status]}>{text.change.state[change.status]}</Badge>
        <WithTooltip label={text.review.author(change.createdBy.displayName)}>
          <span
            className="change-author"
            tabIndex={0}
            role="img"
            aria-label={text.review.author(change.createdBy.displayName)}
          >
            <Avatar name={change.createdBy.displayName} photo={change.createdBy.photoURL} />
          </span>
        </WithTooltip>
        <SpaceLabels space={space} />
        <span className="header-spacer" />
        {canEdit && tab === 'write' && <CurrentSaveLine below={textKeysOf(source).below} />}
        <Reviewers space={space} change={change} />
        <ChangeMenu change={change} />
        <ReviewButton space={space} change={change} />
        <Button
          variant="primary"
          icon="gitMerge"
          disabledReason={mergeReason}
          onClick={() => setMerging(true)}
        >
          {text.change.merge}
        </Button>
      </Header>
      <div className="change-bar">
        <nav className="change-tabs" aria-label={text.change.parts}>
          {changeTabs.map((one) => (
            <Link
              key={one}
              href={changePath(space.id, change.number, path, one)}
              className="change-tab"
              aria-current={one === tab ? 'page' : undefined}
            >
              {text.change.tabs[one]}
            </Link>
          ))}
        </nav>
        <span className="header-spacer" />
        {tab === 'write' && page?.type === 'document' && (
          <Segmented<EditorMode | 'preview'>
            label={text.change.view}
            value={preview === 'instead' ? 'preview' : mode}
            onChange={(next) => (next === 'preview' ? openPreview() : chooseMode(next))}
            choices={[
              { value: 'rich', name: text.change.rich, icon: 'pencil' },
              { value: 'source', name: text.change.source, icon: 'code' },
              { value: 'preview', name: text.change.preview, icon: 'eye' },
            ]}
          />
        )}
        {comments.button}
        {tab === 'write' && canEdit && page?.type === 'document' && (
          <IconButton
            icon="panelRight"
            label={text.panel.title}
            keys="]"
            aria-pressed={isPanelOpen}
            onClick={togglePanel}
          />
        )}
      </div>
      <UnsavedDrafts
        source={source}
        isTaken={(id) => canEdit && (nodes === undefined || findById(nodes, id) !== undefined)}
        titleOf={(id) => nodes && findById(nodes, id)?.title}
        canMove={space.permissions.edit || space.permissions.comment}
      />
      {change.outdated && !isClosed && tab !== 'checks' && <Outdated change={change} />}
      {isClosed && (
        <div className="change-notice">
          <Notice tone="accent" icon="lock">
            {text.change.closed}
          </Notice>
        </div>
      )}
      <div className="content-with-panel">
        {tab === 'write' && (
          <ContentLayout
            tree={
              nodes === undefined ? (
                <Skeleton lines={10} />
              ) : (
                <ChangeTree source={source} nodes={nodes} current={page} isEditable={canEdit} />
              )
            }
          >
            {page === undefined && <h1 className="visually-hidden">{space.title}</h1>}
            {error !== null && nodes === undefined && (
              <ErrorNotice error={error} onRetry={() => void refresh(...contentKey(source))} />
            )}
            {nodes !== undefined && page === undefined && (
              <EmptyState icon="fileText" title={nodes.length === 0 ? text.space.noPages : text.space.noPage}>
                {nodes.length === 0 ? text.change.firstPage : text.space.noPageText}
              </EmptyState>
            )}
            {page !== undefined && (
              <Suspense fallback={<Skeleton lines={10} />}>
                {canEdit && page.type === 'document' ? (
                  <div className={`editor-split has-preview-${preview}`}>
                    <h1 className="visually-hidden">{page.title}</h1>
                    <div className="editor-side" inert={preview === 'instead'}>
                      <PageEditor
                        key={page.id}
                        source={source}
                        page={page.id}
                        mode={mode}
                        title={page.heading}
                        sign={hasSign(page) ? <PageIcon node={page} /> : undefined}
                        parent={wayTo(nodes ?? [], page.id).at(-2)?.id}
                        status={change.status}
                        onTitle={() => void refresh(...contentKey(source), 'pages')}
                      />
                    </div>
                    {preview !== 'none' && (
                      <PreviewPane
                        key={page.id}
                        source={source}
                        organization={space.organization}
                        page={page.id}
                        isBeside={preview === 'beside'}
                        onBeside={togglePlace}
                      />
                    )}
                  </div>
                ) : (
                  <ReaderPage key={page.id} source={source} page={page} mayComment={mayComment} />
                )}
              </Suspense>
            )}
          </ContentLayout>
        )}
        {tab !== 'write' && (
          <Suspense fallback={<Skeleton lines={8} />}>
            <h1 className="visually-hidden">
              {change.subject === '' ? `#${change.number}` : change.subject}
            </h1>
            {tab === 'changes' && <Changes space={space} change={change} path={path} />}
            {tab === 'conversation' && <Conversation space={space} change={change} />}
            {tab === 'checks' && <Checks space={space} change={change} />}
          </Suspense>
        )}
        {comments.panel}
        {isPanelOpen &&
          comments.panel === false &&
          canEdit &&
          tab === 'write' &&
          page?.type === 'document' && (
            <PagePanel key={page.id} source={source} page={page.id} onClose={() => setPanelOpen(false)} />
          )}
      </div>
      {isMerging && <MergeDialog space={space} change={change} onClose={() => setMerging(false)} />}
    </>
  )
}

function findById(nodes: readonly PageNode[], id: string): PageNode | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node : findById(node.children, id)
    if (found !== undefined) return found
  }
  return undefined
}

/** The subject, edited in place: saved on Enter and when the field is left. */
function SubjectField({
  change,
  isEditable,
}: {
  readonly change: ChangeRequest
  readonly isEditable: boolean
}) {
  const save = async (subject: string) => {
    await api.call(updateChangeRequest, {
      params: { spaceId: change.space, changeRequestId: change.number },
      body: { subject },
    })
    await refresh('space', change.space)
  }
  const { onChange, ...field } = useEditedValue(change.subject, (subject) => reportFailure(save(subject)))
  return (
    <span className="subject">
      <span className="subject-number">#{change.number}</span>
      <input
        className="subject-field"
        aria-label={text.change.subject}
        placeholder={text.change.subjectPlaceholder}
        maxLength={100}
        readOnly={!isEditable}
        {...field}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </span>
  )
}

function Outdated({ change }: { readonly change: ChangeRequest }) {
  return (
    <div className="change-notice">
      <Notice tone="accent" icon="refresh">
        {text.change.outdated}{' '}
        {change.permissions?.edit === true && (
          <UpdateButton change={change} name={text.change.update} variant="quiet" />
        )}
      </Notice>
    </div>
  )
}

function ChangeMenu({ change }: { readonly change: ChangeRequest }) {
  const setStatus = async (status: 'draft' | 'open' | 'archived') => {
    try {
      await api.call(updateChangeRequest, {
        params: { spaceId: change.space, changeRequestId: change.number },
        body: { status },
      })
      await refresh('space', change.space)
      if (status === 'archived') navigate(spacePath(change.space))
    } catch (error) {
      showToast((error as Error).message, { kind: 'error' })
    }
  }
  if (change.status === 'merged' || change.permissions?.update !== true) return null
  const run = (status: 'draft' | 'open' | 'archived') => () => void setStatus(status)
  return (
    <Menu
      trigger={<IconButton icon="ellipsis" label={text.common.more} />}
      align="end"
      groups={[
        change.status === 'draft' ? [{ name: text.change.askForReview, icon: 'eye', run: run('open') }] : [],
        change.status === 'archived'
          ? [{ name: text.change.reopen, icon: 'refresh', run: run('draft') }]
          : [{ name: text.change.archive, icon: 'archive', run: run('archived') }],
      ]}
    />
  )
}
