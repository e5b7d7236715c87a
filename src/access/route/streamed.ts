/** A reply of JSON that may be too large to be held: it is sent as it is read, or at once where it is small after all. */
export class Streamed {
  constructor(readonly json: AsyncIterable<string | Uint8Array> | Uint8Array) {}
}
