/** A collection: its spaces, and the collections inside it. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getCollection } from '../../contract/collections.js'
import { api } from '../api/client.js'
import { collectionsQuery, spacesQuery } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { organizationPath, spacePath } from '../routes/addresses.js'
import { RelativeTime } from '../ui/display.js'
import { ResourceLinks, ResourceScreen, Section, Unread } from './parts.js'

const collectionQuery = (organizationId: string, collectionId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'collection', collectionId],
    queryFn: ({ signal }) => api.call(getCollection, { params: { collectionId }, signal }),
  })

export function CollectionScreen({
  organization,
  collection: id,
}: {
  readonly organization: string
  readonly collection: string
}) {
  const { data: collection, error, refetch } = useQuery(collectionQuery(organization, id))
  const { data: spaces = [] } = useQuery(spacesQuery(organization))
  const { data: collections = [] } = useQuery(collectionsQuery(organization))
  if (collection === undefined)
    return <Unread organization={organization} error={error} onRetry={() => void refetch()} />
  const inside = collections.filter(({ parent }) => parent === id)
  return (
    <ResourceScreen title={collection.title || text.common.untitled} description={collection.description}>
      <Section title={text.home.spaces}>
        <ResourceLinks
          nothing={text.collection.noSpaces}
          resources={spaces
            .filter(({ parent }) => parent === id)
            .map((space) => ({
              id: space.id,
              href: spacePath(space.id),
              icon: 'book',
              emoji: space.emoji,
              title: space.title,
              detail: <RelativeTime date={space.updatedAt} />,
            }))}
        />
      </Section>
      {inside.length > 0 && (
        <Section title={text.collection.collections}>
          <ResourceLinks
            nothing=""
            resources={inside.map((one) => ({
              id: one.id,
              href: organizationPath(organization, `c/${one.id}/`),
              icon: 'folder',
              title: one.title || text.common.untitled,
            }))}
          />
        </Section>
      )}
    </ResourceScreen>
  )
}
