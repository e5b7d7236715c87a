/** Import: files of this computer or an address, into a new space or a change request, with progress and a report. */
import { useQuery } from '@tanstack/react-query'
import { type DragEvent, type FormEvent, useId, useRef, useState } from 'react'
import { importFileSources, importModes, importSources } from '../../contract/imports.js'
import { refresh, spacesQuery } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { ErrorNotice } from '../ui/display.js'
import { SelectField, TextField } from '../ui/field.js'
import { Icon } from '../ui/icon.js'
import { Segmented } from '../ui/segmented.js'
import { ImportReport } from './import-report.js'
import { type Imported, type Progress, type Source, type Target, nameOf, runImport } from './run-import.js'
import { formatOfDocument, formatOfTree, pathsInZip } from './source-format.js'
import './import-dialog.css'

type FileSource = Extract<Source, { kind: 'files' }>

export default function ImportDialog({
  organization,
  canCreate,
  space,
  onClose,
}: {
  readonly organization: string
  /** Whether the person may create spaces. */
  readonly canCreate: boolean
  /** The space that is open, into which the import goes unless another place is chosen. */
  readonly space: string | undefined
  readonly onClose: () => void
}) {
  const { data: spaces, error: spacesError } = useQuery(spacesQuery(organization))
  const writable = (spaces ?? []).filter(({ permissions }) => permissions.edit)
  const [from, setFrom] = useState<Source['kind']>('files')
  const [files, setFiles] = useState<FileSource>()
  const [address, setAddress] = useState<Extract<Source, { kind: 'address' }>>({
    kind: 'address',
    url: '',
    format: 'website',
  })
  const [into, setInto] = useState<Target['kind']>(space === undefined && canCreate ? 'new' : 'existing')
  const [title, setTitle] = useState<string>()
  const [chosenSpace, setChosenSpace] = useState(space)
  const [mode, setMode] = useState<(typeof importModes)[number]>('update')
  const [progress, setProgress] = useState<Progress>()
  const [error, setError] = useState<Error>()
  const [wrong, setWrong] = useState<'files' | 'url' | 'title'>()
  const [imported, setImported] = useState<Imported>()
  const abort = useRef<AbortController>(undefined)
  const formId = useId()

  const source = from === 'files' ? files : URL.canParse(address.url) ? address : undefined
  const name = title ?? (source === undefined ? '' : nameOf(source))
  const existing = writable.find(({ id }) => id === chosenSpace) ?? writable[0]

  async function start(chosen: Source, target: Target) {
    const controller = new AbortController()
    abort.current = controller
    setError(undefined)
    setProgress({ words: text.imports.preparing })
    try {
      setImported(await runImport(chosen, target, { signal: controller.signal, onProgress: setProgress }))
    } catch (failure) {
      setError(controller.signal.aborted ? new Error(text.imports.stopped) : (failure as Error))
    }
    setProgress(undefined)
    await Promise.all([
      refresh('organization', organization),
      ...(target.kind === 'existing' ? [refresh('space', target.space)] : []),
    ])
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isTitled = into === 'existing' || name.trim() !== ''
    setWrong(source === undefined ? (from === 'files' ? 'files' : 'url') : isTitled ? undefined : 'title')
    if (source === undefined || !isTitled) return
    if (into === 'new') void start(source, { kind: 'new', organization, title: name.trim() })
    else if (existing !== undefined) void start(source, { kind: 'existing', space: existing.id, mode })
  }

  if (imported !== undefined) return <ImportReport imported={imported} onClose={onClose} />
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
  const canChooseTarget = canCreate && writable.length > 0
  return (
    <Dialog
      title={text.imports.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            isBusy={into === 'existing' && spaces === undefined && spacesError === null}
          >
            {text.imports.start}
          </Button>
        </>
      }
    >
      <form id={formId} className="form" onSubmit={submit} noValidate>
        <div>
          <Segmented
            label={text.imports.from}
            value={from}
            onChange={setFrom}
            choices={[
              { value: 'files', name: text.imports.upload, icon: 'folder' },
              { value: 'address', name: text.imports.address, icon: 'globe' },
            ]}
          />
        </div>
        {from === 'files' ? (
          <FileChooser
            chosen={files}
            error={wrong === 'files' && files === undefined ? text.imports.nothingChosen : undefined}
            onChoose={setFiles}
          />
        ) : (
          <TextField
            label={text.imports.url}
            hint={text.imports.urlHint}
            type="url"
            placeholder="https://"
            value={address.url}
            onChange={(url) => setAddress({ ...address, url })}
            required
            error={wrong === 'url' && source === undefined ? text.imports.urlWrong : undefined}
          />
        )}
        {from === 'address' ? (
          <SelectField
            label={text.imports.format}
            value={address.format}
            onChange={(format) => setAddress({ ...address, format })}
            choices={importSources.map((value) => ({ value, name: text.imports.formats[value] }))}
          />
        ) : (
          files !== undefined && (
            <SelectField
              label={text.imports.format}
              value={files.format}
              onChange={(format) => setFiles({ ...files, format })}
              choices={importFileSources.map((value) => ({ value, name: text.imports.formats[value] }))}
            />
          )
        )}
        {canChooseTarget && (
          <SelectField
            label={text.imports.into}
            value={into}
            onChange={setInto}
            choices={[
              { value: 'new', name: text.imports.newSpace },
              { value: 'existing', name: text.imports.existingSpace },
            ]}
          />
        )}
        {into === 'new' && canCreate ? (
          <TextField
            label={text.imports.spaceTitle}
            value={name}
            onChange={setTitle}
            maxLength={50}
            required
            error={wrong === 'title' && name.trim() === '' ? text.imports.titleMissing : undefined}
          />
        ) : (
          <>
            <SelectField
              label={text.imports.space}
              value={existing?.id ?? ''}
              onChange={setChosenSpace}
              choices={writable.map((one) => ({ value: one.id, name: one.title }))}
            />
            <SelectField
              label={text.imports.mode}
              value={mode}
              onChange={setMode}
              choices={importModes.map((value) => ({ value, name: text.imports.modes[value] }))}
            />
          </>
        )}
        {error !== undefined && <ErrorNotice error={error} />}
        {error === undefined && spacesError !== null && <ErrorNotice error={spacesError} />}
      </form>
    </Dialog>
  )
}

