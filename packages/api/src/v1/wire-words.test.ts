import { events, FeedItemSchema } from "@docket/core/events"
import { coreOperations, listOperations } from "@docket/core/operations"
import { Part, PermissionRequest, PromptInput, Todo } from "@docket/core/schema"
import { expect, it } from "vitest"
import { z } from "zod"
import { wireSchema } from "./wire-schema.ts"
import { fromWire, toWire } from "./wire-value.ts"

it.each([
  ["sessionID", "session_id"],
  ["draftIDs", "draft_ids"],
  ["needsYou", "needs_you"],
  ["durationMs", "duration_ms"],
  ["already_snake", "already_snake"],
])("the field %s is %s on the wire", (name, wire) => {
  const schema = z.object({ [name]: z.number() })
  expect(toWire(schema, { [name]: 1 })).toEqual({ [wire]: 1 })
  expect(fromWire(schema, { [wire]: 1 })).toEqual({ [name]: 1 })
})

it("only names of fields change, not what users and tools keep", () => {
  const input = { filePath: "a.ts", nested: { oldString: "x" } }
  const part = {
    id: "prt_1",
    sessionID: "ses_1",
    messageID: "msg_1",
    type: "tool",
    callID: "c",
    tool: "edit",
    state: { status: "running", input, metadata: { outputPath: null }, time: { start: 1 } },
  }
  expect(toWire(Part, part)).toEqual({
    id: "prt_1",
    session_id: "ses_1",
    message_id: "msg_1",
    type: "tool",
    call_id: "c",
    tool: "edit",
    state: { status: "running", input, metadata: { outputPath: null }, time: { start: 1 } },
  })
  const byKey = z.record(z.string(), z.array(Todo.pick({ dependsOn: true })))
  expect(toWire(byKey, { someKey: [{ dependsOn: [] }] })).toEqual({ someKey: [{ depends_on: [] }] })
})

it("a field that the schema does not name keeps its value", () => {
  const schema = z.object({ aName: z.string() })
  expect(toWire(schema, { aName: "x", newField: { innerName: 1 } })).toEqual({
    a_name: "x",
    new_field: { innerName: 1 },
  })
})

it("bodies are checked and read in the words of the wire", () => {
  const body = { parts: [{ type: "text", text: "Hi" }], model: { provider_id: "p", model_id: "m" } }
  expect(fromWire(PromptInput, wireSchema(PromptInput, "body").parse(body))).toEqual({
    parts: [{ type: "text", text: "Hi" }],
    model: { providerID: "p", modelID: "m" },
  })
  const { error } = wireSchema(PromptInput, "body").safeParse({ ...body, model: { provider_id: "", model_id: "m" } })
  expect(error?.issues[0]?.path).toEqual(["model", "provider_id"])
  const Trimmed = z.object({ aTitle: z.string().trim().min(1).max(3), aList: z.array(z.string()).max(1).default([]) })
  expect(wireSchema(Trimmed, "body").parse({ a_title: " ab " })).toEqual({ a_title: "ab", a_list: [] })
  expect(wireSchema(Trimmed, "body").safeParse({ a_title: "abcd" }).success).toBe(false)
  expect(wireSchema(Trimmed, "body").safeParse({ a_title: "a", a_list: ["x", "y"] }).success).toBe(false)
})

it("an answer fits the schema that describes it", () => {
  const request = {
    id: "per_0123456789abABCDEFGHIJKLMN",
    rootID: "ses_0123456789abABCDEFGHIJKLMN",
    sessionID: "ses_0123456789abABCDEFGHIJKLMN",
    messageID: null,
    callID: null,
    permission: "question",
    patterns: [],
    always: [],
    metadata: {
      kind: "question",
      questions: [{ header: "H", question: "Q", options: [{ label: "A", description: "B" }], multiple: false }],
    },
    status: "pending",
    message: null,
    time: { created: 1, replied: null },
  }
  const event = { type: "permission.asked", rootID: request.rootID, seq: 3, properties: { request } }
  const wire = wireSchema(FeedItemSchema, "answer").parse(toWire(FeedItemSchema, event))
  expect(wire).toMatchObject({ root_id: request.rootID, properties: { request: { session_id: request.sessionID } } })
  expect(PermissionRequest.parse(fromWire(PermissionRequest, Object(wire).properties.request))).toEqual(request)
})

it("every answer and body of an operation, and every event, has words", () => {
  expect(Object.keys(events).length).toBeGreaterThan(30)
  wireSchema(FeedItemSchema, "answer")
  for (const [, { rest }] of listOperations(coreOperations)) {
    if (rest === undefined) continue
    expect(oddFields(wireSchema(rest.answer.schema, "answer")), rest.path).toEqual([])
    if (rest.body) expect(oddFields(wireSchema(rest.body, "body")), rest.path).toEqual([])
  }
})

/** The names of fields in a schema that are not in snake_case. */
function oddFields(schema: z.ZodType): string[] {
  const names: string[] = []
  z.toJSONSchema(schema, {
    unrepresentable: "any",
    override: ({ jsonSchema }) => void names.push(...Object.keys(jsonSchema.properties ?? {})),
  })
  return names.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))
}
