import type { Question, QuestionAnswer } from "@docket/core/schema"

/** The user's draft answer to one question; `own` is the typed text. */
export interface AnswerDraft {
  choices: readonly string[]
  own: string
}

export const emptyDraft: AnswerDraft = { choices: [], own: "" }

/** The draft after a press on an option: with multiple choices it is toggled, otherwise it becomes the answer. */
export function pressed({ multiple }: Question, { choices, own }: AnswerDraft, label: string): AnswerDraft {
  if (!multiple) return { choices: [label], own: "" }
  const rest = choices.filter((choice) => choice !== label)
  return { choices: rest.length < choices.length ? rest : [...choices, label], own }
}

/** The draft with this typed text, which replaces the chosen option if only one answer is allowed. */
export function written({ multiple }: Question, { choices }: AnswerDraft, own: string): AnswerDraft {
  return { choices: multiple || own.trim() === "" ? choices : [], own }
}

export function isAnswered({ choices, own }: AnswerDraft): boolean {
  return choices.length > 0 || own.trim() !== ""
}

/** The label of the option for a digit key; null when there is none. */
export function optionOf({ options }: Question, key: string): string | null {
  return /^[1-9]$/.test(key) ? (options[Number(key) - 1]?.label ?? null) : null
}

/** The answer to send, with the choices in the order of the options. */
export function answerOf({ options }: Question, { choices, own }: AnswerDraft): QuestionAnswer {
  const labels = options.map(({ label }) => label).filter((label) => choices.includes(label))
  return { choices: labels, own: own.trim() || null }
}

/** The stored drafts for these questions, without choices that are no longer options. */
export function draftsOf(
  questions: readonly Question[],
  drafts: readonly AnswerDraft[] | null,
): readonly AnswerDraft[] {
  return questions.map(({ options }, index) => {
    const { choices, own } = drafts?.[index] ?? emptyDraft
    return { choices: choices.filter((choice) => options.some(({ label }) => label === choice)), own }
  })
}

/** Whether a stored value is a list of drafts. */
export function isDrafts(value: unknown): value is readonly AnswerDraft[] {
  return Array.isArray(value) && value.every(isDraft)
}

function isDraft(value: unknown): value is AnswerDraft {
  // The fields are checked one by one below.
  const draft = value as Partial<AnswerDraft> | null
  return (
    typeof draft?.own === "string" &&
    Array.isArray(draft.choices) &&
    draft.choices.every((choice) => typeof choice === "string")
  )
}
