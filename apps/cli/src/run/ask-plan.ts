import { visibleText } from "@docket/core/rule"
import { theirs } from "./theirs.ts"
import { withTerminal } from "./with-terminal.ts"

/** What a person says to a plan: one of its question's options, words of their own, or nothing (null). */
export type PlanReply = { choice: string } | { words: string } | null

/** Shows a plan and asks what is to become of it. Rejects when `signal` aborts, e.g. because it was answered elsewhere. */
export type AskPlan = (
  plan: { file: string; text: string },
  options: string[],
  signal: AbortSignal,
) => Promise<PlanReply>

/** Asks on a terminal: a number for an option, else words that send the plan back; an empty line closes it. */
export function createTerminalPlan(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): AskPlan {
  return ({ file, text }, options, signal) =>
    withTerminal({ input, output, signal }, async (ask) => {
      const choices = options.map((option, index) => `  [${index + 1}] ${visibleText(option)}`)
      output.write(`\nThe plan is ready (${visibleText(file)}):\n\n${theirs(text)}\n\n${choices.join("\n")}\n`)
      const said = (await ask("A number, what is to change in the plan, or nothing to stay in plan mode: ")).trim()
      const choice = /^\d+$/.test(said) ? options[Number(said) - 1] : undefined
      if (choice !== undefined) return { choice }
      return said === "" ? null : { words: said }
    })
}
