import { createInterface } from "node:readline/promises"
import { describeAsk } from "@docket/core/rule"
import type { PermissionReply, PermissionRequest } from "@docket/core/schema"

export interface PermissionAnswer {
  reply: PermissionReply
  message?: string
}

/** Asks the user about a permission request. Rejects when `signal` aborts, e.g. because it was answered elsewhere. */
export type AskPermission = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>

/** Asks on a terminal: [o]nce, [a]lways or [r]eject, the last one with words for the agent. */
export function createTerminalAsk(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): AskPermission {
  return async (request, signal) => {
    const terminal = createInterface({ input, output })
    try {
      output.write(`\n${describe(request)}\n`)
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

/** What is wanted, as `The agent wants to run a command: rm -r build`, then a line for each reason why it is asked. */
export function describe(request: PermissionRequest): string {
  const { act, title, command, reasons } = describeAsk(request)
  const named = [act.does, act.what.join(", "), act.where].filter(Boolean).join(" ")
  const detail = command ?? title
  return [`The agent wants to ${named}${detail && `: ${detail}`}`, ...reasons].join("\n  ")
}
