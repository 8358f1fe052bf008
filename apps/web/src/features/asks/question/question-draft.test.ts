import type { Question } from "@docket/core/schema"
import { expect, test } from "vitest"
import { answerOf, emptyDraft, isAnswered, optionOf, pressed, written } from "./question-draft.ts"

const options = ["left", "right"].map((label) => ({ label, description: "" }))
const one: Question = { header: "Way", question: "Which way?", options, multiple: false }
const several: Question = { ...one, multiple: true }

test("a single answer is either an option or own words", () => {
  const chosen = pressed(one, pressed(one, emptyDraft, "left"), "right")
  expect(answerOf(one, chosen)).toEqual({ choices: ["right"], own: null })
  const typed = written(one, chosen, " up ")
  expect(answerOf(one, typed)).toEqual({ choices: [], own: "up" })
  expect(answerOf(one, pressed(one, typed, "left"))).toEqual({ choices: ["left"], own: null })
  expect(answerOf(one, written(one, chosen, "  "))).toEqual({ choices: ["right"], own: null })
})

test("several options can be chosen and removed, together with own words", () => {
  const both = pressed(several, pressed(several, written(several, emptyDraft, "up"), "right"), "left")
  expect(answerOf(several, both)).toEqual({ choices: ["left", "right"], own: "up" })
  expect(answerOf(several, pressed(several, both, "left"))).toEqual({ choices: ["right"], own: "up" })
})

test("a question is answered by an option or words, not by spaces", () => {
  expect([emptyDraft, written(one, emptyDraft, " "), pressed(one, emptyDraft, "left")].map(isAnswered)).toEqual([
    false,
    false,
    true,
  ])
})

test("digits stand for the options in their order", () => {
  expect(["1", "2", "3", "0", "a", "12"].map((key) => optionOf(one, key))).toEqual([
    "left",
    "right",
    null,
    null,
    null,
    null,
  ])
})
