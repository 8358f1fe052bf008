import type { Question } from "@docket/core/schema"
import { expect, it } from "vitest"
import { permissionAnswer, permissionOptions, questionAnswer, questionOptions } from "./permission-options.ts"

const request = (permission: string, patterns: string[]) => ({ permission, patterns, always: patterns })

it.each([
  ["edit", ["src/a.ts"], ["once", "always", "project", "reject"]],
  // Docket's own configuration is allowed session by session.
  ["edit", ["docket.json"], ["once", "always", "reject"]],
  ["doom_loop", ["bash"], ["once", "always", "reject"]],
])("%s of %o offers %o", (permission, patterns, offered) => {
  expect(permissionOptions(request(permission, patterns)).map(({ optionId }) => optionId)).toEqual(offered)
})

it.each([
  ["once", { reply: "once" }],
  ["always", { reply: "always" }],
  ["project", { reply: "always", within: "project" }],
  ["reject", { reply: "reject" }],
  ["constructor", { reply: "reject" }],
  ["anything", { reply: "reject" }],
])("the answer %s is %o", (optionId, answer) => {
  expect(permissionAnswer(optionId)).toEqual(answer)
})

const question: Pick<Question, "options"> = {
  options: [
    { label: "Red", description: "" },
    { label: "Blue", description: "" },
  ],
}

it("a question offers its options, and no answer", () => {
  expect(questionOptions(question)).toEqual([
    { optionId: "0", kind: "allow_once", name: "Red" },
    { optionId: "1", kind: "allow_once", name: "Blue" },
    { optionId: "leave", kind: "reject_once", name: "No answer" },
  ])
})

it.each([
  ["1", { choices: ["Blue"], own: null }],
  ["leave", null],
  ["2", null],
  ["toString", null],
])("the option %s of a question means %o", (optionId, answer) => {
  expect(questionAnswer(question, optionId)).toEqual(answer)
})
