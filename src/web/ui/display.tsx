/** Small display components: avatar, state badge, empty state, delayed skeleton, error notice, relative time, emoji. */
import { type ReactNode, useEffect, useState } from 'react'
import { text } from '../i18n/text.js'
import { formatExactTime, formatRelativeTime } from '../i18n/format.js'
import { Button } from './button.js'
import { Icon, type IconName } from './icon.js'
import './display.css'

export function Avatar({ name, photo }: { readonly name: string; readonly photo?: string | undefined }) {
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()
  return photo === undefined ? (
    <span className="avatar" aria-hidden="true">
      {initials}
    </span>
  ) : (
    <img className="avatar" src={photo} alt="" />
  )
}

export type Tone = 'neutral' | 'accent' | 'green' | 'amber' | 'red'

export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone
  readonly children: ReactNode
}) {
  return <span className={`badge badge-${tone}`}>{children}</span>
}

export function EmptyState({
  icon,
  title,
  isScreen = false,
  children,
  actions,
}: {
  readonly icon: IconName
  readonly title: string
  /** True where nothing else is on the screen, so that this is its heading. */
  readonly isScreen?: boolean
  readonly children?: ReactNode
  readonly actions?: ReactNode
}) {
  const Heading = isScreen ? 'h1' : 'h2'
  return (
    <div className="empty">
      <Icon name={icon} className="empty-icon" />
      <Heading className="empty-title">{title}</Heading>
      {children !== undefined && <p className="empty-text">{children}</p>}
      {actions !== undefined && <div className="empty-actions">{actions}</div>}
    </div>
  )
}

/** What failed, what is safe, and a button to try again. */
export function ErrorNotice({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  return (
    <div className="notice notice-red" role="alert">
      <Icon name="circleAlert" />
      <p>{error.message}</p>
      {onRetry !== undefined && (
        <Button variant="quiet" onClick={onRetry}>
          {text.common.tryAgain}
        </Button>
      )}
    </div>
  )
}

export function Notice({
  tone,
  icon,
  children,
}: {
  readonly tone: 'amber' | 'accent' | 'green' | 'red'
  readonly icon: IconName
  readonly children: ReactNode
}) {
  return (
    <div className={`notice notice-${tone}`} role="status">
      <Icon name={icon} />
      <div className="notice-body">{children}</div>
    </div>
  )
}

/** Grey lines in the shape of what is loading, after 300 ms. */
export function Skeleton({ lines = 4 }: { readonly lines?: number }) {
  const isLate = useDelay(300)
  return (
    <div className="skeleton" role="status" aria-label={text.common.loading}>
      {isLate && Array.from({ length: lines }, (_, at) => <span key={at} className="skeleton-line" />)}
    </div>
  )
}

function useDelay(milliseconds: number): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), milliseconds)
    return () => clearTimeout(timer)
  }, [milliseconds])
  return isOver
}

export function RelativeTime({ date }: { readonly date: string }) {
  return (
    <time dateTime={date} title={formatExactTime(date)}>
      {formatRelativeTime(date)}
    </time>
  )
}

/** The emoji of a space or page, or an icon in its place. The API writes an emoji as its code points. */
export function EmojiOrIcon({
  emoji,
  icon,
}: {
  readonly emoji?: string | undefined
  readonly icon: IconName
}) {
  const character = emoji === undefined || emoji === '' ? undefined : readEmoji(emoji)
  return character === undefined ? (
    <Icon name={icon} />
  ) : (
    <span className="emoji" aria-hidden="true">
      {character}
    </span>
  )
}

/** Returns the characters of an emoji that is written as code points in hexadecimal, such as `1f4d6` or `1f1e9-1f1ea`. */
export function readEmoji(code: string): string {
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(code)) return code
  return String.fromCodePoint(...code.split('-').map((point) => parseInt(point, 16)))
}
