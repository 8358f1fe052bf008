import { expect, test } from "vitest"
import { newSession, userMessageWith } from "../../test/entities.ts"
import { createIdSource } from "../id/create-id.ts"
import type { AssistantMessage, MessageWithParts, Part } from "../schema/index.ts"
import { modelInputs } from "./model-inputs.ts"
import { toModelPrompt } from "./to-model-prompt.ts"
import { noTokens } from "./usage.ts"

const createID = createIdSource()
const session = newSession(createID)
const model = { providerID: "scripted", modelID: "one" }
const user = userMessageWith(createID, session.id, "Hello")

type Draft = Part extends infer T ? (T extends Part ? Omit<T, "id" | "sessionID" | "messageID"> : never) : never

function assistant(change: Partial<AssistantMessage>, ...drafts: Draft[]): MessageWithParts {
  const id = createID("message")
  const info: AssistantMessage = {
    id,
    sessionID: session.id,
    role: "assistant",
    parentID: user.info.id,
    agent: "build",
    model,
    finish: "stop",
    error: null,
    cost: 0,
    tokens: noTokens,
    time: { created: 1, completed: 2 },
    ...change,
  }
  // The spread of a union loses which member it was.
  const parts = drafts.map(
    (draft) => ({ ...draft, id: createID("part"), sessionID: session.id, messageID: id }) as Part,
  )
  return { info, parts }
}

const call = (state: Extract<Part, { type: "tool" }>["state"]): Draft => ({
  type: "tool",
  callID: "c1",
  tool: "read",
  state,
})
const time = { start: 1, end: 2 }
const failed = (name: "AbortedError" | "APIError") => ({ name, message: "x", statusCode: null, retryable: false })

test("every tool call has a result, also when it never finished", () => {
  const states = [
    { status: "completed", input: { a: 1 }, output: "text", title: "t", metadata: {}, time },
    { status: "completed", input: {}, output: "old", title: "t", metadata: {}, time: { ...time, compacted: 3 } },
    { status: "error", input: "not json", error: "bad", metadata: {}, time },
    { status: "running", input: {}, metadata: {}, time: { start: 1 } },
    { status: "pending", input: {}, raw: "{" },
  ] as const
  const outputs = states.map((state) => {
    const [asked, answered] = toModelPrompt([assistant({}, call(state))], model)
    expect(asked).toMatchObject({ role: "assistant", content: [{ type: "tool-call", input: expect.any(Object) }] })
    return answered?.role === "tool" && answered.content[0]?.type === "tool-result" ? answered.content[0].output : null
  })
  expect(outputs).toEqual([
    { type: "text", value: "text" },
    { type: "text", value: "[Old tool result content cleared]" },
    { type: "error-text", value: "bad" },
    { type: "error-text", value: "[The tool call was interrupted]" },
    { type: "error-text", value: "[The tool call was interrupted]" },
  ])
})

test("a failed answer is left out, a stopped one keeps its text", () => {
  const text: Draft = { type: "text", text: "partial" }
  expect(toModelPrompt([user, assistant({ error: failed("APIError") }, text)], model)).toHaveLength(1)
  expect(toModelPrompt([user, assistant({ error: failed("AbortedError") }, text)], model)).toHaveLength(2)
  expect(toModelPrompt([user, assistant({ error: failed("AbortedError") })], model)).toHaveLength(1)
})

test("reasoning and provider metadata return only to their own model", () => {
  const message = assistant(
    {},
    { type: "reasoning", text: "hm", time, providerMetadata: { anthropic: { signature: "s" } } },
    { type: "text", text: "So.", providerMetadata: { openai: { itemId: "i" } } },
  )
  expect(toModelPrompt([message], model)).toEqual([
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm", providerOptions: { anthropic: { signature: "s" } } },
        { type: "text", text: "So.", providerOptions: { openai: { itemId: "i" } } },
      ],
    },
  ])
  expect(toModelPrompt([message], { ...model, modelID: "two" })).toEqual([
    { role: "assistant", content: [{ type: "text", text: "So." }] },
  ])
})

test("a compaction summary stands for what came before it", () => {
  const summary = assistant({ summary: true }, { type: "text", text: "All so far." })
  expect(toModelPrompt([summary], model)).toEqual([
    { role: "user", content: [{ type: "text", text: "Summary of the conversation so far:\n\nAll so far." }] },
  ])
})

test("files that a call returned follow its result, until that is cleared", () => {
  const png = `data:image/png;base64,${Buffer.from("\x89PNG\r\n", "latin1").toString("base64")}`
  const attachments = [{ mime: "image/png", url: png, filename: "a.png" }]
  const state = {
    status: "completed",
    input: {},
    output: "A picture.",
    attachments,
    title: "a.png",
    metadata: {},
    time,
  } as const
  const [, result, files] = toModelPrompt([assistant({}, call(state))], model)
  expect(result).toMatchObject({ role: "tool" })
  expect(files).toEqual({
    role: "user",
    content: [
      { type: "text", text: "What read returned (a.png):" },
      { type: "file", mediaType: "image/png", filename: "a.png", data: { type: "data", data: expect.any(String) } },
    ],
  })
  const blind = toModelPrompt([assistant({}, call(state))], model, { inputs: modelInputs("@ai-sdk/anthropic", [], {}) })
  expect(JSON.stringify(blind.at(-1))).toContain(
    "A tool returned [picture: a.png, 1 KB], which this model cannot read.",
  )
  const cleared = { ...state, time: { ...time, compacted: 3 } }
  expect(toModelPrompt([assistant({}, call(cleared))], model)).toHaveLength(2)
})
