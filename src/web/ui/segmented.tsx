/** Segmented control: one of a few views, as radio buttons in a row. */
import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'
import { Icon, type IconName } from './icon.js'
import './segmented.css'

export function Segmented<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  readonly label: string
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly name: string; readonly icon?: IconName }[]
  readonly onChange: (value: Value) => void
}) {
  return (
    <ToggleGroup
      className="segmented"
      aria-label={label}
      value={[value]}
      onValueChange={([next]) => next !== undefined && onChange(next as Value)}
    >
      {choices.map((one) => (
        <Toggle key={one.value} value={one.value} className="segment">
          {one.icon !== undefined && <Icon name={one.icon} />}
          <span>{one.name}</span>
        </Toggle>
      ))}
    </ToggleGroup>
  )
}
