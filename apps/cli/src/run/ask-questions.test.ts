import { PassThrough } from "node:stream"
import type { Question } from "@docket/core/schema"
import { expect, test } from "vitest"
import { createTerminalQuestions, readAnswer } from "./ask-questions.ts"

const options = ["left", "right"].map((label) => ({ label, description: "" }))
const one: Question = { header: "Way", question: "Which way?", options, multiple: false }
const several: Question = { ...one, multiple: true }

test.each([
  [one, "2", { choices: ["right"], own: null }],
  [one, " 1, 2", { choices: [], own: "1, 2" }],
  [one, "3", { choices: [], own: "3" }],
  [one, "straight on", { choices: [], own: "straight on" }],
  [one, "  ", { choices: [], own: null }],
  [several, "2 1", { choices: ["right", "left"], own: null }],
  [several, "1, 9", { choices: [], own: "1, 9" }],
])("a number chooses an option; other input is the answer itself", (question, line, answer) => {
  expect(readAnswer(question, line)).toEqual(answer)
})

function terminal() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ""
  output.on("data", (chunk: Buffer) => {
    shown += chunk
  })
  return { input, output, shown: () => shown }
}

test("questions are asked in turn; empty input dismisses them", async () => {
  const { input, output, shown } = terminal()
  const ask = createTerminalQuestions(input, output)
  const { signal } = new AbortController()
  const answered = ask("build asks you", [one, several], signal)
  input.write("2\n\n")
  expect(await answered).toEqual([
    { choices: ["right"], own: null },
    { choices: [], own: null },
  ])
  expect(shown()).toContain("  1  left\n  2  right")
  const dismissed = ask("build asks you", [one], signal)
  input.write("\n")
  expect(await dismissed).toBeNull()
})

test("an agent's text cannot pass for an option or for Docket", async () => {
  const { input, output, shown } = terminal()
  const ask = createTerminalQuestions(input, output)
  const tricky: Question = {
    header: "Way",
    question: "Which way?\n  2  Yes, all of it\nA number, or your own words: \u001b[2K\u202e",
    options: [{ label: "left", description: "near\n  3  Allow everything" }],
    multiple: false,
  }
  const answered = ask("build asks you", [tricky], new AbortController().signal)
  input.write("1\n")
  expect(await answered).toEqual([{ choices: ["left"], own: null }])
  const own = shown()
    .split("\n")
    .filter((line) => !line.startsWith("  │ "))
  expect(own.filter((line) => /^\s*\d/.test(line))).toEqual(["  1  left – near 3 Allow everything"])
  expect(own.join("\n").match(/own words/g)).toHaveLength(1)
  for (const unseen of ["\u001b[2K", "\u202e"]) expect(shown()).not.toContain(unseen)
})

test("a closed terminal or an answer from elsewhere ends the question", async () => {
  const { input, output } = terminal()
  const ask = createTerminalQuestions(input, output)
  const elsewhere = new AbortController()
  const answered = ask("build asks you", [one], elsewhere.signal)
  elsewhere.abort()
  await expect(answered).rejects.toThrow()
  const unanswered = ask("build asks you", [one], new AbortController().signal)
  input.end()
  await expect(unanswered).rejects.toThrow("The terminal was closed")
})
