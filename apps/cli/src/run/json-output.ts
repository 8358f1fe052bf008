import type { Output } from "./output.ts"
import type { RunError, RunSession } from "./run-line.ts"

/** The lines of `RunLine`. Notes go to stderr. */
export function createJsonOutput(
  { sessionID, url }: Pick<RunSession, "sessionID" | "url">,
  stdout: NodeJS.WritableStream,
  stderr: NodeJS.WritableStream,
): Output {
  const line = (value: unknown) => stdout.write(jsonLine(value))
  line({ type: "session", version: 1, sessionID, url } satisfies RunSession)
  return {
    handle: (item) => void line(item),
    note: (text) => void stderr.write(`${text}\n`),
    finish: (result) => void line({ type: "result", ...result }),
  }
}

/** The last line of a run that has no result. */
export function errorLine(error: Omit<RunError, "type">): string {
  return jsonLine({ type: "error", ...error })
}

function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}
