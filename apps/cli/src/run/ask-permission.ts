import { createInterface } from "node:readline/promises"
import type { PermissionReply } from "@docket/core/schema"

export interface PermissionAnswer {
  reply: PermissionReply
  message?: string
}

/** Puts a question about a permission request. Rejects when `signal` aborts, e.g. because it was answered elsewhere. */
export type AskPermission = (question: string, signal: AbortSignal) => Promise<PermissionAnswer>

/** Asks on a terminal: [o]nce, [a]lways or [r]eject, the last one with words for the agent. */
export function createTerminalAsk(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): AskPermission {
  return async (question, signal) => {
    const terminal = createInterface({ input, output })
    try {
      output.write(`\n${question}\n`)
      for (;;) {
        const key = (await terminal.question("[o]nce, [a]lways in this session, [r]eject: ", { signal }))
          .trim()
          .toLowerCase()
        if (key === "o" || key === "once") return { reply: "once" }
        if (key === "a" || key === "always") return { reply: "always" }
        if (key !== "r" && key !== "reject") continue
        const message = (await terminal.question("What should the agent do instead? ", { signal })).trim()
        return message === "" ? { reply: "reject" } : { reply: "reject", message }
      }
    } finally {
      terminal.close()
    }
  }
}
