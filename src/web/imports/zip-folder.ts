/** The files of a folder that the person chose, as one zip archive that is made in the browser. */
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

/** Folders that no documentation is in, and that are often large. */
const skipped = /(?:^|\/)(?:\.git|node_modules|\.venv|__pycache__|\.DS_Store)(?:\/|$)/
const compressed = /\.(?:png|jpe?g|gif|webp|avif|zip|docx|pdf|woff2?|mp4|webm)$/i

/** Returns the archive; paths are those below the chosen folder. */
export async function zipFolder(files: Iterable<File>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let failure: Error | undefined
  // Entries are compressed as they are added, so that everything is there after `end`.
  const zip = new Zip((error, chunk) => {
    if (error !== null) failure = error
    else chunks.push(chunk as Uint8Array<ArrayBuffer>)
  })
  for (const file of files) {
    const path = file.webkitRelativePath.split('/').slice(1).join('/') || file.name
    if (skipped.test(path)) continue
    const entry = compressed.test(path) ? new ZipPassThrough(path) : new ZipDeflate(path, { level: 6 })
    zip.add(entry)
    entry.push(new Uint8Array(await file.arrayBuffer()), true)
  }
  zip.end()
  if (failure !== undefined) throw failure
  return new Blob(chunks, { type: 'application/zip' })
}
