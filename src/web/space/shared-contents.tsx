/** What pages of a space share: variables, reusable contents and tags. They are changed in a change request. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Change } from '../../contract/changes.js'
import { changePages } from '../api/change-pages.js'
import { type ChangeSource, type ContentSource, contentKey, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { Dialog } from '../ui/dialog.js'
import { ErrorNotice, Notice, Skeleton } from '../ui/display.js'
import { Segmented } from '../ui/segmented.js'
import { ReusableContents } from './reusable-contents.js'
import { sharedContentsQuery } from './shared-contents-query.js'
import { Tags } from './tag-list.js'
import { Variables } from './variable-list.js'
import './shared-contents.css'

/** Makes changes; undefined where they can only be read. */
export type ApplyChanges = ((changes: readonly Change[]) => ReturnType<typeof changePages>) | undefined

const parts = ['variables', 'reusable', 'tags'] as const

export default function SharedContents({
  source,
  readOnlyReason,
  onClose,
}: {
  readonly source: ContentSource
  readonly readOnlyReason?: string | undefined
  readonly onClose: () => void
}) {
  const { data, error } = useQuery(sharedContentsQuery(source))
  const [part, setPart] = useState<(typeof parts)[number]>('variables')
  const { change } = source
  const apply: ApplyChanges =
    change === undefined || readOnlyReason !== undefined
      ? undefined
      : async (changes) => {
          const outcomes = await changePages({ ...source, change } satisfies ChangeSource, changes)
          await refresh(...contentKey(source))
          return outcomes
        }
  return (
    <Dialog title={text.contents.title} width="wide" onClose={onClose}>
      <div>
        <Segmented
          label={text.contents.title}
          value={part}
          onChange={setPart}
          choices={parts.map((value) => ({ value, name: text.contents.parts[value] }))}
        />
      </div>
      {readOnlyReason !== undefined && (
        <Notice tone="accent" icon="lock">
          {readOnlyReason}
        </Notice>
      )}
      {error !== null && <ErrorNotice error={error} />}
      {data === undefined ? (
        <Skeleton lines={4} />
      ) : part === 'variables' ? (
        <Variables variables={data.variables} apply={apply} />
      ) : part === 'tags' ? (
        <Tags tags={data.tags} apply={apply} />
      ) : (
        <ReusableContents source={source} contents={data.reusableContents} apply={apply} />
      )}
    </Dialog>
  )
}
