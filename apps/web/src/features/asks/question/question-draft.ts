import type { Question, QuestionAnswer } from "@docket/core/schema"

/** What a person has put into the card so far for one question; `own` as it was typed. */
export interface AnswerDraft {
  choices: readonly string[]
  own: string
}

export const emptyDraft: AnswerDraft = { choices: [], own: "" }

/** The draft once an option was pressed: of several it is added or taken back, else it is the answer. */
export function pressed({ multiple }: Question, { choices, own }: AnswerDraft, label: string): AnswerDraft {
  if (!multiple) return { choices: [label], own: "" }
  const rest = choices.filter((choice) => choice !== label)
  return { choices: rest.length < choices.length ? rest : [...choices, label], own }
}

/** The draft with these own words, which are the answer where only one is wanted. */
export function written({ multiple }: Question, { choices }: AnswerDraft, own: string): AnswerDraft {
  return { choices: multiple || own.trim() === "" ? choices : [], own }
}

export function isAnswered({ choices, own }: AnswerDraft): boolean {
  return choices.length > 0 || own.trim() !== ""
}

/** The label of the option that a digit key stands for; null when there is none. */
export function optionOf({ options }: Question, key: string): string | null {
  return /^[1-9]$/.test(key) ? (options[Number(key) - 1]?.label ?? null) : null
}

/** What is sent, in the order in which the options stand. */
export function answerOf({ options }: Question, { choices, own }: AnswerDraft): QuestionAnswer {
  const labels = options.map(({ label }) => label).filter((label) => choices.includes(label))
  return { choices: labels, own: own.trim() || null }
}

/** What was begun for these questions, as far as it fits their options. */
export function draftsOf(questions: readonly Question[], begun: readonly AnswerDraft[] | null): readonly AnswerDraft[] {
  return questions.map(({ options }, index) => {
    const { choices, own } = begun?.[index] ?? emptyDraft
    return { choices: choices.filter((choice) => options.some(({ label }) => label === choice)), own }
  })
}

/** Whether what a tab kept are drafts. */
export function isDrafts(value: unknown): value is readonly AnswerDraft[] {
  return Array.isArray(value) && value.every(isDraft)
}

function isDraft(value: unknown): value is AnswerDraft {
  // Its fields are looked at one by one below.
  const draft = value as Partial<AnswerDraft> | null
  return (
    typeof draft?.own === "string" &&
    Array.isArray(draft.choices) &&
    draft.choices.every((choice) => typeof choice === "string")
  )
}
