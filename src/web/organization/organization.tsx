/** Screens of an organization: what it holds, and its sites, collections and specifications, each to read. */
import { useQuery } from '@tanstack/react-query'
import { organizationsQuery } from '../api/queries.js'
import Home from '../home/home.js'
import { text } from '../i18n/text.js'
import { homePath, organizationPath } from '../routes/addresses.js'
import { Header } from '../shell/frame.js'
import { ButtonLink } from '../ui/button.js'
import { EmptyState, Skeleton } from '../ui/display.js'
import { CollectionScreen } from './collection.js'
import { SiteScreen } from './site.js'
import { SpecificationScreen } from './specification.js'
import Trash from './trash.js'

export default function Organization({
  organization,
  part,
}: {
  readonly organization: string
  readonly part: string
}) {
  const { data: organizations } = useQuery(organizationsQuery)
  if (organizations === undefined) return <Skeleton />
  if (!organizations.some(({ id }) => id === organization)) {
    return (
      <EmptyState
        icon="lock"
        isScreen
        title={text.organization.closed}
        actions={<ButtonLink href={homePath}>{text.errors.toHome}</ButtonLink>}
      >
        {text.organization.closedText}
      </EmptyState>
    )
  }
  const [kind, id, ...rest] = part.split('/')
  if (part === '') return <Home />
  if (part === 'trash') return <Trash organization={organization} />
  if (id !== undefined && id !== '' && rest.length === 0) {
    if (kind === 'site') return <SiteScreen key={id} organization={organization} site={id} />
    if (kind === 'c') return <CollectionScreen key={id} organization={organization} collection={id} />
    if (kind === 'openapi') return <SpecificationScreen key={id} organization={organization} slug={id} />
  }
  return (
    <>
      <Header>
        <h1>{text.errors.unknownAddress}</h1>
      </Header>
      <EmptyState
        icon="circleAlert"
        title={text.organization.unknownPart}
        actions={
          <>
            <ButtonLink href={organizationPath(organization)}>{text.organization.overview}</ButtonLink>
            <ButtonLink href="/docs/api" variant="quiet">
              {text.organization.reference}
            </ButtonLink>
          </>
        }
      >
        {text.organization.unknownPartText}
      </EmptyState>
    </>
  )
}
