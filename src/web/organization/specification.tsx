/** An OpenAPI specification: where it comes from, and its latest version. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getSpec } from '../../contract/openapi-specs.js'
import { api } from '../api/client.js'
import { text } from '../i18n/text.js'
import { ButtonLink } from '../ui/button.js'
import { RelativeTime } from '../ui/display.js'
import { Facts, ResourceScreen, Section, Unread } from './parts.js'

const specificationQuery = (organizationId: string, specSlug: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'specification', specSlug],
    queryFn: ({ signal }) => api.call(getSpec, { params: { organizationId, specSlug }, signal }),
  })

export function SpecificationScreen({
  organization,
  slug,
}: {
  readonly organization: string
  readonly slug: string
}) {
  const { data: specification, error, refetch } = useQuery(specificationQuery(organization, slug))
  if (specification === undefined)
    return <Unread organization={organization} error={error} onRetry={() => void refetch()} />
  return (
    <ResourceScreen
      title={specification.slug}
      actions={
        specification.urls.published !== undefined && (
          <ButtonLink href={specification.urls.published} icon="externalLink">
            {text.specification.open}
          </ButtonLink>
        )
      }
    >
      <Section title={text.specification.title}>
        <Facts
          facts={[
            [text.specification.source, specification.sourceURL],
            [text.specification.state, specification.processingState],
            [text.specification.created, <RelativeTime key="created" date={specification.createdAt} />],
            [text.specification.updated, <RelativeTime key="updated" date={specification.updatedAt} />],
          ]}
        />
      </Section>
    </ResourceScreen>
  )
}
