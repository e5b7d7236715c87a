/** A space: its pages and one of them for reading. Editing happens in a change request. */
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useEffect, useMemo, useState } from 'react'
import { createChangeRequest } from '../../contract/change-requests.js'
import { type Space as SpaceResource, restoreSpace } from '../../contract/spaces.js'
import { type Action, useActions } from '../actions/actions.js'
import { ApiRequestError, api } from '../api/client.js'
import { currentUserQuery, pagesQuery, refresh, spaceChangesQuery, spaceQuery } from '../api/queries.js'
import { rememberPage } from '../home/recent-pages.js'
import { text } from '../i18n/text.js'
import { changePath, historyPath, homePath, spacePath } from '../routes/addresses.js'
import { Link, navigate } from '../routes/navigation.js'
import { Header } from '../shell/frame.js'
import { Button, ButtonLink, WithTooltip } from '../ui/button.js'
import { Badge, EmojiOrIcon, EmptyState, ErrorNotice, Notice, Skeleton } from '../ui/display.js'
import { Icon } from '../ui/icon.js'
import { AnchoredMenu, type MenuGroups } from '../ui/menu.js'
import type { PopoverAnchor } from '../ui/popover.js'
import { reportFailure, showToast } from '../ui/toast.js'
import { type PageNode, findPage, hasText, pageNodeOf, wayTo } from './page-node.js'
import { PageTree } from './page-tree.js'
import { ReaderPage, prefetchPage } from './reader-page.js'
import { ContentLayout, TreeToggle } from './content-layout.js'
import { copyPageLink } from './copy-page-link.js'
import { SpaceMenu } from './space-menu.js'
import { useCommentsBeside } from '../review/comments-beside.js'
import { useLinkToPage } from '../review/linked-comment.js'
import './space.css'

const Blame = lazy(() => import('../history/blame.js'))

export default function Space({ space: id, path }: { readonly space: string; readonly path: string }) {
  const { data: space, error } = useQuery(spaceQuery(id))
  const { data: pages, error: pagesError } = useQuery(pagesQuery({ space: id, change: undefined }))
  if (error !== null && (space === undefined || isGone(error))) return <SpaceError error={error} />
  if (space === undefined) return <Loading />
  return <SpaceView space={space} pages={pages} error={pagesError} path={path} />
}

function Loading() {
  return (
    <>
      <Header>{null}</Header>
      <Skeleton lines={8} />
    </>
  )
}

/** True where something is not there, or may not be read: what is on the screen stays when the server cannot be reached. */
const isGone = (error: Error | null): boolean =>
  error instanceof ApiRequestError && [403, 404].includes(error.status)

/** A space that is not there, or may not be read, leads back to Home. */
export function SpaceError({ error }: { readonly error: Error }) {
  return (
    <>
      <Header>{null}</Header>
      {isGone(error) ? (
        <EmptyState
          icon="lock"
          isScreen
          title={text.space.gone}
          actions={<ButtonLink href={homePath}>{text.space.backHome}</ButtonLink>}
        >
          {text.space.goneText}
        </EmptyState>
      ) : (
        <>
          <h1 className="visually-hidden">{text.space.notLoaded}</h1>
          <ErrorNotice error={error} onRetry={() => void refresh()} />
        </>
      )}
    </>
  )
}

