/** Menus: a list of commands below a trigger, with keys, submenus left out on purpose. */
import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { ReactElement } from 'react'
import { navigate } from '../routes/navigation.js'
import { Icon, type IconName } from './icon.js'
import type { PopoverAnchor } from './popover.js'
import './menu.css'

export interface MenuEntry {
  readonly name: string
  readonly icon?: IconName | undefined
  readonly keys?: string | undefined
  readonly detail?: string | undefined
  readonly isDanger?: boolean
  readonly isChecked?: boolean
  /** The menu stays open: the entry leads to another one. */
  readonly staysOpen?: boolean
  /** Why it cannot be done now. */
  readonly disabledReason?: string | undefined
  readonly href?: string
  readonly run?: () => void
}

/** Groups of entries, with a line between two groups. */
export type MenuGroups = readonly (readonly MenuEntry[])[]

export function Menu({
  trigger,
  groups,
  align = 'start',
}: {
  readonly trigger: ReactElement<Record<string, unknown>>
  readonly groups: MenuGroups
  readonly align?: 'start' | 'end'
}) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner className="menu-layer" sideOffset={4} align={align}>
          <MenuPopup groups={groups} />
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

/** A menu that is open, beside an element that is no button of React, such as one of the document, or at a point. */
export function AnchoredMenu({
  label,
  anchor,
  groups,
  onClose,
}: {
  readonly label: string
  readonly anchor: PopoverAnchor
  readonly groups: MenuGroups
  readonly onClose: () => void
}) {
  return (
    <BaseMenu.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <BaseMenu.Portal>
        <BaseMenu.Positioner
          className="menu-layer"
          anchor={anchor}
          sideOffset={4}
          align="start"
          collisionPadding={8}
        >
          <MenuPopup groups={groups} label={label} />
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

function MenuPopup({ groups, label }: { readonly groups: MenuGroups; readonly label?: string }) {
  return (
    <BaseMenu.Popup className="menu" aria-label={label}>
      {groups
        .filter((group) => group.length > 0)
        .map((group, at) => (
          <BaseMenu.Group key={at} className="menu-group">
            {group.map((entry) => (
              <MenuItem key={entry.name} entry={entry} />
            ))}
          </BaseMenu.Group>
        ))}
    </BaseMenu.Popup>
  )
}

function MenuItem({ entry }: { readonly entry: MenuEntry }) {
  const { name, icon, keys, detail, isDanger = false, isChecked, staysOpen = false } = entry
  const { disabledReason, href, run } = entry
  return (
    <BaseMenu.Item
      className={`menu-item ${isDanger ? 'is-danger' : ''}`}
      disabled={disabledReason !== undefined}
      title={disabledReason}
      closeOnClick={!staysOpen}
      label={name}
      onClick={() => {
        if (href !== undefined) navigate(href)
        if (run === undefined) return
        if (staysOpen) requestAnimationFrame(run)
        else afterMenu(run)
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span className="menu-name">
        {name}
        {detail !== undefined && <span className="menu-detail">{detail}</span>}
      </span>
      {isChecked === true && <Icon name="check" />}
      {keys !== undefined && <kbd>{keys}</kbd>}
    </BaseMenu.Item>
  )
}

/** Runs once the menu has given the focus back, so that a dialog keeps it; a slow browser needs more than a frame. */
function afterMenu(run: () => void): void {
  let frames = 0
  const wait = () => {
    const isOpen = document.activeElement?.closest('.menu') !== null
    requestAnimationFrame(isOpen && ++frames < 30 ? wait : run)
  }
  requestAnimationFrame(wait)
}
