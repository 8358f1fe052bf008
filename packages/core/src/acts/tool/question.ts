import { z } from "zod"
import { visibleText } from "../../ground/rule/visible-text.ts"
import type { Caller, PermissionRequest, Question, QuestionAnswer } from "../../ground/schema/index.ts"
import type { QuestionMetadata } from "../../ground/schema/tool-metadata.ts"
import { defineTool, type Tool } from "./tool.ts"

/** Limits of a form that a user can still fill in. */
const maxQuestions = 8
const maxOptions = 12

const description = `Asks the user, and waits for the answer. Use it when the work cannot go on well without something that only the user knows: what they want, which of several ways, a decision that is theirs.

- Ask nothing that you can find out yourself, or that has one sensible answer: decide it and say so.
- Put what you need to know into one call; several questions are shown together.
- Give each question two to five options with what follows from each. Put the one that you would take first and say in its description why.
- The user can always answer in their own words instead, so add no option for that.
- When the user dismisses it, go on with what seems best and say what you assumed; do not ask the same again.`

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .transform((text) => visibleText(text.replace(/\s+/g, " ")))
const words = (max: number) => z.string().trim().max(max).transform(visibleText)

const option = z.strictObject({
  label: line(100).describe("What is chosen, in 1 to 5 words; each one different"),
  description: words(500).default("").describe("What it means, or what follows from it"),
})

const question = z.strictObject({
  header: line(30).describe("What it is about, in a word or two"),
  question: words(2_000).pipe(z.string().min(1)).describe("The whole question"),
  options: z
    .array(option)
    .max(maxOptions)
    .default([])
    .refine(areDifferent, "Two options have the same label. Give each one its own.")
    .describe("What may be chosen; none where only an answer in the user's own words is wanted"),
  multiple: z.boolean().default(false).describe("Several options may be chosen"),
})

const parameters = z.strictObject({ questions: z.array(question).min(1).max(maxQuestions) })

function areDifferent(options: readonly { label: string }[]): boolean {
  return new Set(options.map(({ label }) => label)).size === options.length
}

/** `question`: returns the user's answers as text. A dismissal is returned as text too, so that the turn goes on. */
export function createQuestionTool(): Tool<typeof parameters> {
  return defineTool({
    id: "question",
    description,
    parameters,
    permission: "question",
    parallel: true,
    limits: `${maxQuestions} questions of ${maxOptions} options`,
    // Arguments of other agents' question tools; the user can always answer in their own words.
    ignores: ["custom", "multiSelect"],
    async execute({ questions }, context) {
      const title = questions.map(({ header }) => header).join(", ")
      context.progress({ title, metadata: { questions } })
      const answered = await context.inquire({ permission: "question", metadata: { kind: "question", questions } })
      return { title, output: textOf(questions, answered), metadata: metadataOf(questions, answered) }
    },
  })
}

function textOf(questions: Question[], { answers, message }: PermissionRequest): string {
  return answers === undefined ? dismissedText(message) : answersText(questions, answers)
}

function metadataOf(questions: Question[], { answers, by, message }: PermissionRequest): QuestionMetadata {
  return {
    questions,
    answers: answers ?? null,
    ...answerer(by),
    ...(message !== null && { message }),
    truncated: false,
  }
}

/** The user's answers as text for the model. */
function answersText(questions: readonly Question[], answers: readonly QuestionAnswer[]): string {
  const lines = questions.map((question, index) => `${question.header}: ${answerText(question, answers[index])}`)
  return `The user answered:\n\n${lines.join("\n")}`
}

function answerText({ multiple }: Question, answer: QuestionAnswer | undefined): string {
  const { choices = [], own = null } = answer ?? {}
  const chosen = choices.map((choice) => JSON.stringify(choice)).join(", ")
  if (own === null) return chosen || "(left out: decide it yourself and say what you assumed)"
  const said = `in the user's own words: ${own}`
  return multiple && chosen ? `${chosen}, and ${said}` : said
}

/** The text for the model when the user dismisses the question; `message` is what the user wrote. */
function dismissedText(message: string | null): string {
  const why = message === null ? "" : `, saying: ${message}`
  const next = "Go on with what seems best, say what you assumed, and do not ask the same again."
  return `The user dismissed the question without an answer${why}${/[.!?]$/.test(why) ? "" : "."} ${next}`
}

/** Who answered a call, as stored in its metadata; empty when unknown. */
export function answerer(by: Caller | undefined): { by?: string; byName?: string } {
  return { ...(by && { by: by.person }), ...(by?.name !== undefined && { byName: by.name }) }
}
