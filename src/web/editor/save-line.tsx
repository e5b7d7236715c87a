/** State of saving in words, at one place of the header; announced to screen readers when it changes for the worse. */
import { useIsAppOutdated } from '../api/app-version.js'
import { text } from '../i18n/text.js'
import { useSaveState } from '../sync/save-states.js'
import type { SaveState } from '../sync/text-session.js'
import { Button } from '../ui/button.js'
import { Icon, type IconName } from '../ui/icon.js'
import './save-line.css'

/** Follows the texts of a change request alone, not the screen around it: the state changes with every save. */
export function CurrentSaveLine({ below }: { readonly below: string }) {
  return <SaveLine state={useSaveState(below)} />
}

export function SaveLine({ state }: { readonly state: SaveState }) {
  const [icon, words, tone] = describe(state)
  const isOutdated = useIsAppOutdated()
  return (
    <span className={`save-line save-${tone}`} role="status" aria-live={tone === 'calm' ? 'off' : 'polite'}>
      <Icon name={icon} />
      <span>{words}</span>
      {isOutdated && state.kind === 'saved' && (
        <Button variant="quiet" icon="refresh" onClick={() => location.reload()}>
          {text.save.newVersion}
        </Button>
      )}
    </span>
  )
}

function describe(state: SaveState): readonly [IconName, string, 'calm' | 'warning' | 'error'] {
  if (state.kind === 'saved') return ['check', state.isMerged ? text.save.merged : text.save.saved, 'calm']
  const where = state.isInTabOnly ? text.save.inTab : text.save.inBrowser
  switch (state.kind) {
    case 'saving':
      return state.isInTabOnly
        ? ['triangleAlert', text.save.savingInTab, 'warning']
        : // Nothing turns while someone writes: each frame of it would take the processor from the keys.
          ['cloudUpload', text.save.saving, 'calm']
    case 'offline':
      return ['cloudOff', text.save.offline(state.changes, where), 'warning']
    case 'elsewhere':
      return ['copy', text.save.elsewhereShort, 'warning']
    case 'conflict':
      return ['triangleAlert', text.save.conflict, 'error']
    case 'signedOut':
      return ['lock', text.save.signedOutShort(where), 'error']
    case 'refused':
      return ['circleAlert', text.save.failed(where), 'error']
  }
}
