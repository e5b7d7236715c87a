/** Side bar: organization, search, and the spaces by collection, the sites and the account. */
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { unreadCountQuery } from '../api/inbox-queries.js'
import { collectionsQuery, sitesQuery, spaceQuery, spacesQuery, queryClient } from '../api/queries.js'
import type { Collection } from '../../contract/collections.js'
import type { Organization } from '../../contract/organizations.js'
import type { Space } from '../../contract/spaces.js'
import type { User } from '../../contract/users.js'
import { text } from '../i18n/text.js'
import {
  type Address,
  accountPath,
  homePath,
  inboxPath,
  organizationPath,
  spacePath,
} from '../routes/addresses.js'
import { Link, navigate } from '../routes/navigation.js'
import { IconButton } from '../ui/button.js'
import { Avatar, EmojiOrIcon } from '../ui/display.js'
import { Icon, type IconName } from '../ui/icon.js'
import { Menu } from '../ui/menu.js'
import { formatKeys } from '../actions/actions.js'
import { useFrame } from './frame.js'
import { signOut } from './sign-out.js'
import { themes } from './theme.js'
import { chooseTheme, useTheme } from './use-theme.js'
import './side-bar.css'

export function SideBar({
  address,
  user,
  organizations,
  organization,
  isOpen,
}: {
  readonly address: Address
  readonly user: User | undefined
  readonly organizations: readonly Organization[]
  readonly organization: Organization | undefined
  readonly isOpen: boolean
}) {
  const { openDialog, setBarOpen } = useFrame()
  return (
    <nav className="bar" aria-label={text.shell.navigation} hidden={!isOpen}>
      <div className="bar-top">
        <Menu
          trigger={
            <button type="button" className="bar-organization">
              <Avatar name={organization?.title ?? '·'} photo={organization?.urls.logo} />
              <span className="bar-organization-title">
                {organization?.title ?? text.shell.noOrganization}
              </span>
              <Icon name="chevronsUpDown" />
            </button>
          }
          groups={[
            organizations.map((one) => ({
              name: one.title,
              href: organizationPath(one.id),
              isChecked: one.id === organization?.id,
            })),
          ]}
        />
        <IconButton icon="panelLeft" label={text.shell.closeBar} keys="[" onClick={() => setBarOpen(false)} />
      </div>
      <button type="button" className="bar-search" onClick={() => openDialog('palette')}>
        <Icon name="search" />
        <span>{text.shell.search}</span>
        <kbd>{formatKeys('Mod+K')}</kbd>
      </button>
      <ul className="bar-links">
        <BarLink href={homePath} icon="house" name={text.shell.home} isCurrent={address.screen === 'home'} />
        <InboxLink isCurrent={address.screen === 'inbox'} />
      </ul>
      <div className="bar-scroll">
        {organization !== undefined && (
          <>
            <SpaceList organization={organization} address={address} onNew={() => openDialog('newSpace')} />
            <SiteList organization={organization} />
            <ul className="bar-section">
              <BarLink
                href={organizationPath(organization.id, 'trash')}
                icon="trash"
                name={text.shell.trash}
                isCurrent={address.screen === 'organization' && address.part === 'trash'}
              />
            </ul>
          </>
        )}
      </div>
      <div className="bar-bottom">
        <AccountMenu user={user} onKeys={() => openDialog('keys')} />
      </div>
    </nav>
  )
}

function InboxLink({ isCurrent }: { readonly isCurrent: boolean }) {
  const { data: unread = 0 } = useQuery(unreadCountQuery)
  return (
    <BarLink href={inboxPath} icon="inbox" name={text.inbox.title} isCurrent={isCurrent} count={unread} />
  )
}

function BarLink({
  href,
  icon,
  emoji,
  name,
  isCurrent = false,
  depth = 0,
  count = 0,
  onPointerEnter,
}: {
  readonly href: string
  readonly icon: IconName
  readonly emoji?: string | undefined
  readonly name: string
  readonly isCurrent?: boolean
  readonly depth?: number
  /** Of unread entries. */
  readonly count?: number
  readonly onPointerEnter?: () => void
}) {
  return (
    <li>
      <Link
        href={href}
        className="bar-link"
        aria-current={isCurrent ? 'page' : undefined}
        style={{ paddingInlineStart: `${0.5 + depth * 0.75}rem` }}
        {...(onPointerEnter !== undefined && { onPointerEnter })}
      >
        <EmojiOrIcon emoji={emoji} icon={icon} />
        <span className="bar-name">{name}</span>
        {count > 0 && (
          <span className="bar-count">
            {count > 99 ? '99+' : count}
            <span className="visually-hidden"> {text.inbox.unread}</span>
          </span>
        )}
      </Link>
    </li>
  )
}

