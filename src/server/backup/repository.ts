/**
 * Backup repository: a folder or a prefix of an S3 bucket that holds any number of backups, and each content once.
 *
 * `octavo-backup.json` describes it; `data/` has the chunks of tables and the uploaded files by their hash; the manifest
 * in `snapshots/` is written last and makes a backup complete. Whatever is not named by a manifest may be deleted.
 */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, pipeline } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Hash } from '../../core/ids.js'
import { openDirectory } from '../../store/files/directory.js'
import { ignoreMissing } from '../../store/files/ignore-missing.js'
import { type NamedFiles, openNamedFolder } from '../../store/files/named-files.js'
import type { FileStorage } from '../../store/files/storage.js'
import type { DumpColumn } from '../../store/db/table-dump.js'
import { s3SettingsOf } from '../settings/file-storage.js'
import { type Encryption, type KeyDerivation, createKeyDerivation, openEncryption } from './encryption.js'

/** Thrown with a message for the operator. */
export class BackupError extends Error {}

export interface DumpedTable {
  readonly name: string
  readonly columns: readonly DumpColumn[]
  readonly rows: number
  readonly chunks: readonly Hash[]
}

export interface Manifest {
  readonly createdAt: string
  readonly engine: 'sqlite' | 'postgres'
  /** The schema of the tables. */
  readonly migrations: readonly string[]
  readonly tables: readonly DumpedTable[]
  readonly files: number
  /** Bytes of the files. */
  readonly fileBytes: number
  /** Chunks of lines `[hash, stored hash]` of the uploaded files. */
  readonly fileChunks: readonly Hash[]
}

export interface Repository {
  readonly target: string
  /** Names of complete backups, oldest first. */
  listSnapshots(): Promise<readonly string[]>
  readManifest(name: string): Promise<Manifest>
  writeManifest(manifest: Manifest): Promise<string>
  deleteManifest(name: string): Promise<void>
  /** Stores text compressed, and encrypted where the repository is; resolves with the hash of what is stored. */
  putChunk(text: string): Promise<Hash>
  /** Returns the text of a chunk; throws `BackupError` when it is missing or damaged. */
  readChunk(hash: Hash): Promise<string>
  /** Stores an uploaded file; resolves with the hash of what is stored. */
  putFile(hash: Hash, content: Readable): Promise<Hash>
  /** Opens an uploaded file; throws `BackupError` when it is missing. */
  openFile(stored: Hash): Promise<Readable>
  readonly data: FileStorage
}

interface Description {
  readonly format: 2
  readonly encryption?: KeyDerivation
}

const descriptionFile = 'octavo-backup.json'
const [compress, decompress] = [promisify(gzip), promisify(gunzip)]

export interface RepositoryOptions {
  readonly passphrase: string | undefined
  /** Folder for what is sent to a bucket. */
  readonly spoolFolder: string
}

/** Opens a repository; a missing or empty one is created for the first backup. Throws `BackupError`. */
export async function openRepository(
  target: string,
  { passphrase, spoolFolder }: RepositoryOptions,
  use: 'write' | 'read',
): Promise<Repository> {
  const open = await openTarget(target, spoolFolder)
  const root = await open.names('')
  const description = await readDescription(root, target, use, passphrase)
  const encryption = await encryptionOf(description, target, passphrase)
  const snapshots = await open.names('snapshots')
  const data = await open.storage('data')
  return {
    target,
    data,
    listSnapshots: async () =>
      (await snapshots.list()).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5)),
    async readManifest(name) {
      const bytes = await snapshots.read(`${name}.json`)
      if (bytes === undefined) throw new BackupError(`${target} has no backup ${name}.`)
      try {
        return JSON.parse(unseal(bytes, encryption).toString()) as Manifest
      } catch {
        throw new BackupError(`The backup ${name} in ${target} is damaged: its manifest cannot be read.`)
      }
    },
    async writeManifest(manifest) {
      const name = manifest.createdAt.replaceAll(/[:.]/g, '-')
      const bytes = Buffer.from(`${JSON.stringify(manifest)}\n`)
      await snapshots.write(`${name}.json`, encryption?.encrypt(bytes) ?? bytes)
      return name
    },
    deleteManifest: (name) => snapshots.delete(`${name}.json`),
    async putChunk(text) {
      const bytes = await compress(text, { level: 6 })
      return (await data.put(encryption?.encrypt(bytes) ?? bytes)).hash
    },
    async readChunk(hash) {
      const stream = await data.open(hash)
      if (stream === undefined)
        throw new BackupError(`The backup in ${target} is damaged: ${hash} is missing.`)
      const bytes = Buffer.concat(await stream.toArray())
      const isWhole = createHash('sha256').update(bytes).digest('base64url') === hash
      if (!isWhole) throw new BackupError(`The backup in ${target} is damaged: ${hash} was changed.`)
      return (await decompress(unseal(bytes, encryption))).toString()
    },
    async putFile(hash, content) {
      const stored = await data.put(
        encryption === undefined ? content : piped(content, encryption.encryptStream(hash)),
      )
      return stored.hash
    },
    async openFile(stored) {
      const stream = await data.open(stored)
      if (stream === undefined)
        throw new BackupError(`The backup in ${target} is damaged: the file ${stored} is missing.`)
      return encryption === undefined ? stream : piped(stream, encryption.decryptStream())
    },
  }
}

