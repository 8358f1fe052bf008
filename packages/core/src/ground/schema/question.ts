import * as z from "zod/mini"

/** What a person may choose as an answer. */
export const QuestionOption = z.object({ label: z.string(), description: z.string() })
export type QuestionOption = z.infer<typeof QuestionOption>

/** One question of an agent, as people read it: it holds no characters that nobody sees. */
export const Question = z.object({
  /** A word or two over it. */
  header: z.string(),
  question: z.string(),
  /** No two have the same label. None where only an answer in one's own words is wanted. */
  options: z.array(QuestionOption),
  /** Several options may be chosen, and own words beside them. */
  multiple: z.boolean(),
})
export type Question = z.infer<typeof Question>

/** What a person answers to one question: labels of its options, or their own words; neither leaves it out. */
export const QuestionAnswer = z.object({ choices: z.array(z.string()), own: z.nullable(z.string()) })
export type QuestionAnswer = z.infer<typeof QuestionAnswer>
