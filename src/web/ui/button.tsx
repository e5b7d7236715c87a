/** Buttons: primary, plain and danger; icon buttons with a tooltip. A disabled one says why, and stays focusable. */
import { Tooltip } from '@base-ui/react/tooltip'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Link } from '../routes/navigation.js'
import { Icon, type IconName } from './icon.js'
import './button.css'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  readonly variant?: 'primary' | 'plain' | 'quiet' | 'danger'
  readonly icon?: IconName
  readonly keys?: string
  readonly isBusy?: boolean
  /** Why the button cannot be used now; shown as its tooltip. */
  readonly disabledReason?: string | undefined
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button({
  variant = 'plain',
  icon,
  keys,
  isBusy = false,
  disabledReason,
  className = '',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const isInert = isBusy || disabledReason !== undefined
  const button = (
    <button
      type="button"
      className={`button button-${variant} ${className}`}
      aria-disabled={isInert || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => {
        if (isInert) event.preventDefault()
        else onClick?.(event)
      }}
      {...rest}
    >
      {isBusy ? <Icon name="loader" className="is-spinning" /> : icon !== undefined && <Icon name={icon} />}
      {children}
      {keys !== undefined && <kbd className="button-keys">{keys}</kbd>}
    </button>
  )
  return disabledReason === undefined ? button : <WithTooltip label={disabledReason}>{button}</WithTooltip>
}

/** A link that looks like a button. */
export function ButtonLink({
  href,
  variant = 'plain',
  icon,
  children,
}: {
  readonly href: string
  readonly variant?: 'primary' | 'plain' | 'quiet'
  readonly icon?: IconName
  readonly children: ReactNode
}) {
  return (
    <Link href={href} className={`button button-${variant}`}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </Link>
  )
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  readonly icon: IconName
  readonly label: string
  readonly keys?: string | undefined
  readonly ref?: Ref<HTMLButtonElement>
}

export function IconButton({ icon, label, keys, className = '', ...rest }: IconButtonProps) {
  return (
    <WithTooltip label={label} keys={keys}>
      <button type="button" className={`icon-button ${className}`} aria-label={label} {...rest}>
        <Icon name={icon} />
      </button>
    </WithTooltip>
  )
}

export function WithTooltip({
  label,
  keys,
  children,
}: {
  readonly label: string
  readonly keys?: string | undefined
  readonly children: React.ReactElement<Record<string, unknown>>
}) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6}>
          <Tooltip.Popup className="tooltip">
            {label}
            {keys !== undefined && <kbd>{keys}</kbd>}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
