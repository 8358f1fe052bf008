import { type GrantReach, reaches } from "@docket/core/rule"
import type { GrantScope, PermissionReply } from "@docket/core/schema"
import { withTerminal } from "./with-terminal.ts"

export interface PermissionAnswer {
  reply: PermissionReply
  message?: string
  /** The scope of "always"; the session tree when left out. */
  within?: GrantScope
}

/** A question about a permission request, and the widest scope that "always" may have. */
export interface PermissionQuestion {
  text: string
  reach: GrantReach
}

/** Asks about a permission request. Rejects when `signal` aborts, e.g. because another user answered. */
export type AskPermission = (question: PermissionQuestion, signal: AbortSignal) => Promise<PermissionAnswer>

/** The answers that allow more than the session tree, by their keys. */
const beyond = [
  { key: "p", within: "project", words: "always in this [p]roject" },
  { key: "e", within: "everywhere", words: "always [e]verywhere" },
] as const

/** Asks on a terminal: [o]nce, [a]lways or [r]eject; yes is once, no rejects. A rejection may carry a message for the agent. */
export function createTerminalAsk(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): AskPermission {
  return ({ text, reach }, signal) =>
    withTerminal({ input, output, signal }, async (ask) => {
      const further = beyond.filter(({ within }) => reaches(reach, within))
      const choices = ["[o]nce", "[a]lways in this session", ...further.map(({ words }) => words), "[r]eject"].join(
        ", ",
      )
      output.write(`\n${text}\n${reach.why === null ? "" : `${reach.why}\n`}`)
      for (;;) {
        const key = (await ask(`${choices}: `)).trim().toLowerCase()
        if (["o", "once", "y", "yes"].includes(key)) return { reply: "once" }
        if (key === "a" || key === "always") return { reply: "always" }
        const wide = further.find((choice) => key === choice.key || key === choice.within)
        if (wide !== undefined) return { reply: "always", within: wide.within }
        if (!["r", "reject", "n", "no"].includes(key)) {
          const keys = ["o", "a", ...further.map((choice) => choice.key)]
          output.write(`Type one of the letters ${keys.join(", ")} or r, then Enter.\n`)
          continue
        }
        const message = (await ask("What should the agent do instead? ")).trim()
        return message === "" ? { reply: "reject" } : { reply: "reject", message }
      }
    })
}
