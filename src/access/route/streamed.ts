/** A reply of JSON that may be too large for memory: it is streamed, or sent as bytes when it is small. */
export class Streamed {
  constructor(readonly json: AsyncIterable<string | Uint8Array> | Uint8Array) {}
}
