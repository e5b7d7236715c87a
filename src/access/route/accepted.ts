/** A reply for work that goes on after it: 202, with where one can look how far it is. Its audit entry comes with its end. */
export class Accepted {
  constructor(
    readonly location: string,
    readonly body: object,
  ) {}
}
