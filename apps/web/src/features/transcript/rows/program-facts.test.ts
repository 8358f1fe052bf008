import type { MessageProgram } from "@docket/core/schema"
import { expect, test } from "vitest"
import { programFacts } from "./program-facts.ts"

const program: MessageProgram = { name: "an-agent", version: null, conversation: "1", begun: "new", outside: null }
const textsOf = (more: Partial<MessageProgram>) => programFacts({ ...program, ...more }).map(({ text }) => text)

test("a program is named with what is unusual of it", () => {
  expect(textsOf({})).toEqual(["runs an-agent"])
  expect(textsOf({ version: "1.2", begun: "resumed" })).toEqual(["runs an-agent 1.2", "went on with its conversation"])
  expect(textsOf({ begun: "inside" })).toEqual(["runs an-agent", "as a subagent of its own"])
  expect(textsOf({ begun: "told", outside: "It says so.", context: { used: 1_500, size: 200_000 } })).toEqual([
    "runs an-agent",
    "was told the transcript",
    "outside the sandbox",
    "context 1.5K of 200K",
  ])
})
