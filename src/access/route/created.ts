/** A reply for what was made by an operation that changes it where it is there: 201, and where it stands. */
export class Created<Reply extends object = object> {
  constructor(readonly reply: Reply) {}
}
