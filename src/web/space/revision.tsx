/** A revision of a space: its pages as they were, to read, each with its Markdown. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { revisionContent } from '../../contract/content.js'
import { api } from '../api/client.js'
import { spaceQuery } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { comparePath, homePath, revisionPath, spacePath } from '../routes/addresses.js'
import { Link } from '../routes/navigation.js'
import { ResourceLinks, ResourceScreen, Section } from '../organization/parts.js'
import { Button, ButtonLink } from '../ui/button.js'
import { EmptyState, Notice, Skeleton } from '../ui/display.js'
import { findPage, listPages, pageNodeOf } from './page-node.js'
import './revision.css'

const revisionQuery = (spaceId: string, revisionId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'revision', revisionId],
    queryFn: async ({ signal }) => {
      const params = { spaceId, revisionId }
      const { pages } = await api.call(revisionContent.pages, { params, query: { metadata: false }, signal })
      return pages.map(pageNodeOf)
    },
  })

const markdownQuery = (spaceId: string, revisionId: string, pageId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'revision', revisionId, pageId],
    queryFn: ({ signal }) =>
      api.call(revisionContent.page, {
        params: { spaceId, revisionId, pageId },
        query: { format: 'markdown' },
        signal,
      }),
  })

const RestoreDialog = lazy(() => import('../history/restore-dialog.js'))

export default function Revision({
  space,
  revision,
  path,
}: {
  readonly space: string
  readonly revision: string
  readonly path: string
}) {
  const { data: pages, error } = useQuery(revisionQuery(space, revision))
  const [isRestoring, setRestoring] = useState(false)
  const { data: spaceFound } = useQuery(spaceQuery(space))
  const page = pages && findPage(pages, path)
  const { data: read } = useQuery({
    ...markdownQuery(space, revision, page?.id ?? ''),
    enabled: page !== undefined,
  })
  if (error !== null) {
    return (
      <EmptyState
        icon="circleAlert"
        isScreen
        title={text.revision.notFound}
        actions={<ButtonLink href={homePath}>{text.errors.toHome}</ButtonLink>}
      >
        {error.message}
      </EmptyState>
    )
  }
  if (pages === undefined) return <Skeleton lines={6} />
  return (
    <ResourceScreen
      title={page?.title ?? text.revision.title}
      actions={
        <>
          {spaceFound !== undefined && spaceFound.revision !== revision && (
            <span className="revision-compare">
              <ButtonLink icon="columns" href={comparePath(space, revision, spaceFound.revision, path)}>
                {text.history.compareNow}
              </ButtonLink>
            </span>
          )}
          {spaceFound !== undefined && spaceFound.revision !== revision && (
            <Button
              icon="rotateCcw"
              disabledReason={spaceFound.permissions.edit ? undefined : text.space.viewOnly}
              onClick={() => setRestoring(true)}
            >
              {page === undefined ? text.history.restoreSpace : text.history.restorePage}
            </Button>
          )}
        </>
      }
    >
      <Suspense>
        {isRestoring && (
          <RestoreDialog
            space={space}
            revision={{ id: revision }}
            page={page}
            onClose={() => setRestoring(false)}
          />
        )}
      </Suspense>
      <div className="settings-section">
        <Notice tone="accent" icon="history">
          {text.revision.notice(spaceFound?.title ?? '')}{' '}
          <Link className="revision-current" href={spacePath(space, path)}>
            {text.revision.current}
          </Link>
        </Notice>
      </div>
      {read !== undefined && 'markdown' in read && (
        <Section title={text.revision.markdown}>
          <pre className="revision-text" tabIndex={0}>
            {read.markdown}
          </pre>
        </Section>
      )}
      <Section title={text.space.pages}>
        <ResourceLinks
          nothing={text.revision.noPages}
          resources={listPages(pages).map(({ node, above }) => ({
            id: node.id,
            href: revisionPath(space, revision, node.path),
            icon: 'fileText',
            emoji: node.emoji,
            title: node.title,
            ...(above.length > 0 && { detail: above.join(' / ') }),
          }))}
        />
      </Section>
    </ResourceScreen>
  )
}
