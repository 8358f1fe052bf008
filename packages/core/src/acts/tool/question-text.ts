import type { Question, QuestionAnswer } from "../../ground/schema/index.ts"

/** What the model reads of the answers to its questions. */
export function answersText(questions: readonly Question[], answers: readonly QuestionAnswer[]): string {
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

/** What the model reads when nobody answers. `message` are the user's words with it. */
export function dismissedText(message: string | null): string {
  const why = message === null ? "" : `, saying: ${message}`
  const next = "Go on with what seems best, say what you assumed, and do not ask the same again."
  return `The user dismissed the question without an answer${why}${/[.!?]$/.test(why) ? "" : "."} ${next}`
}
