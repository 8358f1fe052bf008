/** An error whose message shows lines of a file. */
export class QuotingError extends Error {
  /** The same without these lines, for an agent that does not read files. */
  readonly unquoted: string

  constructor(message: string, unquoted: string, options?: ErrorOptions) {
    super(message, options)
    this.unquoted = unquoted
  }
}
