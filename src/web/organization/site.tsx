/** A site: where it is published, who may read it, and the spaces that it consists of. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { listSiteSections, listSiteSpaces } from '../../contract/site-structure.js'
import { getSite } from '../../contract/sites.js'
import { api } from '../api/client.js'
import { text } from '../i18n/text.js'
import { spacePath } from '../routes/addresses.js'
import { ButtonLink } from '../ui/button.js'
import { Badge, RelativeTime } from '../ui/display.js'
import { Facts, ResourceLinks, ResourceScreen, Section, Unread } from './parts.js'

const siteQuery = (organizationId: string, siteId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'site', siteId],
    queryFn: async ({ signal }) => {
      const params = { organizationId, siteId }
      const query = { limit: 1000 }
      const [site, spaces, sections] = await Promise.all([
        api.call(getSite, { params, signal }),
        api.call(listSiteSpaces, { params, query, signal }),
        api.call(listSiteSections, { params, query, signal }),
      ])
      return { site, spaces: spaces.items, sections: sections.items }
    },
  })

export function SiteScreen({
  organization,
  site: id,
}: {
  readonly organization: string
  readonly site: string
}) {
  const { data, error, refetch } = useQuery(siteQuery(organization, id))
  if (data === undefined)
    return <Unread organization={organization} error={error} onRetry={() => void refetch()} />
  const { site, spaces, sections } = data
  const { published, preview } = site.urls
  const sectionTitles = new Map(sections.map((section) => [section.id, section.title]))
  return (
    <ResourceScreen
      title={site.title}
      actions={
        <>
          {site.permissions.admin && (
            <ButtonLink href={new URL(preview).pathname} variant="quiet" icon="eye">
              {text.site.preview}
            </ButtonLink>
          )}
          {published !== undefined && (
            <ButtonLink href={published} icon="externalLink" variant="primary">
              {text.site.open}
            </ButtonLink>
          )}
        </>
      }
    >
      <Section title={text.site.publication}>
        <Facts
          facts={[
            [
              text.site.state,
              <Badge key="state" tone={site.published ? 'green' : 'neutral'}>
                {site.published ? text.site.published : text.site.unpublished}
              </Badge>,
            ],
            [text.site.address, published === undefined ? undefined : <a href={published}>{published}</a>],
            [text.site.visibility, text.home.visibility(site.visibility)],
            [text.site.created, <RelativeTime key="created" date={site.createdAt} />],
          ]}
        />
      </Section>
      <Section title={text.site.spaces}>
        <ResourceLinks
          nothing={text.site.noSpaces}
          resources={spaces.map((one) => ({
            id: one.id,
            href: spacePath(one.space.id),
            icon: 'book',
            emoji: one.space.emoji,
            title: one.title,
            detail: [
              one.section === undefined ? undefined : sectionTitles.get(one.section),
              one.urls.published ?? `/${one.path}`,
            ]
              .filter((part) => part !== undefined)
              .join(' · '),
          }))}
        />
      </Section>
    </ResourceScreen>
  )
}
