/** Tree beside the content; on narrow screens the tree is a sheet that its button opens. */
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { text } from '../i18n/text.js'
import { usePath } from '../routes/navigation.js'
import { IconButton } from '../ui/button.js'

const wide = window.matchMedia('(min-width: 60rem)')
const listeners = new Set<() => void>()
let isOpen = wide.matches

function setOpen(value: boolean): void {
  isOpen = value
  for (const listener of listeners) listener()
}

wide.addEventListener('change', () => setOpen(wide.matches))

const useTreeOpen = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isOpen,
  )

export function TreeToggle() {
  const isTreeOpen = useTreeOpen()
  return (
    <IconButton
      icon="menu"
      label={text.space.pages}
      aria-expanded={isTreeOpen}
      onClick={() => setOpen(!isTreeOpen)}
    />
  )
}

export function ContentLayout({
  tree,
  children,
}: {
  readonly tree: ReactNode
  readonly children: ReactNode
}) {
  const isTreeOpen = useTreeOpen()
  const path = usePath()
  const [first] = useState(path)
  useEffect(() => {
    if (path !== first && !wide.matches) setOpen(false)
  }, [path, first])
  return (
    <div className={`content-layout ${isTreeOpen ? 'has-tree' : ''}`}>
      {isTreeOpen && <div className="content-tree">{tree}</div>}
      {isTreeOpen && <div className="content-tree-backdrop" onClick={() => setOpen(false)} />}
      <div className="content-main">{children}</div>
    </div>
  )
}
