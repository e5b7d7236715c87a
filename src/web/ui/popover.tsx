/** Popovers: a small form or list beside an element, which stays visible. Escape and a click outside close it. */
import { Popover as BasePopover } from '@base-ui/react/popover'
import { type ReactNode, useRef } from 'react'
import { text } from '../i18n/text.js'
import { IconButton } from './button.js'
import './popover.css'

/** An element, or a place in the text. */
export type PopoverAnchor = Element | { readonly getBoundingClientRect: () => DOMRect }

export function Popover({
  title,
  anchor,
  align = 'start',
  onClose,
  children,
}: {
  readonly title: string
  readonly anchor: PopoverAnchor
  readonly align?: 'start' | 'end'
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const body = useRef<HTMLDivElement>(null)
  return (
    <BasePopover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <BasePopover.Portal>
        <BasePopover.Positioner
          className="popover-layer"
          anchor={anchor}
          sideOffset={6}
          align={align}
          collisionPadding={8}
          collisionAvoidance={{ side: 'flip', align: 'shift', fallbackAxisSide: 'none' }}
        >
          <BasePopover.Popup
            className="popover"
            // Its first field; on touch screens none, for the keyboard would cover it.
            initialFocus={() =>
              matchMedia('(pointer: coarse)').matches ||
              (body.current?.querySelector<HTMLElement>('input, select, button') ?? true)
            }
          >
            <header className="popover-header">
              <BasePopover.Title className="popover-title">{title}</BasePopover.Title>
              <BasePopover.Close render={<IconButton icon="x" label={text.common.close} />} />
            </header>
            <div ref={body} className="popover-body">
              {children}
            </div>
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  )
}
