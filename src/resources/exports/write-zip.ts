/** Zip writer: streams entries as a zip; equal entries always give equal bytes. */
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { type ArchiveEntry, tooLarge } from '../imports/archive.js'

/** Limits of the zip format without Zip64; beyond them the library would silently write wrong numbers. */
const maxEntries = 65_534
const maxBytes = 0xffff_ffff - 100_000_000

/** Already compressed: compressing again costs time and saves nothing. */
const packed =
  /\.(?:png|jpe?g|gif|webp|avif|heic|mp[34]|m4[av]|webm|mov|ogg|woff2?|pdf|zip|gz|t[gx]z|bz2|xz|7z|rar|docx|xlsx|pptx)$/i

/** Yields the bytes of a zip with the entries in the passed order. Throws an ApiError when they are too many. */
export async function* writeZip(
  entries: AsyncIterable<Pick<ArchiveEntry, 'path' | 'stream'>>,
): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = []
  let failure: Error | null = null
  let written = 0
  let count = 0
  const zip = new Zip((error, chunk) => {
    failure ??= error
    if (!error) ready.push(chunk)
  })
  function* drain(): Generator<Uint8Array> {
    if (failure) throw failure
    const chunks = ready
    ready = []
    for (const chunk of chunks) {
      written += chunk.length
      if (written > maxBytes) throw tooLarge(`the zip would be larger than ${maxBytes} bytes`)
      yield chunk
    }
  }
  for await (const entry of entries) {
    if (++count > maxEntries) throw tooLarge(`a zip holds at most ${maxEntries} files`)
    const file = packed.test(entry.path)
      ? new ZipPassThrough(entry.path)
      : new ZipDeflate(entry.path, { level: 6 })
    // The library uses the local time zone: a local date gives the same number everywhere.
    file.mtime = new Date(1980, 0, 1)
    file.os = 3
    file.attrs = 0o100644 << 16
    zip.add(file)
    for await (const chunk of entry.stream()) {
      file.push(chunk)
      yield* drain()
    }
    file.push(new Uint8Array(0), true)
    yield* drain()
  }
  zip.end()
  yield* drain()
}
