import { styleText } from "node:util"
import { visibleText } from "@docket/core/rule"
import type { Question, QuestionAnswer } from "@docket/core/schema"
import { theirs } from "./theirs.ts"
import { withTerminal } from "./with-terminal.ts"

/** Asks the questions of an agent; null when none of them is answered. Rejects when `signal` aborts. */
export type AskQuestions = (
  intro: string,
  questions: readonly Question[],
  signal: AbortSignal,
) => Promise<QuestionAnswer[] | null>

/** Asks on a terminal, one question after another. The user answers with numbers or in their own words. */
export function createTerminalQuestions(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): AskQuestions {
  return (intro, questions, signal) =>
    withTerminal({ input, output, signal }, async (ask) => {
      output.write(`\n${styleText("bold", visibleText(intro), { stream: process.stderr })}\n`)
      const answers: QuestionAnswer[] = []
      for (const question of questions) {
        output.write(`${questionText(question)}\n`)
        answers.push(readAnswer(question, await ask(promptOf(question))))
      }
      return answers.some(({ choices, own }) => choices.length > 0 || own !== null) ? answers : null
    })
}

function questionText({ header, question, options }: Question): string {
  const lines = options.map(({ label, description }, index) => {
    const meaning = description === "" ? "" : ` – ${description.replace(/\s+/g, " ")}`
    return `  ${index + 1}  ${visibleText(`${label}${meaning}`)}`
  })
  return [theirs(`${header}: ${question}`), ...lines].join("\n")
}

function promptOf({ options, multiple }: Question): string {
  if (options.length === 0) return "Your answer (an empty line skips it): "
  return `${multiple ? "Numbers, as 1,3" : "A number"}, or your own words (an empty line skips it): `
}

/** Reads an answer from a typed line: option numbers, else the user's own words. */
export function readAnswer({ options, multiple }: Question, line: string): QuestionAnswer {
  const typed = line.trim()
  const numbers = typed.split(/[\s,]+/)
  const labels = numbers.map((number) => (/^\d+$/.test(number) ? options[Number(number) - 1]?.label : undefined))
  const chosen = labels.filter((label) => label !== undefined)
  const isChoice = chosen.length === numbers.length && (multiple || chosen.length === 1)
  if (isChoice) return { choices: chosen, own: null }
  return { choices: [], own: typed === "" ? null : typed }
}
