import { createInterface } from "node:readline/promises"
import { UsageError } from "../usage-error.ts"

/** Asks whether the tenant may be removed with what it `owns`. */
export type ConfirmRemoval = (name: string, owns: string) => Promise<boolean>

/**
 * Asks on a terminal: whoever types the tenant's name agrees.
 * @throws UsageError from the answer when the input is no terminal, so that nobody can be asked
 */
export function createTerminalConfirm(
  input: NodeJS.ReadableStream & { isTTY?: boolean },
  output: NodeJS.WritableStream,
): ConfirmRemoval {
  return async (name, owns) => {
    if (!input.isTTY) throw new UsageError("nobody can be asked here: add --yes to remove it all the same")
    const terminal = createInterface({ input, output })
    // The input ends without an answer, e.g. with Ctrl-D.
    const ended = new Promise<string>((resolve) => terminal.once("close", () => resolve("")))
    try {
      output.write(`Tenant ${name} owns ${owns}. All of it will be gone for good.\n`)
      const answer = await Promise.race([terminal.question(`Type ${name} to remove it: `), ended])
      return answer.trim() === name
    } finally {
      terminal.close()
    }
  }
}
