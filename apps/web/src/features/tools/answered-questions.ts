import type { MetadataOf } from "@docket/core/tool-metadata"

type Asked = MetadataOf<"question">["questions"][number]
type Answer = NonNullable<MetadataOf<"question">["answers"]>[number]

/** A question with what was answered to it. */
export interface AnsweredQuestion {
  header: string
  question: string
  options: (Asked["options"][number] & { chosen: boolean })[]
  /** In the person's own words. */
  own: string | null
  /** The whole answer in a line; null while there is none. */
  answer: string | null
}

/** `answers` is null while nobody has answered, and when it was dismissed. */
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
