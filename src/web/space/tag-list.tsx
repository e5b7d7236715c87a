/** Tags of a space: names and colours, changed in place. */
import { type FormEvent, useState } from 'react'
import { type Tag, tagColors } from '../../contract/pages.js'
import { text } from '../i18n/text.js'
import { Button, IconButton } from '../ui/button.js'
import { useEditedValue } from '../ui/edited-value.js'
import { SelectField, TextField } from '../ui/field.js'
import { showToast } from '../ui/toast.js'
import type { ApplyChanges } from './shared-contents.js'

/** The others depend on the look of a site. */
const colors = tagColors.filter((color) => !color.startsWith('$'))

export function Tags({ tags, apply }: { readonly tags: readonly Tag[]; readonly apply: ApplyChanges }) {
  return (
    <div className="shared">
      {tags.length === 0 && <p className="shared-nothing">{text.contents.noTags}</p>}
      {tags.length > 0 && (
        <ul className="shared-list">
          {tags.map((tag) => (
            <TagRow key={tag.slug} tag={tag} apply={apply} />
          ))}
        </ul>
      )}
      {apply !== undefined && <NewTag apply={apply} />}
    </div>
  )
}

function TagRow({ tag, apply }: { readonly tag: Tag; readonly apply: ApplyChanges }) {
  const [problem, setProblem] = useState<string>()
  const run = async (work: Promise<unknown>) => {
    try {
      await work
      setProblem(undefined)
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  const field = useEditedValue(
    tag.label,
    (label) => run(apply!([{ operation: 'update_tag', tag: tag.slug, label }])),
    { isRequired: true },
  )
  const remove = async () => {
    const [outcome] = await apply!([{ operation: 'delete_tag', tag: tag.slug }])
    const used = outcome?.usedBy?.length ?? 0
    showToast(text.contents.deleted(tag.label), used > 0 ? { description: text.contents.usedBy(used) } : {})
  }
  const color = (colors as readonly string[]).includes(tag.color) ? tag.color : undefined
  return (
    <li className="shared-row">
      {apply === undefined ? (
        <span className="shared-value">{tag.label}</span>
      ) : (
        <>
          <div className="shared-value">
            <TextField
              label={`${text.contents.tagLabel}: ${tag.label}`}
              isLabelHidden
              {...field}
              maxLength={100}
              error={problem}
            />
          </div>
          <SelectField<Tag['color']>
            label={`${text.contents.tagColor}: ${tag.label}`}
            isLabelHidden
            value={tag.color}
            onChange={(next) => void run(apply([{ operation: 'update_tag', tag: tag.slug, color: next }]))}
            choices={[...colors, ...(color === undefined ? [tag.color] : [])].map((value) => ({
              value,
              name: value.replace('$', ''),
            }))}
          />
          <IconButton
            icon="trash"
            label={text.contents.removeNamed(tag.label)}
            onClick={() => void run(remove())}
          />
        </>
      )}
    </li>
  )
}

function NewTag({ apply }: { readonly apply: NonNullable<ApplyChanges> }) {
  const [label, setLabel] = useState('')
  const [color, setColor] = useState<(typeof colors)[number]>('default')
  const [problem, setProblem] = useState<string>()
  async function add(event: FormEvent) {
    event.preventDefault()
    if (label.trim() === '') return
    try {
      await apply([{ operation: 'insert_tag', label: label.trim(), color }])
      setLabel('')
      setProblem(undefined)
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <form className="shared-new" onSubmit={(event) => void add(event)}>
      <TextField
        label={text.contents.tagLabel}
        value={label}
        onChange={setLabel}
        maxLength={100}
        required
        error={problem}
      />
      <SelectField
        label={text.contents.tagColor}
        value={color}
        onChange={setColor}
        choices={colors.map((value) => ({ value, name: value }))}
      />
      <Button type="submit" icon="plus">
        {text.contents.addTag}
      </Button>
    </form>
  )
}
