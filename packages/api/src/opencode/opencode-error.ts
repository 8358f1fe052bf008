/** A refusal of the routes for OpenCode's clients. */
export class OpencodeError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.name = "OpencodeError"
    this.status = status
  }
}
