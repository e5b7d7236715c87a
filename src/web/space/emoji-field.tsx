/** A field for an emoji: a button that displays it and opens the emoji by kind. */
import { Suspense, lazy, useId, useState } from 'react'
import { text } from '../i18n/text.js'
import { Button } from '../ui/button.js'
import { Skeleton, readEmoji } from '../ui/display.js'
import { Popover } from '../ui/popover.js'
import './emoji-field.css'

const EmojiGrid = lazy(() => import('../ui/emoji-grid.js'))

export function EmojiField({
  label,
  value,
  error,
  onChange,
}: {
  readonly label: string
  /** The character or its code points; empty for none. */
  readonly value: string
  readonly error?: string | undefined
  readonly onChange: (emoji: string) => void
}) {
  const id = useId()
  const [anchor, setAnchor] = useState<Element>()
  const character = value === '' ? undefined : readEmoji(value)
  return (
    <div className="field">
      <span className="field-label" id={id}>
        {label}
      </span>
      <div className="emoji-field">
        <Button
          aria-labelledby={id}
          aria-haspopup="dialog"
          onClick={(event) => setAnchor(event.currentTarget)}
          {...(character === undefined && { icon: 'smile' })}
        >
          {character === undefined ? text.newSpace.chooseEmoji : <span className="emoji">{character}</span>}
        </Button>
        {character !== undefined && (
          <Button variant="quiet" onClick={() => onChange('')}>
            {text.common.remove}
          </Button>
        )}
      </div>
      {error !== undefined && (
        <span className="field-error" role="alert">
          {error}
        </span>
      )}
      {anchor !== undefined && (
        <Popover title={label} anchor={anchor} onClose={() => setAnchor(undefined)}>
          <Suspense fallback={<Skeleton lines={6} />}>
            <EmojiGrid
              label={text.change.findEmoji}
              kindLabel={text.change.iconKinds.emoji}
              value={character}
              onChoose={(emoji) => {
                onChange(emoji)
                setAnchor(undefined)
              }}
            />
          </Suspense>
        </Popover>
      )}
    </div>
  )
}
