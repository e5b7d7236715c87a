/** Home: recent pages, open change requests, reviews to do, spaces and sites; what to begin with in an empty organization. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ChangeRequest } from '../../contract/change-requests.js'
import { listMembers } from '../../contract/members.js'
import type { Organization } from '../../contract/organizations.js'
import type { Space } from '../../contract/spaces.js'
import {
  collectionsQuery,
  currentUserQuery,
  organizationChangesQuery,
  organizationsQuery,
  sitesQuery,
  spacesQuery,
} from '../api/queries.js'
import { ApiRequestError, api } from '../api/client.js'
import { text } from '../i18n/text.js'
import { changePath, organizationPath, spacePath } from '../routes/addresses.js'
import { Link } from '../routes/navigation.js'
import { Header, useFrame } from '../shell/frame.js'
import { Button, ButtonLink } from '../ui/button.js'
import { Avatar, Badge, EmojiOrIcon, EmptyState, RelativeTime, Skeleton, type Tone } from '../ui/display.js'
import { Icon } from '../ui/icon.js'
import { Invitations } from './invitations.js'
import { readRecentPages } from './recent-pages.js'
import './home.css'

export default function Home() {
  const { organization, openDialog } = useFrame()
  const { data: user } = useQuery(currentUserQuery)
  const { data: organizations } = useQuery(organizationsQuery)
  const { data: spaces, error } = useQuery({
    ...spacesQuery(organization?.id ?? ''),
    enabled: organization !== undefined,
  })
  const isClosed = error instanceof ApiRequestError && error.status === 403
  if (organization === undefined && organizations !== undefined && organizations.length > 1)
    return <ChooseOrganization organizations={organizations} />
  if (organizations?.length === 0 || isClosed) {
    return <ClosedHome organization={organization?.id} message={error?.message} />
  }
  if (organization === undefined || user === undefined || spaces === undefined) {
    return (
      <>
        <Header>
          <h1>{text.home.title}</h1>
        </Header>
        <Skeleton lines={6} />
      </>
    )
  }
  return (
    <>
      <Header>
        <h1>{text.home.title}</h1>
        {organization.permissions.listMembers && <MemberCount organization={organization.id} />}
        <span className="header-spacer" />
        {spaces.length > 1 && organization.permissions.createContent && (
          <>
            <Button variant="quiet" icon="upload" onClick={() => openDialog('import')}>
              {text.home.importContent}
            </Button>
            <Button icon="plus" onClick={() => openDialog('newSpace')}>
              {text.newSpace.title}
            </Button>
          </>
        )}
      </Header>
      <div className="home">
        <Invitations />
        {spaces.length < 2 && organization.permissions.createContent && (
          <Begin organization={organization.id} />
        )}
        {spaces.length === 0 ? (
          !organization.permissions.createContent && (
            <EmptyState icon="book" title={text.home.emptyTitle}>
              {text.home.emptyText}
            </EmptyState>
          )
        ) : (
          <>
            <RecentPages spaces={spaces} />
            <div className="home-columns">
              <Changes organization={organization.id} user={user.id} spaces={spaces} kind="own" />
              <Changes organization={organization.id} user={user.id} spaces={spaces} kind="review" />
            </div>
            <Spaces spaces={spaces} />
            <div className="home-columns">
              <Sites organization={organization.id} />
              <Collections organization={organization.id} />
            </div>
          </>
        )}
      </div>
    </>
  )
}

/** What to begin with, until there is a space besides the guide that the first start brings. */
function Begin({ organization }: { readonly organization: string }) {
  const { openDialog } = useFrame()
  const { data: sites } = useQuery(sitesQuery(organization))
  const guide = sites?.find(({ urls }) => urls.published !== undefined)
  const entries = [
    ['newSpace', 'plus', text.newSpace.title, text.home.beginEmpty],
    ['template', 'fileStack', text.home.beginTemplate, text.home.beginTemplateText],
    ['import', 'upload', text.home.beginImport, text.home.beginImportText],
  ] as const
  return (
    <Section title={text.home.begin}>
      <ul className="home-cards home-begin">
        {entries.map(([dialog, icon, name, detail]) => (
          <li key={dialog}>
            <button type="button" className="home-card" onClick={() => openDialog(dialog)}>
              <Icon name={icon} />
              <span className="home-card-title">{name}</span>
              <span className="home-card-detail">{detail}</span>
            </button>
          </li>
        ))}
        {guide !== undefined && (
          <li>
            <Link href={guide.urls.published!} className="home-card">
              <Icon name="book" />
              <span className="home-card-title">{text.home.read(guide.title)}</span>
              <span className="home-card-detail">{text.home.readText}</span>
            </Link>
          </li>
        )}
      </ul>
    </Section>
  )
}

