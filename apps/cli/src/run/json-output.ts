import type { Output } from "./output.ts"

/** One FeedItem per line, and `{type:"result", text, sessionID, turn, usage}` as the last one. Notes go to stderr. */
export function createJsonOutput(stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream): Output {
  const line = (value: unknown) => stdout.write(`${JSON.stringify(value)}\n`)
  return {
    handle: (item) => void line(item),
    note: (text) => void stderr.write(`${text}\n`),
    finish: ({ text, sessionID, turn, usage }) => void line({ type: "result", text, sessionID, turn, usage }),
  }
}
