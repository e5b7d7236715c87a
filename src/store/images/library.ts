/** Lazy loading of the image library: it takes 25 MB that most processes never need. */
import type sharp from 'sharp'

let loading: Promise<typeof sharp> | undefined

/** Returns the library, configured to use one thread per image and no cache. */
export function loadImageLibrary(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: library }) => {
    library.concurrency(1)
    library.cache(false)
    return library
  })
  return loading
}