/** For somebody in several organizations, who has opened none of them in this browser yet. */
function ChooseOrganization({ organizations }: { readonly organizations: readonly Organization[] }) {
  return (
    <>
      <Header>
        <h1>{text.organization.choose}</h1>
      </Header>
      <div className="home">
        <Invitations />
        <ul className="home-cards">
          {organizations.map(({ id, title, urls }) => (
            <li key={id}>
              <Link href={organizationPath(id)} className="home-card">
                <Avatar name={title} photo={urls.logo} />
                <span className="home-card-title">{title}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

/** Somebody without an organization, or before one that asks for single sign-on. */
function ClosedHome({
  organization,
  message,
}: {
  readonly organization: string | undefined
  readonly message: string | undefined
}) {
  return (
    <>
      <Header>
        <h1>{text.home.title}</h1>
      </Header>
      <div className="home">
        <Invitations />
        {organization === undefined ? (
          <EmptyState icon="users" title={text.home.noOrganization}>
            {text.home.noOrganizationText}
          </EmptyState>
        ) : (
          <EmptyState
            icon="lock"
            title={text.home.closed}
            actions={
              <ButtonLink
                href={`/~octavo/sign-in?organization=${organization}&return=${encodeURIComponent(organizationPath(organization))}`}
                variant="primary"
              >
                {text.home.singleSignOn}
              </ButtonLink>
            }
          >
            {message}
          </EmptyState>
        )}
      </div>
    </>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="home-section">
      <h2 className="home-heading">{title}</h2>
      {children}
    </section>
  )
}

function RecentPages({ spaces }: { readonly spaces: readonly Space[] }) {
  const titles = new Map(spaces.map((space) => [space.id, space]))
  const pages = readRecentPages().filter(({ space }) => titles.has(space))
  if (pages.length === 0) return null
  return (
    <Section title={text.home.recentPages}>
      <ul className="home-cards">
        {pages.slice(0, 6).map(({ space, path, title, emoji }) => (
          <li key={`${space}/${path}`}>
            <Link href={spacePath(space, path)} className="home-card">
              <EmojiOrIcon emoji={emoji} icon="fileText" />
              <span className="home-card-title">{title}</span>
              <span className="home-card-detail">{titles.get(space)!.title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const tones: Readonly<Record<ChangeRequest['status'], Tone>> = {
  draft: 'neutral',
  open: 'accent',
  merged: 'green',
  archived: 'neutral',
}

function Changes({
  organization,
  user,
  spaces,
  kind,
}: {
  readonly organization: string
  readonly user: string
  readonly spaces: readonly Space[]
  readonly kind: 'own' | 'review'
}) {
  const filter = kind === 'own' ? { creator: user } : { requestedReviewer: user }
  const { data: changes } = useQuery(organizationChangesQuery(organization, filter))
  const titles = new Map(spaces.map(({ id, title }) => [id, title]))
  if (kind === 'review' && (changes === undefined || changes.length === 0)) return null
  return (
    <Section title={kind === 'own' ? text.home.changes : text.home.reviews}>
      {changes === undefined ? (
        <Skeleton lines={2} />
      ) : changes.length === 0 ? (
        <p className="home-nothing">{text.home.noChanges}</p>
      ) : (
        <ul className="home-list">
          {changes.slice(0, 8).map((change) => (
            <li key={change.id}>
              <Link href={changePath(change.space, change.number)} className="home-row">
                <Icon name={change.status === 'draft' ? 'gitPullRequestDraft' : 'gitPullRequest'} />
                <span className="home-row-title">
                  {change.subject || text.common.untitled}{' '}
                  <span className="home-row-detail">#{change.number}</span>
                </span>
                <Badge tone={tones[change.status]}>{text.change.state[change.status]}</Badge>
                {change.conflicts > 0 && <Badge tone="red">{text.home.conflicts}</Badge>}
                {kind === 'review' && <span className="home-row-detail">{change.createdBy.displayName}</span>}
                {change.comments > 0 && (
                  <span className="home-row-detail" title={text.home.openComments(change.comments)}>
                    <Icon name="message" /> {change.comments}
                    <span className="visually-hidden"> {text.home.openComments(change.comments)}</span>
                  </span>
                )}
                <span className="home-row-detail">
                  {titles.get(change.space)} · <RelativeTime date={change.updatedAt} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Spaces({ spaces }: { readonly spaces: readonly Space[] }) {
  return (
    <Section title={text.home.spaces}>
      <ul className="home-cards">
        {spaces.map((space) => (
          <li key={space.id}>
            <Link href={spacePath(space.id)} className="home-card">
              <EmojiOrIcon emoji={space.emoji} icon="book" />
              <span className="home-card-title">{space.title}</span>
              <span className="home-card-detail">
                <RelativeTime date={space.updatedAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Sites({ organization }: { readonly organization: string }) {
  const { data: sites } = useQuery(sitesQuery(organization))
  if (sites === undefined || sites.length === 0) return null
  return (
    <Section title={text.home.sites}>
      <ul className="home-cards">
        {sites.map((site) => (
          <li key={site.id}>
            <Link
              href={site.urls.published ?? organizationPath(organization, `site/${site.id}`)}
              className="home-card"
            >
              <Icon name="globe" />
              <span className="home-card-title">{site.title}</span>
              <span className="home-card-detail">
                {site.published ? text.home.visibility(site.visibility) : text.home.unpublished}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Collections({ organization }: { readonly organization: string }) {
  const { data: collections = [] } = useQuery(collectionsQuery(organization))
  if (collections.length === 0) return null
  return (
    <Section title={text.organization.collections}>
      <ul className="home-cards">
        {collections.map(({ id, title }) => (
          <li key={id}>
            <Link href={organizationPath(organization, `c/${id}/`)} className="home-card">
              <Icon name="folder" />
              <span className="home-card-title">{title || text.common.untitled}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const memberCountQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'members', 'count'],
    queryFn: async ({ signal }) =>
      (await api.call(listMembers, { params: { organizationId }, query: { limit: 1 }, signal })).count,
  })

function MemberCount({ organization }: { readonly organization: string }) {
  const { data: count } = useQuery(memberCountQuery(organization))
  if (count === undefined) return null
  return <span className="home-nothing">{text.organization.members(count)}</span>
}
