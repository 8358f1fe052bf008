/**
 * Aborts with the error once something that was written to one of `streams` reaches nobody: the pipe or terminal was
 * closed, or the disk is full. The program goes on, however often it writes to them afterwards.
 */
export function outputFailure(streams: readonly NodeJS.WritableStream[]): AbortSignal {
  const failure = new AbortController()
  // A closed pipe fails again at every write.
  for (const stream of streams) stream.on("error", (error) => failure.abort(error))
  return failure.signal
}

/** Whether `error` says that the reader of a pipe has gone, as `head` does when it has read enough. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE"
}
