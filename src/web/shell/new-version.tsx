/**
 * Notice that the server has another build of the app than this tab: the names of its files have changed, so a screen that
 * is not loaded yet could not be. Looked for when the tab is shown again, and now and then.
 */
import { useEffect, useState } from 'react'
import { text } from '../i18n/text.js'
import { Button } from '../ui/button.js'
import { Notice } from '../ui/display.js'

const interval = 10 * 60_000
const folder = '/~octavo/app/'

async function hasOtherBuild(): Promise<boolean> {
  const response = await fetch(`${folder}manifest.json`, { cache: 'no-cache' })
  if (!response.ok) return false
  const { script } = (await response.json()) as { readonly script: string }
  return document.querySelector(`script[src="${CSS.escape(folder + script)}"]`) === null
}

export function NewVersion() {
  const [isOther, setOther] = useState(false)
  useEffect(() => {
    if (isOther) return undefined
    const look = () => {
      // A server that cannot be reached says nothing of its version.
      if (document.visibilityState === 'visible') hasOtherBuild().then(setOther, () => {})
    }
    const timer = setInterval(look, interval)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [isOther])
  if (!isOther) return null
  return (
    <Notice tone="accent" icon="rotateCcw">
      {text.errors.newVersion} <Button onClick={() => location.reload()}>{text.errors.newVersionLoad}</Button>
    </Notice>
  )
}
