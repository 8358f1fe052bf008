import { visibleText } from "@docket/core/rule"
import { theirs } from "./theirs.ts"
import { withTerminal } from "./with-terminal.ts"

/** The user's reply to a plan: one of the options, their own words, or nothing (null). */
export type PlanReply = { choice: string } | { words: string } | null

/** Shows a plan and asks what to do with it. Rejects when `signal` aborts, e.g. because another user answered. */
export type AskPlan = (
  plan: { file: string; text: string },
  options: string[],
  signal: AbortSignal,
) => Promise<PlanReply>

/** Asks on a terminal: a number chooses an option, other text sends the plan back, an empty line closes it. */
export function createTerminalPlan(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): AskPlan {
  return ({ file, text }, options, signal) =>
    withTerminal({ input, output, signal }, async (ask) => {
      const choices = options.map((option, index) => `  [${index + 1}] ${visibleText(option)}`)
      output.write(`\nThe plan is ready (${visibleText(file)}):\n\n${theirs(text)}\n\n${choices.join("\n")}\n`)
      const said = (await ask("A number, what to change in the plan, or an empty line to stay in plan mode: ")).trim()
      const choice = /^\d+$/.test(said) ? options[Number(said) - 1] : undefined
      if (choice !== undefined) return { choice }
      return said === "" ? null : { words: said }
    })
}
