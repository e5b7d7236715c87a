/** A reply for work that continues after it: 202, with the URL of its status. Its audit entry is written at its end. */
export class Accepted {
  constructor(
    readonly location: string,
    readonly body: object,
  ) {}
}
