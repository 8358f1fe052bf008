import { createInterface } from "node:readline/promises"
import { UsageError } from "./usage-error.ts"

export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream
}

/**
 * Shows the text, asks the question and returns the answer. The answer is empty when the input ends, e.g. with Ctrl-D.
 * @throws UsageError when the input is not a terminal; `otherwise` says what the user can do instead
 */
export async function askOnTerminal(
  { input, output }: Terminal,
  { text, question, otherwise }: { text: string; question: string; otherwise: string },
): Promise<string> {
  if (!input.isTTY) throw new UsageError(`nobody can be asked here: ${otherwise}`)
  const terminal = createInterface({ input, output })
  const ended = new Promise<string>((resolve) => terminal.once("close", () => resolve("")))
  try {
    output.write(text)
    return (await Promise.race([terminal.question(question), ended])).trim()
  } finally {
    terminal.close()
  }
}
