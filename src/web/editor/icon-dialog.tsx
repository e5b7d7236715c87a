/** Icon or emoji of a page: emoji by kind, icons that are drawn here, or the name of another one. */
import { Suspense, lazy, useState } from 'react'
import { text } from '../i18n/text.js'
import { Drawing, usePageIcons } from '../space/page-icon.js'
import type { PageNode } from '../space/page-node.js'
import { Button } from '../ui/button.js'
import { ChoiceGrid } from '../ui/choice-grid.js'
import { Dialog } from '../ui/dialog.js'
import { ErrorNotice, Skeleton, readEmoji } from '../ui/display.js'
import { SearchField, TextField } from '../ui/field.js'
import { useSubmission } from '../ui/prompts.js'
import { Segmented } from '../ui/segmented.js'
import type { TreeCommands } from './tree-commands.js'

const EmojiGrid = lazy(() => import('../ui/emoji-grid.js'))

export default function IconDialog({
  node,
  commands,
  onClose,
}: {
  readonly node: Pick<PageNode, 'id' | 'emoji' | 'icon'>
  readonly commands: Pick<TreeCommands, 'setIcon'>
  readonly onClose: () => void
}) {
  const [kind, setKind] = useState<'emoji' | 'icon'>(
    node.icon !== undefined && node.emoji === undefined ? 'icon' : 'emoji',
  )
  const { error, submit } = useSubmission(onClose)
  const choose = (icon: { readonly emoji: string; readonly icon: string }) =>
    void submit(() => commands.setIcon(node as PageNode, icon))
  return (
    <Dialog
      title={text.change.chooseIcon}
      onClose={onClose}
      actions={
        (node.emoji ?? node.icon) !== undefined && (
          <Button onClick={() => choose({ emoji: '', icon: '' })}>{text.change.removeIcon}</Button>
        )
      }
    >
      <div>
        <Segmented
          label={text.change.chooseIcon}
          value={kind}
          onChange={setKind}
          choices={(['emoji', 'icon'] as const).map((value) => ({
            value,
            name: text.change.iconKinds[value],
          }))}
        />
      </div>
      {kind === 'emoji' ? (
        <Suspense fallback={<Skeleton lines={6} />}>
          <EmojiGrid
            label={text.change.findEmoji}
            kindLabel={text.change.iconKinds.emoji}
            value={node.emoji === undefined ? undefined : readEmoji(node.emoji)}
            onChoose={(emoji) => choose({ emoji, icon: '' })}
          />
        </Suspense>
      ) : (
        <IconGrid value={node.icon} onChoose={(icon) => choose({ emoji: '', icon })} />
      )}
      {error !== undefined && <ErrorNotice error={error} />}
    </Dialog>
  )
}

function IconGrid({
  value,
  onChoose,
}: {
  readonly value: string | undefined
  readonly onChoose: (icon: string) => void
}) {
  const [query, setQuery] = useState('')
  const [other, setOther] = useState('')
  const drawings = usePageIcons() ?? new Map<string, string>()
  const found = [...drawings].filter(([name]) => name.includes(query.toLowerCase().trim()))
  return (
    <div className="emoji-picker">
      <SearchField label={text.change.findIcon} value={query} onChange={setQuery} />
      <ChoiceGrid
        label={text.change.findIcon}
        value={value}
        onChoose={onChoose}
        choices={found.map(([name, drawing]) => ({
          value: name,
          name,
          content: <Drawing drawing={drawing} />,
        }))}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (other.trim() !== '') onChoose(other.trim())
        }}
      >
        <TextField label={text.change.otherIcon} value={other} onChange={setOther} maxLength={50} />
      </form>
    </div>
  )
}
