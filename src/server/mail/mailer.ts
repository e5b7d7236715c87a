/** The mail and mailer interfaces, and how long a mail stays valid. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same in simple HTML. */
  readonly html?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Mailer {
  /** Sends a mail; throws when the mail server did not accept it. */
  send(mail: Mail): Promise<void>
}

/** How long a mail may wait to be sent, in milliseconds: after a longer time without a mail server it is no news any more. */
export const mailLife = 3 * 24 * 3_600_000
