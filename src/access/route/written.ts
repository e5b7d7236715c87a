/** Replies that are written once: bytes of JSON, kept under the name of what they follow from. */
import type { Kind } from '../../store/cache/kinds.js'
import type { Services } from './scope.js'

/** A reply that is already written; it is sent as it is. It follows from the kind and the key, and from nothing else. */
export class Written {
  constructor(
    readonly json: Uint8Array,
    readonly kind: Kind<Uint8Array>,
    readonly key: string,
  ) {}
}

/** Returns the kept reply, or makes and keeps it; the key names a revision, or something else that never changes. */
export async function writeOnce(
  { caches }: Pick<Services, 'caches'>,
  kind: Kind<Uint8Array>,
  key: string,
  make: () => Promise<string>,
): Promise<Written> {
  const known = caches.find(kind, key)
  if (known !== undefined) return new Written(known, kind, key)
  const json = Buffer.from(await make())
  caches.keep(kind, key, json)
  return new Written(json, kind, key)
}