const unseal = (bytes: Uint8Array, encryption: Encryption | undefined): Buffer =>
  encryption?.decrypt(bytes) ?? Buffer.from(bytes)

/** Errors of either stream end the result. */
function piped<Target extends NodeJS.ReadWriteStream>(from: Readable, to: Target): Target {
  pipeline(from, to, () => {})
  return to
}

async function readDescription(
  root: NamedFiles,
  target: string,
  use: 'write' | 'read',
  passphrase: string | undefined,
): Promise<Description> {
  const bytes = await root.read(descriptionFile)
  if (bytes !== undefined) {
    const found = JSON.parse(Buffer.from(bytes).toString()) as Description
    if (found.format !== 2) throw new BackupError(`${target} was written by a newer version of Octavo.`)
    return found
  }
  if (use === 'read') throw new BackupError(`There is no backup in ${target}: it has no ${descriptionFile}.`)
  const encryption = passphrase === undefined ? undefined : await createKeyDerivation(passphrase)
  const made: Description = { format: 2, ...(encryption && { encryption }) }
  await root.write(descriptionFile, Buffer.from(`${JSON.stringify(made, null, 2)}\n`))
  return made
}

async function encryptionOf(
  { encryption }: Description,
  target: string,
  passphrase: string | undefined,
): Promise<Encryption | undefined> {
  if (encryption === undefined) {
    if (passphrase === undefined) return undefined
    throw new BackupError(
      `The backups in ${target} are not encrypted, and OCTAVO_BACKUP_PASSPHRASE is set: choose another target, or unset it.`,
    )
  }
  if (passphrase === undefined)
    throw new BackupError(`The backups in ${target} are encrypted: set OCTAVO_BACKUP_PASSPHRASE.`)
  const opened = await openEncryption(passphrase, encryption)
  if (opened === undefined)
    throw new BackupError(`The passphrase is not the one of the backups in ${target}.`)
  return opened
}

interface Target {
  names(folder: string): Promise<NamedFiles>
  storage(folder: string): Promise<FileStorage>
}

async function openTarget(target: string, spoolFolder: string): Promise<Target> {
  if (!target.startsWith('s3://')) {
    const entries = (await ignoreMissing(readdir(target))) ?? []
    if (entries.length > 0 && !entries.includes(descriptionFile))
      throw new BackupError(`${target} is not empty and holds no backup: choose an empty folder.`)
    return {
      names: async (folder) => openNamedFolder(join(target, folder)),
      storage: (folder) => openDirectory(join(target, folder)),
    }
  }
  const { openNamedObjects, openS3 } = await import('../../store/files/s3.js')
  const settings = (folder: string) => s3SettingsOf(`${target.replace(/\/$/, '')}/${folder}`, spoolFolder)
  return {
    names: async (folder) => openNamedObjects(settings(folder)),
    storage: (folder) => openS3(settings(folder)),
  }
}
