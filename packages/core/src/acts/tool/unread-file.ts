/** A call wanted to change a file that the model has not read as it is now. */
export class UnreadFile extends Error {
  /** The file whose text the message shows, and its version; null where it shows none. */
  readonly seen: { file: string; version: string } | null

  constructor(message: string, seen: { file: string; version: string } | null) {
    super(message)
    this.name = "UnreadFile"
    this.seen = seen
  }
}
