/** The cover of a page: a picture that is uploaded or has an address, and which part of it is visible. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { uploadChangeRequestFile } from '../../contract/change-requests.js'
import { changeRequestContent } from '../../contract/content.js'
import type { File as StoredFile, Page } from '../../contract/pages.js'
import { api } from '../api/client.js'
import { type ChangeSource, contentKey } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { upload } from '../imports/upload.js'
import { Button } from '../ui/button.js'
import { useEditedValue } from '../ui/edited-value.js'
import { TextField } from '../ui/field.js'
import type { PageSettings } from './page-panel.js'

type Cover = NonNullable<PageSettings['cover']>

interface CoverReference {
  readonly kind?: string
  readonly file?: string
  readonly url?: string
}

/** Bytes; the limit of the server. */
const largest = 25 * 1024 * 1024

const fileQuery = (source: ChangeSource, fileId: string | undefined) =>
  queryOptions({
    queryKey: [...contentKey(source), 'file', fileId],
    queryFn: ({ signal }) =>
      api.call(changeRequestContent.file, {
        params: { spaceId: source.space, changeRequestId: source.change, fileId: fileId! },
        signal,
      }),
    enabled: fileId !== undefined,
    staleTime: 60_000,
  })

/** The height to which the position in the front matter refers. */
const coverHeight = 480

/** Returns which part is visible, in steps of ten percent from the top, as on the reader's page. */
const percentOf = (yPos: number): number =>
  Math.min(100, Math.max(0, Math.round((yPos / coverHeight + 0.5) * 10) * 10))

export function CoverField({
  source,
  member,
  cover,
  error,
  onSave,
}: {
  readonly source: ChangeSource
  /** Which of the two pictures. */
  readonly member: 'ref' | 'refDark'
  readonly cover: Page['cover']
  readonly error: string | undefined
  readonly onSave: (cover: Cover | null) => Promise<void>
}) {
  const input = useRef<HTMLInputElement>(null)
  const [progress, setProgress] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const reference = cover?.[member] as CoverReference | undefined
  const { data: file } = useQuery(fileQuery(source, reference?.file))
  const [position, setPosition] = useState<number>()
  const remove = () => onSave(member === 'ref' ? null : { refDark: null })
  const label = member === 'ref' ? text.panel.cover : text.panel.coverDark
  const url = useEditedValue(reference?.url ?? '', (next) => {
    if (next === '') return remove()
    return onSave({ [member]: { kind: 'url', url: next } })
  })
  async function add(picture: File) {
    setProblem(undefined)
    if (picture.size > largest) return setProblem(text.editor.tooLarge(picture.name))
    setProgress(0)
    const path = uploadChangeRequestFile.path
      .replace(':spaceId', source.space)
      .replace(':changeRequestId', String(source.change))
    const form = new FormData()
    form.set('file', picture, picture.name)
    try {
      const stored = await upload<StoredFile>(`/v1${path}`, form, {
        onProgress: (sent, total) => setProgress(sent / total),
      })
      await onSave({ [member]: { kind: 'file', file: stored.id } })
    } catch (failure) {
      setProblem((failure as Error).message)
    }
    setProgress(undefined)
  }
  const src = reference?.url ?? file?.downloadURL
  const percent = position ?? percentOf(cover?.yPos ?? 0)
  const savePosition = () => {
    if (position !== undefined && position !== percentOf(cover?.yPos ?? 0))
      void onSave({ yPos: Math.round((position / 100 - 0.5) * coverHeight) })
  }
  return (
    <div className="field page-cover" role="group" aria-label={label}>
      <span className="field-label">{label}</span>
      {reference !== undefined && src !== undefined && (
        <img className="page-cover-picture" src={src} alt="" style={{ objectPosition: `50% ${percent}%` }} />
      )}
      {progress !== undefined && (
        <progress className="progress" value={progress} max={1} aria-label={text.panel.coverUpload} />
      )}
      <div className="page-cover-actions">
        <Button icon="image" isBusy={progress !== undefined} onClick={() => input.current?.click()}>
          {reference === undefined ? text.panel.coverUpload : text.panel.coverReplace}
        </Button>
        {reference !== undefined && (
          <Button variant="quiet" onClick={() => void remove()}>
            {text.common.remove}
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={text.panel.coverUpload}
        onChange={({ currentTarget }) => {
          const [picture] = currentTarget.files ?? []
          currentTarget.value = ''
          if (picture !== undefined) void add(picture)
        }}
      />
      {reference !== undefined && member === 'ref' && (
        <label className="page-cover-position">
          {text.panel.coverPosition}
          <input
            type="range"
            min={0}
            max={100}
            step={10}
            value={percent}
            onChange={({ currentTarget }) => setPosition(Number(currentTarget.value))}
            onPointerUp={savePosition}
            onBlur={savePosition}
          />
        </label>
      )}
      {reference?.file === undefined && (
        <TextField
          label={text.panel.coverAddress}
          type="url"
          maxLength={2048}
          error={problem ?? error}
          {...url}
        />
      )}
      {reference?.file !== undefined && (problem ?? error) !== undefined && (
        <span className="field-error" role="alert">
          {problem ?? error}
        </span>
      )}
    </div>
  )
}
