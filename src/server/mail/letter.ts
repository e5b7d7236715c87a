/** What a mail is, and how long it is one. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  /** Hands a mail in; throws when it was not taken. */
  send(mail: Mail): Promise<void>
}

/** How long a mail may wait to be sent, in milliseconds: what lay for want of a mail server is no news any more. */
export const mailLife = 3 * 24 * 3_600_000
