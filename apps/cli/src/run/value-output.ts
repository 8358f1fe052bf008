import type { Session } from "@docket/core/schema"
import type { Output } from "./output.ts"
import { createTextOutput } from "./text-output.ts"

/** Output of a run with a schema: stdout gets only the value, as JSON. What the agent says on the way goes to stderr. */
export function createValueOutput(
  session: Session,
  stdout: NodeJS.WritableStream,
  stderr: NodeJS.WritableStream,
): Output {
  const text = createTextOutput(session, stderr, stderr)
  return {
    ...text,
    finish(result) {
      text.finish(result)
      if (result.output !== undefined) stdout.write(`${JSON.stringify(result.output, null, 2)}\n`)
    },
  }
}
