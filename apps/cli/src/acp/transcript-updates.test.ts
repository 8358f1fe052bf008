import type { Message, Part } from "@docket/core/schema"
import { expect, it } from "vitest"
import { createTranscriptUpdates } from "./transcript-updates.ts"

const at = { sessionID: "ses_1" }
const place = { root: "/p", drawsTerminals: false }
const nobody = () => false

function message(id: string, role: Message["role"], more: object = {}): Message {
  return { id, role, ...at, ...more } as Message
}

function text(id: string, messageID: string, said: string, more: object = {}): Part {
  return { id, messageID, ...at, type: "text", text: said, ...more } as Part
}

const delta = (partID: string, offset: number, said: string) => ({
  ...at,
  messageID: "msg_2",
  partID,
  offset,
  text: said,
})
const chunk = (said: string) => ({
  sessionUpdate: "agent_message_chunk",
  messageId: "prt_1",
  content: { type: "text", text: said },
})

it("an answer is sent once, whatever comes again", () => {
  const transcript = createTranscriptUpdates(place)
  transcript.message(message("msg_2", "assistant"))
  expect(transcript.part(text("prt_1", "msg_2", ""))).toEqual([])
  expect(transcript.delta(delta("prt_1", 0, "Hello"))).toEqual([chunk("Hello")])
  // A gap is filled by the whole part.
  expect(transcript.delta(delta("prt_1", 9, "all"))).toEqual([])
  expect(transcript.part(text("prt_1", "msg_2", "Hello to all"))).toEqual([chunk(" to all")])
  expect(transcript.delta(delta("prt_1", 3, "lo to all!"))).toEqual([chunk("!")])
  expect(transcript.part(text("prt_1", "msg_2", "Hello to all!"))).toEqual([])
})

it("parts that come before their message wait for it", () => {
  const transcript = createTranscriptUpdates(place)
  expect(transcript.part(text("prt_1", "msg_2", "Hello"))).toEqual([])
  expect(transcript.message(message("msg_2", "assistant"))).toEqual([chunk("Hello")])
})

it("summaries and notices are not told", () => {
  const transcript = createTranscriptUpdates(place)
  transcript.message(message("msg_2", "assistant", { summary: true }))
  expect(transcript.part(text("prt_1", "msg_2", "So far"))).toEqual([])
  transcript.message(message("msg_3", "assistant"))
  const notice = { synthetic: true, notice: { kind: "restarted" } }
  expect(transcript.part(text("prt_2", "msg_3", "Restarted", notice))).toEqual([])
})

it("only prompts of others are told, without what nobody typed", () => {
  const transcript = createTranscriptUpdates(place)
  transcript.message(message("msg_1", "user"))
  transcript.part(text("prt_1", "msg_1", "Mine"))
  transcript.message(message("msg_3", "user"))
  transcript.part(text("prt_3", "msg_3", "Theirs"))
  transcript.part(text("prt_4", "msg_3", "for the model", { synthetic: true }))
  expect(transcript.prompts(nobody, "msg_9")).toEqual([])
  expect(transcript.prompts((id) => id === "msg_1")).toEqual([
    { sessionUpdate: "user_message_chunk", messageId: "msg_3", content: { type: "text", text: "Theirs" } },
  ])
  transcript.part(text("prt_3", "msg_3", "Theirs"))
  expect(transcript.prompts(nobody)).toEqual([])
})

it("a call is told once, then by what changes", () => {
  const transcript = createTranscriptUpdates(place)
  transcript.message(message("msg_2", "assistant"))
  const call = (state: object) =>
    transcript.part({
      ...{ id: "prt_5", messageID: "msg_2", ...at, type: "tool", tool: "webfetch", callID: "call_1" },
      state: { input: { url: "x" }, metadata: {}, time: { start: 1, end: 2 }, ...state },
    } as Part)
  const running = { status: "running", title: "x" }
  const done = { status: "completed", title: "x", output: "Page" }
  expect(call(running)).toMatchObject([{ sessionUpdate: "tool_call", toolCallId: "prt_5", status: "in_progress" }])
  expect(call(running)).toEqual([])
  expect(call(done)).toEqual([
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "prt_5",
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: "```\nPage\n```" } }],
    },
  ])
  // An event that is older than the page with the call.
  expect(call(running)).toEqual([])
  // A question about it has put its own title in its place.
  expect(transcript.callAgain("prt_5")).toMatchObject([
    { toolCallId: "prt_5", title: "webfetch x", status: "completed" },
  ])
  expect(transcript.callAgain("prt_9")).toEqual([])
})
