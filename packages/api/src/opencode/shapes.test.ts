import type * as Older from "@opencode-ai/sdk"
import { expect, expectTypeOf, it } from "vitest"
import { errorShape, messageShape, partShape } from "./message-shape.ts"
import type { providerShape } from "./provider-shape.ts"
import { type sessionShape, type statusShape, todoShape } from "./session-shape.ts"

const ids = { id: "prt_1", sessionID: "ses_1", messageID: "msg_1" }
const place = { directory: "/work/app", worktree: "/work", origin: "http://127.0.0.1:4180" }

it("shapes also fit the types of the older SDK", () => {
  expectTypeOf<ReturnType<typeof sessionShape>>().toExtend<Older.Session>()
  expectTypeOf<ReturnType<typeof statusShape>>().toExtend<Older.SessionStatus>()
  expectTypeOf<ReturnType<typeof todoShape>>().toExtend<Older.Todo>()
  expectTypeOf<ReturnType<typeof partShape>>().toExtend<Older.Part>()
  expectTypeOf<ReturnType<typeof providerShape>>().toExtend<Older.Provider>()
  expectTypeOf<ReturnType<typeof providerShape>>().toExtend<Older.ProviderListResponses[200]["all"][number]>()
  const { id, sessionID } = ids
  const todo = { id, number: 1, sessionID, content: "Look", description: "", status: "pending" as const, position: 0 }
  const rest = { priority: "high" as const, agent: null, dependsOn: [], owner: null, proposed: null }
  const time = { created: 1, updated: 1, completed: null }
  expect(todoShape({ ...todo, ...rest, time })).toEqual({ id, content: "Look", status: "pending", priority: "high" })
})

it("a tool's input that is no object stays readable", () => {
  const state = {
    status: "error" as const,
    input: '{"broken',
    error: "bad JSON",
    metadata: {},
    time: { start: 1, end: 2 },
  }
  const part = partShape({ ...ids, type: "tool", callID: "call_1", tool: "read", state }, place)
  expect(part).toMatchObject({ state: { status: "error", input: { input: '{"broken' }, time: { start: 1, end: 2 } } })
})

it("a kept file is shown with an address of the service", () => {
  const hash = "a".repeat(64)
  const file = { ...ids, type: "file" as const, mime: "image/png", url: `attachment:${hash}`, filename: "a.png" }
  expect(partShape(file, place)).toEqual({ ...file, url: `${place.origin}/api/attachment/ses_1/${hash}` })
  const web = { ...file, url: "https://example.org/a.png" }
  expect(partShape(web, place)).toEqual(web)
})

it("each error has the name that OpenCode's clients know", () => {
  const shown = (name: Parameters<typeof errorShape>[0]["name"]) =>
    errorShape({ name, message: "words", statusCode: 429, retryable: true }, "openai")
  expect(shown("AbortedError")).toEqual({ name: "MessageAbortedError", data: { message: "words" } })
  expect(shown("ProviderAuthError")).toEqual({
    name: "ProviderAuthError",
    data: { providerID: "openai", message: "words" },
  })
  expect(shown("APIError")).toEqual({
    name: "APIError",
    data: { message: "words", isRetryable: true, statusCode: 429 },
  })
  expect(shown("OutputLengthError").name).toBe("MessageOutputLengthError")
  expect(shown("LimitReachedError")).toEqual({ name: "UnknownError", data: { message: "words" } })
})

it("an open message has neither an end nor an error", () => {
  const model = { providerID: "openai", modelID: "one" }
  const tokens = { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } }
  const open = { id: "msg_2", sessionID: "ses_1", role: "assistant" as const, agent: "build", model, parentID: "msg_1" }
  const shape = messageShape(
    { ...open, finish: null, error: null, cost: 0, tokens, time: { created: 1, completed: null } },
    place,
  )
  expect(shape).toEqual({
    ...{
      id: "msg_2",
      sessionID: "ses_1",
      role: "assistant",
      agent: "build",
      mode: "build",
      parentID: "msg_1",
      ...model,
    },
    ...{ cost: 0, tokens, path: { cwd: "/work/app", root: "/work" }, time: { created: 1 } },
  })
})
