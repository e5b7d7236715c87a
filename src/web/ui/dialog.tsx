/** Modal dialogs: a title, content, and actions at the end. Escape and a click outside close it. */
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { type ReactNode, useRef } from 'react'
import { text } from '../i18n/text.js'
import { IconButton } from './button.js'
import './dialog.css'

export function Dialog({
  title,
  description,
  width = 'narrow',
  onClose,
  children,
  actions,
}: {
  readonly title: string
  readonly description?: ReactNode
  readonly width?: 'narrow' | 'wide'
  readonly onClose: () => void
  readonly children?: ReactNode
  readonly actions?: ReactNode
}) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <BaseDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="backdrop" />
        <BaseDialog.Popup
          ref={popup}
          className={`dialog dialog-${width}`}
          initialFocus={() => firstFocus(popup.current)}
        >
          <div className="dialog-header">
            <BaseDialog.Title className="dialog-title">{title}</BaseDialog.Title>
            <BaseDialog.Close render={<IconButton icon="x" label={text.common.close} />} />
          </div>
          {description !== undefined && (
            <BaseDialog.Description className="dialog-description">{description}</BaseDialog.Description>
          )}
          {children !== undefined && <div className="dialog-body">{children}</div>}
          {actions !== undefined && <footer className="dialog-actions">{actions}</footer>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

const controls = ':is(.dialog-body, .dialog-actions) :is(input, select, textarea, button, a[href])'

/** What has the focus first: a field that took it, the first control, or the dialog; never the button that closes it. */
function firstFocus(popup: HTMLElement | null): HTMLElement | boolean {
  if (popup === null) return true
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && popup.contains(activeElement)) return activeElement
  // A keyboard on the screen would cover the dialog.
  if (matchMedia('(pointer: coarse)').matches) return popup
  const all = [...popup.querySelectorAll<HTMLElement>(controls)]
  return all.find((one) => one.checkVisibility() && !one.matches(':disabled')) ?? popup
}
