/** Adds an uploaded file to the content: stores its bytes first, then commits a revision that references them. */
import { type Actor, urlViewerOf } from '../../access/signin/actor.js'
import type { Upload } from '../../access/route/request-context.js'
import type { Services } from '../../access/route/scope.js'
import type { File } from '../../contract/pages.js'
import type { Tx } from '../../store/db/database.js'
import { changeContent } from './change.js'
import type { ContentContext } from './content.js'
import { presentFile } from './present.js'
import { type StoredBytes, maxFileBytes, storeStream } from './uploads.js'

export async function storeUpload(services: Services, upload: Upload): Promise<StoredBytes> {
  return storeStream(services, await upload.file(maxFileBytes))
}

export async function addFile(
  tx: Tx,
  content: ContentContext,
  stored: StoredBytes,
  { actor, now, services }: { actor: Actor; now: number; services: Services },
): Promise<File> {
  const changed = await changeContent(tx, content, {
    changes: [{ operation: 'insert_files', files: [{ name: stored.name }] }],
    uploads: new Map([[0, [stored]]]),
    base: content.revision.id,
    ifMatch: undefined,
    actor,
    now,
    services,
  })
  const urlViewer = urlViewerOf(actor, now)
  return presentFile(services.addresses, changed.files[0]!.file, content, urlViewer)
}
