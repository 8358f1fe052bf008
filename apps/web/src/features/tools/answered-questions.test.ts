import { expect, test } from "vitest"
import { answeredQuestions } from "./answered-questions.ts"

const options = [
  { label: "left", description: "by the river" },
  { label: "right", description: "" },
]
const way = { header: "Way", question: "Which way?", options, multiple: true }
const port = { header: "Port", question: "Which port?", options: [], multiple: false }

test("an answered question shows question, options and answer", () => {
  const answers = [
    { choices: ["left"], own: "and back" },
    { choices: [], own: null },
  ]
  const words = answeredQuestions([way, port], answers)
  expect(words.map(({ header, answer }) => `${header}: ${answer}`)).toEqual(["Way: left, “and back”", "Port: left out"])
  expect(words.map(({ options }) => options.filter(({ chosen }) => chosen).map(({ label }) => label))).toEqual([
    ["left"],
    [],
  ])
  expect(words.map(({ own }) => own)).toEqual(["and back", null])
})

test("nothing is chosen of a question that was dismissed", () => {
  const [asked] = answeredQuestions([way], null)
  expect(asked).toMatchObject({ answer: null, own: null, options: [{ chosen: false }, { chosen: false }] })
})
