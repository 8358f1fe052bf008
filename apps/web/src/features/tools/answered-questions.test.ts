import { expect, test } from "vitest"
import { answeredQuestions, questionText } from "./answered-questions.ts"

const options = [
  { label: "left", description: "by the river" },
  { label: "right", description: "" },
]
const way = { header: "Way", question: "Which way?", options, multiple: true }
const port = { header: "Port", question: "Which port?", options: [], multiple: false }

test("an answered question shows what was asked, what could be chosen and what was", () => {
  const answers = [
    { choices: ["left"], own: "and back" },
    { choices: [], own: null },
  ]
  const words = answeredQuestions([way, port], answers)
  expect(words.map(({ header, answer }) => `${header}: ${answer}`)).toEqual(["Way: left, “and back”", "Port: left out"])
  expect(questionText(words, undefined)).toBe(
    "Which way?\n  left – by the river\n  right\n→ left, “and back”\n\nWhich port?\n→ left out",
  )
})

test("a dismissed question shows what was asked and the words that went with it", () => {
  expect(questionText(answeredQuestions([port], null), "not now")).toBe("Which port?\n\nDismissed: “not now”")
})
