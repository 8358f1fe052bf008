import { createInterface } from "node:readline/promises"
import { UsageError } from "./usage-error.ts"

export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream
}

/**
 * Shows text, asks, and gives the answer; an empty one when the input ends without, e.g. with Ctrl-D.
 * @throws UsageError when the input is no terminal, so that nobody can be asked; `otherwise` says what to do
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
