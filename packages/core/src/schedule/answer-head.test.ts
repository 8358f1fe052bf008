import { expect, test } from "vitest"
import { createIdSource } from "../id/create-id.ts"
import { noTokens } from "../message/token-usage.ts"
import type { AssistantMessage, MessageWithParts } from "../schema/index.ts"
import { newTextPart, userMessageWith } from "../test/entities.ts"
import { answerHead } from "./answer-head.ts"

const createID = createIdSource()
const sessionID = createID("session")

function assistant(text: string): MessageWithParts {
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
    time: { created: 1, completed: 2 },
  }
  return { info, parts: text === "" ? [] : [newTextPart(createID, info, text)] }
}

test("the last text of the turn, not of the one after it", () => {
  const messages = [
    assistant("First."),
    assistant("Done."),
    assistant(""),
    userMessageWith(createID, sessionID, "Next?"),
  ]
  expect(answerHead([...messages, assistant("Later.")])).toBe("Done.")
  expect(answerHead([assistant("")])).toBe("")
})

test("at most 4 KiB and no half character", () => {
  const head = answerHead([assistant(`a${"€".repeat(3_000)}`)])
  expect(Buffer.byteLength(head)).toBeLessThanOrEqual(4_096)
  expect(head).toBe(`a${"€".repeat(1_365)}`)
})
