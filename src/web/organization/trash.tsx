/** Trash of an organization: deleted spaces, to be restored or deleted for ever. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Space, listTrash, purgeSpace, restoreSpace } from '../../contract/spaces.js'
import { api } from '../api/client.js'
import { refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { spacePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { Header } from '../shell/frame.js'
import { Button } from '../ui/button.js'
import { EmojiOrIcon, EmptyState, ErrorNotice, RelativeTime, Skeleton } from '../ui/display.js'
import { ConfirmDialog } from '../ui/prompts.js'
import { reportFailure, showToast } from '../ui/toast.js'
import './trash.css'

const trashQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'trash'],
    queryFn: async ({ signal }) =>
      (await api.call(listTrash, { params: { organizationId }, query: { limit: 1000 }, signal })).items,
    staleTime: 0,
  })

export default function Trash({ organization }: { readonly organization: string }) {
  const { data: spaces, error, refetch } = useQuery(trashQuery(organization))
  const [purged, setPurged] = useState<Space>()
  useEffect(() => {
    document.title = text.trash.title
  }, [])
  const restore = async (space: Space) => {
    await api.call(restoreSpace, { params: { spaceId: space.id } })
    await refresh('organization', organization)
    showToast(text.trash.restored(space.title), {
      action: { name: text.trash.open, run: () => navigate(spacePath(space.id)) },
    })
  }
  return (
    <>
      <Header>
        <h1>{text.trash.title}</h1>
      </Header>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {error === null && spaces === undefined && <Skeleton lines={4} />}
      {spaces?.length === 0 && (
        <EmptyState icon="trash" title={text.trash.empty}>
          {text.trash.emptyText}
        </EmptyState>
      )}
      {spaces !== undefined && spaces.length > 0 && (
        <div className="trash">
          <p className="trash-text">{text.trash.text}</p>
          <ul className="trash-list">
            {spaces.map((space) => (
              <li key={space.id} className="trash-row">
                <EmojiOrIcon emoji={space.emoji} icon="book" />
                <span className="trash-title">{space.title || text.common.untitled}</span>
                <span className="trash-time">
                  {text.trash.deletedAt} <RelativeTime date={space.deletedAt ?? space.updatedAt} />
                </span>
                <Button icon="rotateCcw" onClick={() => void reportFailure(restore(space))}>
                  {text.trash.restore}
                </Button>
                <Button variant="quiet" icon="trash" onClick={() => setPurged(space)}>
                  {text.trash.purge}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {purged !== undefined && (
        <ConfirmDialog
          title={text.trash.purgeQuestion(purged.title)}
          description={text.trash.purgeText}
          submit={text.trash.purge}
          isDanger
          onClose={() => setPurged(undefined)}
          onSubmit={async () => {
            await api.call(purgeSpace, { params: { spaceId: purged.id } })
            await refresh('organization', organization, 'trash')
            showToast(text.trash.purged(purged.title))
          }}
        />
      )}
    </>
  )
}
