/** Import: from files of this computer or from an address, into a new space, with progress and a report. */
import { type FormEvent, useId, useRef, useState } from 'react'
import {
  type ImportResult,
  type ImportRun,
  type ImportSource,
  cancelImportRun,
  getImportRun,
  importSources,
  importSpaceArchive,
  spaceImports,
} from '../../contract/imports.js'
import { createSpace, deleteSpace } from '../../contract/spaces.js'
import { api } from '../api/client.js'
import { refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { spacePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { ErrorNotice } from '../ui/display.js'
import { SelectField, TextField } from '../ui/field.js'
import { Segmented } from '../ui/segmented.js'
import { upload } from './upload.js'
import './import-dialog.css'

type Source =
  | { readonly kind: 'zip'; readonly file: File }
  | { readonly kind: 'folder'; readonly files: readonly File[] }
  | { readonly kind: 'address'; readonly url: string; readonly source: ImportSource }

interface Progress {
  readonly words: string
  /** From 0 to 1; undefined where it is not known. */
  readonly share?: number
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })

/** Imports into a space and returns the report. Aborting stops the import, of which nothing is kept. */
async function runImport(
  spaceId: string,
  source: Source,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<ImportResult> {
  const params = { spaceId }
  if (source.kind === 'address') {
    const response = await api.send(spaceImports.whole, {
      params,
      body: { url: source.url, source: source.source },
      headers: { prefer: 'respond-async' },
      signal,
    })
    if (response.status !== 202) return (await response.json()) as ImportResult
    return followImport((await response.json()) as ImportRun, signal, onProgress)
  }
  onProgress({ words: text.imports.packing })
  const { zipFolder } = await import('./zip-folder.js')
  const archive = source.kind === 'zip' ? source.file : await zipFolder(source.files)
  return upload<ImportResult>(`/v1${importSpaceArchive.path.replace(':spaceId', spaceId)}`, archive, {
    contentType: 'application/zip',
    signal,
    onProgress: (sent, total) =>
      onProgress(
        sent < total
          ? { words: text.imports.sending(`${Math.floor((sent / total) * 100)} %`), share: sent / total }
          : { words: text.imports.placing },
      ),
  })
}

async function followImport(
  started: ImportRun,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<ImportResult> {
  const params = { spaceId: started.space, importRunId: started.id }
  signal.addEventListener('abort', () => void api.call(cancelImportRun, { params }))
  let run = started
  while (run.status === 'in-progress') {
    const { stage, done, found } = run.progress
    onProgress(
      stage === 'fetching'
        ? { words: text.imports.fetching(done, found), ...(found > 0 && { share: done / found }) }
        : { words: text.imports.placing },
    )
    await pause(700, signal)
    run = await api.call(getImportRun, { params, signal })
  }
  if (run.result === undefined) throw new Error(run.error?.message ?? text.imports.stopped)
  return run.result
}

/** Returns a title for the space from the name of the source. */
function titleOf(source: Source): string {
  const name =
    source.kind === 'zip'
      ? source.file.name.replace(/\.zip$/i, '')
      : source.kind === 'folder'
        ? (source.files[0]?.webkitRelativePath.split('/')[0] ?? '')
        : new URL(source.url).hostname
  return name.replace(/[-_]+/g, ' ').trim().slice(0, 50) || text.common.untitled
}

export default function ImportDialog({
  organization,
  onClose,
}: {
  readonly organization: string
  readonly onClose: () => void
}) {
  const [from, setFrom] = useState<'upload' | 'address'>('upload')
  const [url, setUrl] = useState('')
  const [kind, setKind] = useState<ImportSource>('website')
  const [progress, setProgress] = useState<Progress>()
  const [error, setError] = useState<Error>()
  const [report, setReport] = useState<{ readonly space: string; readonly result: ImportResult }>()
  const abort = useRef<AbortController>(undefined)
  const formId = useId()

  async function start(source: Source) {
    const controller = new AbortController()
    abort.current = controller
    setError(undefined)
    setProgress({ words: text.imports.packing })
    let space: string | undefined
    try {
      const created = await api.call(createSpace, {
        params: { organizationId: organization },
        body: { title: titleOf(source), empty: true },
      })
      space = created.id
      const result = await runImport(space, source, controller.signal, setProgress)
      setReport({ space, result })
    } catch (failure) {
      // An empty space that nobody asked for is of no use.
      if (space !== undefined) await api.call(deleteSpace, { params: { spaceId: space } }).catch(() => {})
      setError(controller.signal.aborted ? new Error(text.imports.stopped) : (failure as Error))
    }
    setProgress(undefined)
    await refresh('organization', organization)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (URL.canParse(url)) void start({ kind: 'address', url, source: kind })
    else setError(new Error(text.imports.urlWrong))
  }

  if (report !== undefined) return <Report {...report} onClose={onClose} />
  if (progress !== undefined) {
    return (
      <Dialog
        title={text.imports.title}
        onClose={() => abort.current?.abort()}
        actions={<Button onClick={() => abort.current?.abort()}>{text.imports.stop}</Button>}
      >
        <p role="status">{progress.words}</p>
        <progress className="progress" value={progress.share} max={1} aria-label={progress.words} />
      </Dialog>
    )
  }
  return (
    <Dialog
      title={text.imports.title}
      onClose={onClose}
      actions={
        from === 'address' && (
          <>
            <Button onClick={onClose}>{text.common.cancel}</Button>
            <Button variant="primary" type="submit" form={formId}>
              {text.imports.start}
            </Button>
          </>
        )
      }
    >
      <div>
        <Segmented
          label={text.imports.from}
          value={from}
          onChange={setFrom}
          choices={[
            { value: 'upload', name: text.imports.upload, icon: 'folder' },
            { value: 'address', name: text.imports.address, icon: 'globe' },
          ]}
        />
      </div>
      {from === 'upload' ? (
        <FileChooser onChoose={(source) => void start(source)} />
      ) : (
        <form id={formId} className="form" onSubmit={submit}>
          <TextField
            label={text.imports.url}
            hint={text.imports.urlHint}
            type="url"
            value={url}
            onChange={setUrl}
            required
            autoFocus
          />
          <SelectField
            label={text.imports.kind}
            value={kind}
            onChange={setKind}
            choices={importSources.map((value) => ({ value, name: text.imports.kinds[value] }))}
          />
        </form>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
    </Dialog>
  )
}

/** Not in the types of React: makes the input choose a folder. */
const folderInputAttributes: Readonly<Record<string, string>> = { webkitdirectory: '' }

function FileChooser({ onChoose }: { readonly onChoose: (source: Source) => void }) {
  const zipInput = useRef<HTMLInputElement>(null)
  const folderInput = useRef<HTMLInputElement>(null)
  return (
    <div
      className="import-drop"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        const [file] = event.dataTransfer.files
        if (file !== undefined && /\.zip$/i.test(file.name)) onChoose({ kind: 'zip', file })
      }}
    >
      <p>{text.imports.uploadHint}</p>
      <div className="import-choices">
        <Button icon="folder" onClick={() => folderInput.current?.click()}>
          {text.imports.chooseFolder}
        </Button>
        <Button icon="archive" onClick={() => zipInput.current?.click()}>
          {text.imports.chooseZip}
        </Button>
      </div>
      <input
        ref={zipInput}
        type="file"
        accept=".zip,application/zip"
        aria-label={text.imports.chooseZip}
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file !== undefined) onChoose({ kind: 'zip', file })
        }}
      />
      <input
        ref={folderInput}
        type="file"
        {...folderInputAttributes}
        aria-label={text.imports.chooseFolder}
        hidden
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          if (files.length > 0) onChoose({ kind: 'folder', files })
        }}
      />
    </div>
  )
}

function Report({
  space,
  result,
  onClose,
}: {
  readonly space: string
  readonly result: ImportResult
  readonly onClose: () => void
}) {
  return (
    <Dialog
      title={text.imports.done}
      description={text.imports.report(result.pages, result.files)}
      width={result.problemCount > 0 ? 'wide' : 'narrow'}
      onClose={onClose}
      actions={
        <Button
          variant="primary"
          onClick={() => {
            onClose()
            navigate(spacePath(space))
          }}
        >
          {text.imports.openSpace}
        </Button>
      }
    >
      {result.problemCount > 0 && (
        <details className="import-problems" open={result.problemCount <= 20}>
          <summary>{text.imports.problems(result.problemCount)}</summary>
          <ul>
            {result.problems.slice(0, 500).map(({ path, line, message }, at) => (
              <li key={at}>
                <code>{path}</code>
                {line !== undefined && <span className="import-line">{text.imports.line(line)}</span>}{' '}
                {message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Dialog>
  )
}
