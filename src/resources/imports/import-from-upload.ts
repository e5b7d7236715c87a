/** Import of an uploaded file: an archive or one document, into a space or a change request. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Route, route } from '../../access/route/route.js'
import type { ArchiveImportEndpoint } from '../../contract/imports.js'
import { limits } from '../../contract/limits.js'
import { makePrivateFolder } from '../../store/files/private-permissions.js'
import { spool } from '../../store/files/storage.js'
import { nameOfFile, readSourceFile } from './fetch-source.js'
import { type ImportDestination, type ImportTargetContext, importInto } from './import-from-url.js'

export function uploadRoute<Params extends string, Resources extends ImportTargetContext>(
  destination: ImportDestination<Params, Resources>,
  endpoint: ArchiveImportEndpoint<Params>,
): Route {
  return route(endpoint, {
    at: destination.at,
    allow: 'edit',
    async handleLong(request) {
      const { services, upload, query } = request
      const { mode = 'update', source = 'zip', split } = query
      // Checked before the upload is read, so that a caller who may not import need not send it.
      await destination.requireImportable(request)
      await makePrivateFolder(services.spoolFolder)
      const path = join(services.spoolFolder, randomUUID())
      const remove = () => rm(path, { force: true })
      try {
        const { name, stream } = await upload.file(limits.archiveBytes)
        await spool(Readable.from(stream), path)
        return await importInto(destination, request, {
          source: { url: addressOfUpload(name), source, split },
          // The file is gone with this process.
          isResumable: false,
          mode,
          page: null,
          async withSource({ signal }, work) {
            try {
              const file = { path, name: nameOfFile(name), source, split }
              const read = await readSourceFile(services.reader, file)
              return await work({ ...read, entries: untilAborted(read.entries, signal) })
            } finally {
              await remove()
            }
          },
        })
      } catch (error) {
        await remove()
        throw error
      }
    },
  })
}

/** Yields the items; throws the reason when the signal is aborted. */
async function* untilAborted<Item>(items: AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
  for await (const item of items) {
    signal.throwIfAborted()
    yield item
  }
}

/** Names an uploaded file among the addresses of sources: the same name is the same source. */
const addressOfUpload = (name: string): string => `upload:${encodeURIComponent(name)}`
