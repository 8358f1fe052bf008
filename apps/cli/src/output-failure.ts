/**
 * Aborts with the error when output to one of `streams` is lost: the pipe or terminal was closed, or the disk is full.
 * Later writes to the streams do not stop the program.
 */
export function outputFailure(streams: readonly NodeJS.WritableStream[]): AbortSignal {
  const failure = new AbortController()
  // A closed pipe reports an error at every write.
  for (const stream of streams) stream.on("error", (error) => failure.abort(error))
  return failure.signal
}

/** Whether the reader closed the pipe, as `head` does when it has read enough. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE"
}