/** Not in the types of React: makes the input choose a folder. */
const folderInputAttributes: Readonly<Record<string, string>> = { webkitdirectory: '' }
const accepted = '.zip,.docx,.md,.markdown,.txt,.html,.htm'

/** Returns the chosen files with their format; undefined for none. */
async function readChoice(list: Iterable<File>): Promise<FileSource | undefined> {
  const files = [...list]
  const [first, ...others] = files
  if (first === undefined) return undefined
  const single = others.length === 0 && first.webkitRelativePath === '' ? first : undefined
  const format =
    single === undefined
      ? formatOfTree(files.map((file) => file.webkitRelativePath || file.name))
      : (formatOfDocument(single.name) ?? formatOfTree(await pathsInZip(single)))
  return { kind: 'files', files, format }
}

function FileChooser({
  chosen,
  error,
  onChoose,
}: {
  readonly chosen: FileSource | undefined
  readonly error: string | undefined
  readonly onChoose: (source: FileSource | undefined) => void
}) {
  const fileInput = useRef<HTMLInputElement>(null)
  const folderInput = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const errorId = useId()
  const choose = async (list: Iterable<File> | null) => {
    const choice = await readChoice(list ?? [])
    if (choice !== undefined) onChoose(choice)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    // A dropped folder is a file without content here: the button reads it.
    void choose([...event.dataTransfer.files].filter(({ size }) => size > 0))
  }
  return (
    <div
      className="import-drop"
      role="group"
      aria-label={text.imports.upload}
      aria-describedby={error === undefined ? undefined : errorId}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {chosen === undefined ? (
        <p>{text.imports.uploadHint}</p>
      ) : (
        <p className="import-chosen" role="status">
          <Icon name={chosen.files.length === 1 ? 'file' : 'folder'} />
          {text.imports.chosen(
            chosen.files.length === 1 ? chosen.files[0]!.name : nameOf(chosen),
            chosen.files.length,
          )}
        </p>
      )}
      <div className="import-choices">
        <Button icon="file" onClick={() => fileInput.current?.click()}>
          {text.imports.chooseFiles}
        </Button>
        <Button icon="folder" onClick={() => folderInput.current?.click()}>
          {text.imports.chooseFolder}
        </Button>
      </div>
      {error !== undefined && (
        <p id={errorId} className="field-error" role="alert">
          {error}
        </p>
      )}
      <input
        ref={fileInput}
        type="file"
        multiple
        accept={accepted}
        aria-label={text.imports.chooseFiles}
        hidden
        onChange={({ currentTarget }) => void choose(currentTarget.files)}
      />
      <input
        ref={folderInput}
        type="file"
        {...folderInputAttributes}
        aria-label={text.imports.chooseFolder}
        hidden
        onChange={({ currentTarget }) => void choose(currentTarget.files)}
      />
    </div>
  )
}
