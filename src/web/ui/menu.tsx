/** Menus: a list of commands below a trigger, with keys, submenus left out on purpose. */
import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { ReactElement } from 'react'
import { navigate } from '../routes/navigation.js'
import { Icon, type IconName } from './icon.js'
import './menu.css'

export interface MenuEntry {
  readonly name: string
  readonly icon?: IconName | undefined
  readonly keys?: string | undefined
  readonly detail?: string | undefined
  readonly isDanger?: boolean
  readonly isChecked?: boolean
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
          <BaseMenu.Popup className="menu">
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
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

function MenuItem({ entry }: { readonly entry: MenuEntry }) {
  const { name, icon, keys, detail, isDanger = false, isChecked, disabledReason, href, run } = entry
  return (
    <BaseMenu.Item
      className={`menu-item ${isDanger ? 'is-danger' : ''}`}
      disabled={disabledReason !== undefined}
      title={disabledReason}
      label={name}
      onClick={() => {
        if (href !== undefined) navigate(href)
        run?.()
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
