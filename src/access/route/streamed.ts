/** A reply of JSON that may be too large to be held: it is sent as it is read. */
export class Streamed {
  constructor(readonly json: AsyncIterable<string | Uint8Array>) {}
}