function SpaceView({
  space,
  pages,
  error,
  path,
}: {
  readonly space: SpaceResource
  readonly pages: Parameters<typeof pageNodeOf>[0][] | undefined
  readonly error: Error | null
  readonly path: string
}) {
  const nodes = useMemo(() => pages?.map(pageNodeOf), [pages])
  const page = nodes && findPage(nodes, path)
  const way = nodes && page ? wayTo(nodes, page.id) : []
  const source = { space: space.id, change: undefined }
  const edit = useEdit(space, page?.path ?? '')
  const mayComment = space.deletedAt === undefined && space.permissions.comment
  useLinkToPage(space.id)
  const comments = useCommentsBeside(source, page && hasText(page) ? page.id : undefined, mayComment)
  const [isBlamed, setBlamed] = useState(false)
  const pageActions = useMemo(
    () => (page === undefined || !hasText(page) ? [] : actionsOf(space.id, page, isBlamed, setBlamed)),
    [space.id, page, isBlamed],
  )
  const [menu, setMenu] = useState<{ readonly node: PageNode; readonly anchor: PopoverAnchor }>()

  useEffect(() => {
    document.title = `${page === undefined ? '' : `${page.title} · `}${space.title}`
    if (page !== undefined)
      rememberPage({ space: space.id, path: page.path, title: page.title, emoji: page.emoji })
  }, [space.id, space.title, page])

  const open = (node: PageNode) => {
    if (node.type === 'link') window.open(node.href, '_blank', 'noopener')
    else if (node.type !== 'group') navigate(spacePath(space.id, node.path))
  }
  return (
    <>
      <Header>
        <TreeToggle />
        <Breadcrumb space={space} way={way} />
        <span className="header-spacer" />
        <SpaceState space={space} />
        {comments.button}
        {space.deletedAt === undefined && edit.button}
        {space.deletedAt === undefined && <SpaceMenu space={space} pageActions={pageActions} />}
      </Header>
      {space.deletedAt !== undefined && <InTrash space={space} />}
      <div className="space-content">
        <ContentLayout
          tree={
            nodes === undefined ? (
              <Skeleton lines={10} />
            ) : (
              <PageTree
                nodes={nodes}
                current={page?.id}
                onOpen={open}
                onHover={(node) => prefetchPage(source, node)}
                onMenu={(node, anchor) => setMenu({ node, anchor })}
              />
            )
          }
        >
          {page === undefined && <h1 className="visually-hidden">{space.title}</h1>}
          {error !== null && nodes === undefined && (
            <ErrorNotice error={error} onRetry={() => void refresh('space', space.id)} />
          )}
          {nodes !== undefined && page === undefined && (
            <EmptyState
              icon="fileText"
              title={nodes.length === 0 ? text.space.noPages : text.space.noPage}
              actions={nodes.length === 0 && edit.button}
            >
              {nodes.length === 0 ? text.space.noPagesText : text.space.noPageText}
            </EmptyState>
          )}
          {page !== undefined && (
            <ReaderPage
              key={page.id}
              source={source}
              page={page}
              mayComment={mayComment}
              margin={
                isBlamed && (
                  <Suspense>
                    <Blame space={space.id} page={page.id} onClose={() => setBlamed(false)} />
                  </Suspense>
                )
              }
            />
          )}
        </ContentLayout>
        {comments.panel}
      </div>
      {menu !== undefined && (
        <AnchoredMenu
          label={text.common.more}
          anchor={menu.anchor}
          groups={pageEntries(space, menu.node, open)}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  )
}

/** The history of the page that is open, and who wrote its blocks. */
function actionsOf(
  space: string,
  page: PageNode,
  isBlamed: boolean,
  setBlamed: (isBlamed: boolean) => void,
): readonly Action[] {
  return [
    {
      id: 'page-history',
      name: text.history.pageHistory,
      icon: 'history',
      keys: 'G V',
      keywords: text.history.keywords,
      run: () => navigate(historyPath(space, page.path)),
    },
    {
      id: 'blame',
      name: isBlamed ? text.blame.hide : text.blame.show,
      icon: 'users',
      keywords: text.blame.keywords,
      run: () => setBlamed(!isBlamed),
    },
  ]
}

/** What a page offers to readers of the space. */
function pageEntries(space: SpaceResource, node: PageNode, open: (node: PageNode) => void): MenuGroups {
  const { published } = space.urls
  if (node.type === 'group') {
    return [[{ name: text.space.copyLink, icon: 'link', disabledReason: text.space.groupHasNoAddress }]]
  }
  const path = spacePath(space.id, node.path)
  const opened = { name: text.space.open, icon: 'fileText', run: () => open(node) } as const
  if (!hasText(node)) return [[opened]]
  return [
    [
      opened,
      {
        name: text.space.openInTab,
        icon: 'externalLink',
        run: () => void window.open(path, '_blank', 'noopener'),
      },
      { name: text.space.copyLink, icon: 'link', run: () => void reportFailure(copyPageLink(path)) },
      { name: text.history.pageHistory, icon: 'history', href: historyPath(space.id, node.path) },
    ],
    published === undefined
      ? []
      : [
          {
            name: text.space.asReader,
            icon: 'eye',
            run: () => void window.open(`${published.replace(/\/$/, '')}/${node.path}`, '_blank', 'noopener'),
          },
        ],
  ]
}

/** Says that the space is deleted, and restores it. */
function InTrash({ space }: { readonly space: SpaceResource }) {
  const restore = async () => {
    await api.call(restoreSpace, { params: { spaceId: space.id } })
    await Promise.all([refresh('space', space.id), refresh('organization', space.organization)])
  }
  return (
    <div className="space-notice">
      <Notice tone="amber" icon="trash">
        {text.space.inTrash}{' '}
        <Button variant="quiet" icon="rotateCcw" onClick={() => void reportFailure(restore())}>
          {text.trash.restore}
        </Button>
      </Notice>
    </div>
  )
}

/** Who can read the space, and how it is edited. */
function SpaceState({ space }: { readonly space: SpaceResource }) {
  const mode = text.space.editModes[space.editMode]
  return (
    <span className="space-state">
      <Badge tone={space.visibility === 'public' ? 'green' : 'neutral'}>
        {text.space.visibility[space.visibility] ?? space.visibility}
      </Badge>
      <WithTooltip label={mode.hint}>
        <span className="space-mode" tabIndex={0}>
          <Icon name={space.editMode === 'locked' ? 'lock' : 'pencil'} />
          <span className="space-mode-name">{mode.short}</span>
        </span>
      </WithTooltip>
    </span>
  )
}

export function Breadcrumb({
  space,
  way,
}: {
  readonly space: SpaceResource
  readonly way: readonly PageNode[]
}) {
  return (
    <nav className="breadcrumb" aria-label={text.space.pages}>
      <Link href={spacePath(space.id)} className="breadcrumb-space">
        <EmojiOrIcon emoji={space.emoji} icon="book" />
        {space.title}
      </Link>
      {way.slice(0, -1).map((node) => (
        <span key={node.id} className="breadcrumb-part">
          <Icon name="chevronRight" />
          {node.title}
        </span>
      ))}
    </nav>
  )
}

/** Edit: goes on with the person's latest open change request of the space, or starts one. */
function useEdit(space: SpaceResource, path: string) {
  const { data: user } = useQuery(currentUserQuery)
  const canEdit = space.deletedAt === undefined && (space.permissions.edit || space.permissions.comment)
  const { data: changes = [] } = useQuery({
    ...spaceChangesQuery(space.id, user?.id ?? ''),
    enabled: user !== undefined && canEdit,
  })
  const [isBusy, setBusy] = useState(false)
  const own = changes[0]
  const disabledReason = canEdit ? undefined : text.space.viewOnly

  async function start() {
    setBusy(true)
    try {
      const change = await api.call(createChangeRequest, { params: { spaceId: space.id }, body: {} })
      void refresh('space', space.id, 'changes')
      navigate(changePath(space.id, change.number, path))
    } catch (error) {
      showToast((error as Error).message, { kind: 'error' })
      setBusy(false)
    }
  }
  const run = () => {
    if (own === undefined) void start()
    else navigate(changePath(space.id, own.number, path))
  }
  useActions(
    useMemo(
      (): Action[] => [{ id: 'edit', name: text.space.edit, icon: 'pencil', keys: 'E', disabledReason, run }],
      // oxlint-disable-next-line react-hooks/exhaustive-deps
      [space.id, own?.number, path, disabledReason],
    ),
  )
  const button = (
    <Button variant="primary" icon="pencil" isBusy={isBusy} disabledReason={disabledReason} onClick={run}>
      {own === undefined ? (
        text.space.edit
      ) : (
        <>
          <span className="continue-long">{text.space.continueChange(own.number)}</span>
          <span className="continue-short">{text.space.continueShort(own.number)}</span>
        </>
      )}
    </Button>
  )
  return { button }
}
