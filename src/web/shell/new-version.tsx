/** Notice that the server has another version of the app than this tab: screens that are not loaded yet cannot be any more. */
import { useIsAppOutdated } from '../api/app-version.js'
import { text } from '../i18n/text.js'
import { Button } from '../ui/button.js'
import { Notice } from '../ui/display.js'

export function NewVersion() {
  if (!useIsAppOutdated()) return null
  return (
    <Notice tone="accent" icon="rotateCcw">
      {text.errors.newVersion} <Button onClick={() => location.reload()}>{text.errors.newVersionLoad}</Button>
    </Notice>
  )
}
