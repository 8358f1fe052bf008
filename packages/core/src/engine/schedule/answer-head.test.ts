import { expect, test } from "vitest"
import { createIdSource } from "../../ground/id/create-id.ts"
import { noTokens } from "../../ground/message/usage.ts"
import type { AssistantMessage, MessageWithParts } from "../../ground/schema/index.ts"
import { newTextPart, userMessageWith } from "../../test/entities.ts"
import { answerHead } from "./answer-head.ts"

const createID = createIdSource()
const sessionID = createID("session")

function assistant(text: string, created = 1): MessageWithParts {
  const info: AssistantMessage = {
    id: createID("message"),
    sessionID,
    role: "assistant",
    agent: "build",
    model: { providerID: "scripted", modelID: "one" },
    parentID: createID("message"),
    finish: "stop",
    error: null,
    cost: 0,
    tokens: noTokens,
    time: { created, completed: created },
  }
  return { info, parts: text === "" ? [] : [newTextPart(createID, info, text)] }
}

test("the answer head is the last text of the turn", () => {
  const results = userMessageWith(createID, sessionID, "[END TOOL RESULTS]")
  const messages = [assistant("/todo list"), results, assistant("Done."), assistant(""), assistant("Later.", 10)]
  expect(answerHead(messages, 9)).toBe("Done.")
  expect(answerHead(messages, null)).toBe("Later.")
  expect(answerHead([assistant("")], 9)).toBe("")
})

test("a later summary is not the answer head", () => {
  const summary = assistant("## Objective")
  const messages = [assistant("Done."), { ...summary, info: { ...summary.info, summary: true } as AssistantMessage }]
  expect(answerHead(messages, null)).toBe("Done.")
})

test("the answer head has at most 4 KiB and whole characters", () => {
  const head = answerHead([assistant(`a${"€".repeat(3_000)}`)], null)
  expect(Buffer.byteLength(head)).toBeLessThanOrEqual(4_096)
  expect(head).toBe(`a${"€".repeat(1_365)}`)
})

test("the answer head shows command results when a prompt had only commands", () => {
  const answered = assistant("")
  const result = "[/todo done 1]\nOK: completed — milk\n[END TODO]\n[END TOOL RESULTS]"
  answered.parts.push({ ...newTextPart(createID, answered.info, result), synthetic: true })
  expect(answerHead([answered], null)).toBe("/todo done 1\nOK: completed — milk")
  answered.parts[0] = { ...newTextPart(createID, answered.info, "A note."), synthetic: true }
  expect(answerHead([answered], null)).toBe("")
})
