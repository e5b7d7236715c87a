/** Modal dialogs: a title, content, and actions at the end. Escape and a click outside close it. */
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
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
  return (
    <BaseDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="backdrop" />
        <BaseDialog.Popup className={`dialog dialog-${width}`}>
          <header className="dialog-header">
            <BaseDialog.Title className="dialog-title">{title}</BaseDialog.Title>
            <BaseDialog.Close render={<IconButton icon="x" label={text.common.close} />} />
          </header>
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