interface Branch {
  readonly collection: Collection | undefined
  readonly branches: readonly Branch[]
  readonly spaces: readonly Space[]
}

/** Returns the tree of collections with their spaces; those of a collection that is not shared stand at the top. */
function branchOf(collections: readonly Collection[], spaces: readonly Space[], parent?: Collection): Branch {
  const known = new Set(collections.map(({ id }) => id))
  const isBelow = (id: string | undefined) =>
    parent === undefined ? id === undefined || !known.has(id) : id === parent.id
  return {
    collection: parent,
    branches: collections
      .filter((one) => isBelow(one.parent))
      .map((one) => branchOf(collections, spaces, one)),
    spaces: spaces.filter((one) => isBelow(one.parent)),
  }
}

function SpaceList({
  organization,
  address,
  onNew,
}: {
  readonly organization: Organization
  readonly address: Address
  readonly onNew: () => void
}) {
  const { data: spaces = [] } = useQuery(spacesQuery(organization.id))
  const { data: collections = [] } = useQuery(collectionsQuery(organization.id))
  const top = useMemo(() => branchOf(collections, spaces), [collections, spaces])
  const current = address.screen === 'space' || address.screen === 'change' ? address.space : undefined
  return (
    <section className="bar-section">
      <div className="bar-heading">
        <h2>{text.shell.spaces}</h2>
        {organization.permissions.createContent && (
          <IconButton icon="plus" label={text.shell.newSpace} onClick={onNew} />
        )}
      </div>
      <ul>
        <BranchEntries branch={top} current={current} depth={0} />
      </ul>
    </section>
  )
}

function BranchEntries({
  branch,
  current,
  depth,
}: {
  readonly branch: Branch
  readonly current: string | undefined
  readonly depth: number
}) {
  return (
    <>
      {branch.branches.map((one) => (
        <CollectionEntry key={one.collection!.id} branch={one} current={current} depth={depth} />
      ))}
      {branch.spaces.map((space) => (
        <BarLink
          key={space.id}
          href={spacePath(space.id)}
          icon="book"
          emoji={space.emoji}
          name={space.title}
          depth={depth}
          isCurrent={space.id === current}
          onPointerEnter={() => void queryClient.prefetchQuery(spaceQuery(space.id))}
        />
      ))}
    </>
  )
}

function CollectionEntry({
  branch,
  current,
  depth,
}: {
  readonly branch: Branch
  readonly current: string | undefined
  readonly depth: number
}) {
  const [isOpen, setOpen] = useState(true)
  const title = branch.collection!.title || text.common.untitled
  return (
    <li>
      <button
        type="button"
        className="bar-link bar-collection"
        aria-expanded={isOpen}
        style={{ paddingInlineStart: `${0.5 + depth * 0.75}rem` }}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} />
        <span className="bar-name">{title}</span>
      </button>
      {isOpen && (
        <ul>
          <BranchEntries branch={branch} current={current} depth={depth + 1} />
        </ul>
      )}
    </li>
  )
}

function SiteList({ organization }: { readonly organization: Organization }) {
  const { data: sites = [] } = useQuery(sitesQuery(organization.id))
  if (sites.length === 0) return null
  return (
    <section className="bar-section">
      <div className="bar-heading">
        <h2>{text.shell.sites}</h2>
      </div>
      <ul>
        {sites.map((site) => (
          <BarLink
            key={site.id}
            href={site.urls.published ?? organizationPath(organization.id, `site/${site.id}`)}
            icon="globe"
            name={site.title}
          />
        ))}
      </ul>
    </section>
  )
}

function AccountMenu({ user, onKeys }: { readonly user: User | undefined; readonly onKeys: () => void }) {
  const theme = useTheme()
  return (
    <Menu
      trigger={
        <button type="button" className="bar-account">
          <Avatar name={user?.displayName ?? '·'} photo={user?.photoURL} />
          <span className="bar-name">{user?.displayName}</span>
        </button>
      }
      groups={[
        [
          { name: text.shell.account, icon: 'user', href: accountPath },
          { name: text.shell.keys, icon: 'keyboard', keys: '?', run: onKeys },
          {
            name: text.shell.apiReference,
            icon: 'code',
            run: () => window.open('/docs/api', '_blank', 'noopener'),
          },
        ],
        themes.map((one) => ({
          name: text.shell.theme[one],
          isChecked: one === theme,
          run: () => chooseTheme(one),
        })),
        [
          {
            name: text.shell.signOut,
            icon: 'logOut',
            run: () => void signOut().then(() => navigate(homePath)),
          },
        ],
      ]}
    />
  )
}
