/** A reply of an upsert that created the resource: 201 with `Location`. */
export class Created<Reply extends object = object> {
  constructor(readonly reply: Reply) {}
}
