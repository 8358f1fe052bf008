import type { MetadataOf } from "@docket/core/tool-metadata"

type Asked = MetadataOf<"question">["questions"][number]
type Answer = NonNullable<MetadataOf<"question">["answers"]>[number]

/** A question with what was answered to it; null while nothing is. */
export interface AnsweredQuestion {
  header: string
  question: string
  options: Asked["options"]
  answer: string | null
}

/** `answers` is null while nobody has answered, and when it was dismissed. */
export function answeredQuestions(questions: readonly Asked[], answers: readonly Answer[] | null): AnsweredQuestion[] {
  return questions.map(({ header, question, options }, index) => {
    const { choices = [], own = null } = answers?.[index] ?? {}
    const said = [...choices, ...(own === null ? [] : [`“${own}”`])].join(", ")
    return { header, question, options, answer: answers === null ? null : said || "left out" }
  })
}

/** Questions and answers as plain text; `message` went with a dismissal. */
export function questionText(questions: readonly AnsweredQuestion[], message: string | undefined): string {
  const blocks = questions.map(({ question, options, answer }) => {
    const offered = options.map(
      ({ label, description }) => `  ${label}${description === "" ? "" : ` – ${description}`}`,
    )
    return [question, ...offered, ...(answer === null ? [] : [`→ ${answer}`])].join("\n")
  })
  return [...blocks, ...(message === undefined ? [] : [`Dismissed: “${message}”`])].join("\n\n")
}
