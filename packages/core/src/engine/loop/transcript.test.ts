import { expect, test } from "vitest"
import { createIdSource } from "../../ground/id/create-id.ts"
import { modelInputs } from "../../ground/message/model-inputs.ts"
import type { MessageWithParts, ToolPart } from "../../ground/schema/index.ts"
import { newSession, userMessageWith } from "../../test/entities.ts"
import { countedTokens, fitWindow } from "../compaction/fit-window.ts"
import { createTranscript } from "./transcript.ts"

const createID = createIdSource()
const session = newSession(createID)
const model = { providerID: "scripted", modelID: "one" }
const target = { model, inputs: modelInputs("", [], {}) }

function call(messageID: string, compacted?: number): ToolPart {
  const place = { id: createID("part"), sessionID: session.id, messageID }
  const time = { start: 1, end: 2, ...(compacted !== undefined && { compacted }) }
  const state = { status: "completed", input: {}, output: "text", title: "", metadata: {}, time } as const
  return { ...place, type: "tool", callID: place.id, tool: "read", state }
}

test("a transcript knows when outputs were cleared last, from rows and changes", () => {
  const user = userMessageWith(createID, session.id, "Hello")
  const begun = createTranscript([{ ...user, parts: [...user.parts, call(user.info.id, 5), call(user.info.id, 3)] }])
  expect(begun.clearedAt()).toBe(5)
  begun.putPart(call(user.info.id))
  expect(begun.clearedAt()).toBe(5)
  begun.putPart(call(user.info.id, 9))
  expect(begun.clearedAt()).toBe(9)
  expect(createTranscript([user]).clearedAt()).toBe(0)
})

test("a step looks into no message that an earlier step has looked into", () => {
  let looks = 0
  const watched = ({ info, parts }: MessageWithParts): MessageWithParts => ({
    info,
    get parts() {
      looks += 1
      return parts
    },
  })
  const messages = Array.from({ length: 500 }, (_, n) => watched(userMessageWith(createID, session.id, `Say ${n}`)))
  const transcript = createTranscript(messages)
  const step = () => {
    const { tokens } = fitWindow({ prompt: transcript.prompt(target) }, { context: 100_000, output: 4_000 })
    return [tokens, countedTokens(transcript, model)]
  }
  const first = step()
  const looked = looks
  expect(looked).toBeGreaterThanOrEqual(messages.length)
  expect(step()).toEqual(first)
  expect(looks).toBe(looked)
})
