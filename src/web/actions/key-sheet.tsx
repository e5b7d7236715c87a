/** Sheet of keyboard shortcuts: every action that has keys on this screen. */
import { text } from '../i18n/text.js'
import { Dialog } from '../ui/dialog.js'
import { formatKeys, useRegisteredActions } from './actions.js'
import './key-sheet.css'

export default function KeySheet({ onClose }: { readonly onClose: () => void }) {
  const keysByName = new Map<string, string[]>()
  for (const { name, keys } of useRegisteredActions())
    if (keys !== undefined) keysByName.set(name, [...(keysByName.get(name) ?? []), keys])
  return (
    <Dialog title={text.keys.title} onClose={onClose}>
      <dl className="key-sheet">
        {[...keysByName].map(([name, all]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {all.map((keys) => (
                <kbd key={keys}>{formatKeys(keys)}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
