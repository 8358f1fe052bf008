import { DocketError } from "../../ground/error/docket-error.ts"
import type { Inquiry } from "../../ground/rule/is-inquiry.ts"
import type { Question, QuestionAnswer } from "../../ground/schema/index.ts"

/** UTF-16 units of an answer in one's own words. */
const maxOwn = 10_000

/**
 * The answers to an inquiry as they are stored, one for each question; own words without the space around them.
 * @throws invalid_input when they do not fit its questions, or when none is answered
 */
export function checkAnswers({ questions }: Inquiry, answers: readonly QuestionAnswer[]): QuestionAnswer[] {
  if (answers.length !== questions.length)
    throw refused(`There are ${questions.length} questions and ${answers.length} answers; send one for each`)
  const checked = questions.map((question, index) => checkAnswer(question, answers[index] ?? nothing))
  if (checked.every(isNothing)) throw refused("Nothing is answered yet. Answer a question, or dismiss them all")
  return checked
}

const nothing: QuestionAnswer = { choices: [], own: null }

const isNothing = ({ choices, own }: QuestionAnswer) => choices.length === 0 && own === null

function checkAnswer({ header, options, multiple }: Question, answer: QuestionAnswer): QuestionAnswer {
  const choices = [...new Set(answer.choices)]
  const own = answer.own?.trim() || null
  for (const choice of choices) {
    if (!options.some(({ label }) => label === choice))
      throw refused(`${JSON.stringify(choice.slice(0, 100))} is no option of "${header}"`)
  }
  if (own !== null && own.length > maxOwn)
    throw refused(`The answer to "${header}" is longer than ${maxOwn} characters`)
  if (!multiple && choices.length + (own === null ? 0 : 1) > 1) throw refused(`"${header}" takes one answer`)
  return { choices, own }
}

function refused(reason: string): DocketError {
  return new DocketError("invalid_input", `${reason}.`)
}
