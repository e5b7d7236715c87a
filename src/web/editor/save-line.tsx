/** State of saving in words, at one place of the header; announced to screen readers when it changes for the worse. */
import { text } from '../i18n/text.js'
import type { SaveState } from '../sync/text-session.js'
import { Icon, type IconName } from '../ui/icon.js'
import './save-line.css'

export function SaveLine({ state }: { readonly state: SaveState }) {
  const [icon, words, tone] = describe(state)
  return (
    <span className={`save-line save-${tone}`} role="status" aria-live={tone === 'calm' ? 'off' : 'polite'}>
      <Icon name={icon} className={state.kind === 'saving' ? 'is-spinning' : ''} />
      <span>{words}</span>
    </span>
  )
}

function describe(state: SaveState): readonly [IconName, string, 'calm' | 'warning' | 'error'] {
  switch (state.kind) {
    case 'saved':
      return ['check', state.isMerged ? text.save.merged : text.save.saved, 'calm']
    case 'saving':
      return ['loader', text.save.saving, 'calm']
    case 'offline':
      return ['cloudOff', text.save.offline(state.changes), 'warning']
    case 'conflict':
      return ['triangleAlert', text.save.conflict, 'error']
    case 'signedOut':
      return ['lock', text.save.failed, 'error']
    case 'refused':
      return ['circleAlert', text.save.failed, 'error']
  }
}
