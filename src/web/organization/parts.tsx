/** Shared by the screens of an organization: a resource that cannot be read, facts as a list, and links as a list. */
import type { ReactNode } from 'react'
import { ApiRequestError } from '../api/client.js'
import { text } from '../i18n/text.js'
import { organizationPath } from '../routes/addresses.js'
import { Link } from '../routes/navigation.js'
import { Header } from '../shell/frame.js'
import { ButtonLink } from '../ui/button.js'
import { EmptyState, EmojiOrIcon, ErrorNotice, Skeleton } from '../ui/display.js'
import type { IconName } from '../ui/icon.js'
import '../account/account.css'
import './parts.css'

/** Instead of a resource that is on its way, gone, or cannot be read. */
export function Unread({
  organization,
  error,
  onRetry,
}: {
  readonly organization: string
  readonly error: Error | null
  readonly onRetry: () => void
}) {
  if (error === null) return <Skeleton lines={6} />
  const isHidden = error instanceof ApiRequestError && [403, 404].includes(error.status)
  if (!isHidden) {
    return (
      <div className="settings">
        <ErrorNotice error={error} onRetry={onRetry} />
      </div>
    )
  }
  return (
    <EmptyState
      icon="lock"
      isScreen
      title={text.organization.notFound}
      actions={<ButtonLink href={organizationPath(organization)}>{text.organization.overview}</ButtonLink>}
    >
      {text.organization.notFoundText}
    </EmptyState>
  )
}

export function ResourceScreen({
  title,
  description,
  actions,
  children,
}: {
  readonly title: string
  readonly description?: string | undefined
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <>
      <Header>
        <h1>{title}</h1>
        <span className="header-spacer" />
        {actions}
      </Header>
      <div className="settings">
        {description !== undefined && <p className="settings-section">{description}</p>}
        {children}
      </div>
    </>
  )
}

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="settings-section">
      <h2 className="settings-heading">{title}</h2>
      {children}
    </section>
  )
}

/** Names and values; absent values print nothing. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="settings-list">
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name} className="settings-row fact">
            <dt className="fact-name">{name}</dt>
            <dd className="fact-value">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

export interface LinkedResource {
  readonly id: string
  readonly href: string
  readonly icon: IconName
  readonly emoji?: string | undefined
  readonly title: string
  readonly detail?: ReactNode
}

export function ResourceLinks({
  resources,
  nothing,
}: {
  readonly resources: readonly LinkedResource[]
  readonly nothing: string
}) {
  if (resources.length === 0) return <p className="settings-row-detail">{nothing}</p>
  return (
    <ul className="settings-list">
      {resources.map(({ id, href, icon, emoji, title, detail }) => (
        <li key={id}>
          <Link href={href} className="settings-row resource-link">
            <EmojiOrIcon emoji={emoji} icon={icon} />
            <span className="settings-row-name">
              {title}
              {detail !== undefined && <span className="settings-row-detail">{detail}</span>}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
