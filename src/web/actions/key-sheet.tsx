/** Sheet of keyboard shortcuts: every action that has keys on this screen. */
import { text } from '../i18n/text.js'
import { Dialog } from '../ui/dialog.js'
import { formatKeys, useRegisteredActions } from './actions.js'
import './key-sheet.css'

export default function KeySheet({ onClose }: { readonly onClose: () => void }) {
  const actions = useRegisteredActions().filter(({ keys }) => keys !== undefined)
  return (
    <Dialog title={text.keys.title} onClose={onClose}>
      <dl className="key-sheet">
        {actions.map(({ id, name, keys }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd>
              <kbd>{formatKeys(keys!)}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
