/** The emoji or icon of a page, or that of its type. Icons of authors are in a chunk of their own, loaded with the first one. */
import { useSyncExternalStore } from 'react'
import { EmojiOrIcon } from '../ui/display.js'
import type { IconName } from '../ui/icon.js'
import type { PageNode } from './page-node.js'

const icons: Readonly<Record<PageNode['type'], IconName>> = {
  document: 'fileText',
  group: 'folder',
  link: 'externalLink',
  computed: 'code',
}

let drawings: ReadonlyMap<string, string> | undefined
let isLoading = false
const listeners = new Set<() => void>()

async function load(): Promise<void> {
  if (isLoading) return
  isLoading = true
  const { pageIcons } = await import('./page-icons.js')
  drawings = pageIcons
  for (const listener of listeners) listener()
}

/** The drawings of icons; undefined until they are loaded. */
export const usePageIcons = (): ReadonlyMap<string, string> | undefined =>
  useSyncExternalStore(
    (listener) => {
      void load()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => drawings,
  )

export function PageIcon({ node }: { readonly node: Pick<PageNode, 'emoji' | 'icon' | 'type'> }) {
  if (node.emoji === undefined && node.icon !== undefined) return <NamedIcon node={node} name={node.icon} />
  return <EmojiOrIcon emoji={node.emoji} icon={icons[node.type]} />
}

function NamedIcon({ node, name }: { readonly node: Pick<PageNode, 'type'>; readonly name: string }) {
  const drawing = usePageIcons()?.get(name)
  // Names of other sets are drawn by the reader's page alone.
  if (drawing === undefined) return <EmojiOrIcon icon={icons[node.type]} />
  return <Drawing drawing={drawing} />
}

/** An icon by the markup inside its `<svg>`. */
export function Drawing({ drawing }: { readonly drawing: string }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      aria-hidden="true"
      // The markup is that of the set, read at build time.
      dangerouslySetInnerHTML={{ __html: drawing }}
    />
  )
}
