/** The library that reads and writes pictures, loaded with the first of them: it takes 25 MB that most processes never need. */
import type sharp from 'sharp'

let loading: Promise<typeof sharp> | undefined

/** Returns the library, set so that a picture takes one thread and leaves nothing behind. */
export function loadImageLibrary(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: library }) => {
    library.concurrency(1)
    library.cache(false)
    return library
  })
  return loading
}
