/** Reusable contents of a space: a list, and the title and Markdown of one. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ReusableContent, changeRequestContent, spaceContent } from '../../contract/content.js'
import { api } from '../api/client.js'
import { contentRequest } from '../api/content-request.js'
import { type ContentSource, contentKey } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { Button, IconButton } from '../ui/button.js'
import { ErrorNotice, Skeleton } from '../ui/display.js'
import { TextAreaField, TextField } from '../ui/field.js'
import { Icon } from '../ui/icon.js'
import { notBlank } from '../ui/prompts.js'
import { reportFailure, showToast } from '../ui/toast.js'
import type { ApplyChanges } from './shared-contents.js'

const reusableTextQuery = (source: ContentSource, reusableContentId: string) =>
  queryOptions({
    queryKey: [...contentKey(source), 'reusable', reusableContentId],
    queryFn: ({ signal }) =>
      api.call(
        ...contentRequest(
          source,
          spaceContent.reusableContentText,
          changeRequestContent.reusableContentText,
          {
            params: { reusableContentId },
            signal,
          },
        ),
      ),
    staleTime: 0,
  })

export function ReusableContents({
  source,
  contents,
  apply,
}: {
  readonly source: ContentSource
  readonly contents: readonly ReusableContent[]
  readonly apply: ApplyChanges
}) {
  const [opened, setOpened] = useState<ReusableContent | 'new'>()
  const back = () => setOpened(undefined)
  if (opened === 'new') {
    return (
      <ContentForm
        onBack={back}
        onSave={async (title, markdown) => {
          await apply!([{ operation: 'insert_reusable_content', title, document: { markdown } }])
          back()
        }}
      />
    )
  }
  if (opened !== undefined)
    return <OpenedContent source={source} content={opened} apply={apply} onBack={back} />
  const remove = async ({ id, title }: ReusableContent) => {
    const [outcome] = await apply!([{ operation: 'delete_reusable_content', reusableContent: id }])
    const used = outcome?.usedBy?.length ?? 0
    showToast(text.contents.deleted(title), used > 0 ? { description: text.contents.usedBy(used) } : {})
  }
  return (
    <div className="shared">
      {contents.length === 0 && <p className="shared-nothing">{text.contents.noReusable}</p>}
      {contents.length > 0 && (
        <ul className="shared-list">
          {contents.map((content) => (
            <li key={content.id} className="shared-row">
              <button type="button" className="shared-open" onClick={() => setOpened(content)}>
                <Icon name="fileStack" />
                <span>{content.title || text.common.untitled}</span>
                <span className="shared-detail">{content.path}</span>
              </button>
              {apply !== undefined && (
                <IconButton
                  icon="trash"
                  label={text.contents.removeNamed(content.title)}
                  onClick={() => void reportFailure(remove(content))}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {apply !== undefined && (
        <div>
          <Button icon="plus" onClick={() => setOpened('new')}>
            {text.contents.addReusable}
          </Button>
        </div>
      )}
    </div>
  )
}

function OpenedContent({
  source,
  content,
  apply,
  onBack,
}: {
  readonly source: ContentSource
  readonly content: ReusableContent
  readonly apply: ApplyChanges
  readonly onBack: () => void
}) {
  const { data, error } = useQuery(reusableTextQuery(source, content.id))
  if (error !== null) return <ErrorNotice error={error} />
  if (data === undefined) return <Skeleton lines={4} />
  return (
    <ContentForm
      key={data.hash}
      title={content.title}
      markdown={data.text}
      onBack={onBack}
      {...(apply !== undefined && {
        onSave: async (title: string, markdown: string) => {
          await apply([
            {
              operation: 'update_reusable_content',
              reusableContent: content.id,
              base: data.hash,
              document: { markdown },
              ...(title !== content.title && { title }),
            },
          ])
          onBack()
        },
      })}
    />
  )
}

function ContentForm({
  title: storedTitle = '',
  markdown: storedMarkdown = '',
  onBack,
  onSave,
}: {
  readonly title?: string
  readonly markdown?: string
  readonly onBack: () => void
  /** Absent where it can only be read. */
  readonly onSave?: (title: string, markdown: string) => Promise<void>
}) {
  const [title, setTitle] = useState(storedTitle)
  const [markdown, setMarkdown] = useState(storedMarkdown)
  const [error, setError] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  async function save(event: FormEvent) {
    event.preventDefault()
    if (onSave === undefined || isBusy) return
    setBusy(true)
    try {
      await onSave(title.trim(), markdown)
    } catch (failure) {
      setError(failure as Error)
      setBusy(false)
    }
  }
  return (
    <form className="shared" onSubmit={(event) => void save(event)}>
      <div>
        <Button variant="quiet" icon="arrowLeft" onClick={onBack}>
          {text.contents.back}
        </Button>
      </div>
      <TextField
        label={text.contents.contentTitle}
        value={title}
        onChange={setTitle}
        maxLength={255}
        pattern={notBlank}
        required
        readOnly={onSave === undefined}
      />
      <TextAreaField
        label={text.contents.contentText}
        value={markdown}
        onChange={setMarkdown}
        isReadOnly={onSave === undefined}
      />
      {error !== undefined && <ErrorNotice error={error} />}
      {onSave !== undefined && (
        <div>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {text.common.save}
          </Button>
        </div>
      )}
    </form>
  )
}
