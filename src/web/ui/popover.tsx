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
  const popup = useRef<HTMLDivElement>(null)
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
            ref={popup}
            initialFocus={() => {
              // A keyboard on the screen would cover the form.
              if (matchMedia('(pointer: coarse)').matches) return popup.current
              const fields = body.current?.querySelectorAll<HTMLInputElement>('input, select, button') ?? []
              const first =
                [...fields].find((one) => one.ariaRequired === 'true' && one.value === '') ?? fields[0]
              if (first?.type === 'text') requestAnimationFrame(() => first.select())
              return first ?? true
            }}
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
