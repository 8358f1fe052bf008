import type { MetadataOf } from "@docket/core/tool-metadata"

type Asked = MetadataOf<"question">["questions"][number]
type Answer = NonNullable<MetadataOf<"question">["answers"]>[number]

/** A question with its answer. */
export interface AnsweredQuestion {
  header: string
  question: string
  options: (Asked["options"][number] & { chosen: boolean })[]
  /** The user's own words. */
  own: string | null
  /**
   * The whole answer on one line; "left out" when the user left this question out. Null before an answer, and after a
   * dismissal.
   */
  answer: string | null
}

/** `answers` is null while the questions are open, and after a dismissal. */
export function answeredQuestions(questions: readonly Asked[], answers: readonly Answer[] | null): AnsweredQuestion[] {
  return questions.map(({ header, question, options }, index) => {
    const { choices = [], own = null } = answers?.[index] ?? {}
    const said = [...choices, ...(own === null ? [] : [`“${own}”`])].join(", ")
    return {
      header,
      question,
      options: options.map((option) => ({ ...option, chosen: choices.includes(option.label) })),
      own,
      answer: answers === null ? null : said || "left out",
    }
  })
}
