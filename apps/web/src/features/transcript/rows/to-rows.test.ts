import type { AssistantMessage, MessageWithParts, Part, ToolState, UserMessage } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import { retryMessage } from "./retry-messages.ts"
import { stepPart } from "./row.ts"
import { toRows } from "./to-rows.ts"

const model = { providerID: "test", modelID: "m" }
const tokens = { input: 10, output: 5, reasoning: 0, cache: { read: 1, write: 0 } }
const ended = { atEnd: true, busy: false }
const running = { atEnd: true, busy: true }

function user(id: string, ...parts: Part[]): MessageWithParts {
  const info: UserMessage = { id, sessionID: "ses_1", agent: "build", model, role: "user", time: { created: 1_000 } }
  return { info, parts }
}

function assistant(id: string, over: Partial<AssistantMessage>, ...parts: Part[]): MessageWithParts {
  const info: AssistantMessage = {
    id,
    sessionID: "ses_1",
    agent: "build",
    model,
    role: "assistant",
    parentID: "msg_1",
    finish: "stop",
    error: null,
    cost: 0.5,
    tokens,
    time: { created: 2_000, completed: 5_000 },
    ...over,
  }
  return { info, parts }
}

const base = { sessionID: "ses_1", messageID: "msg_x" }
const text = (id: string, value: string) => ({ ...base, id, type: "text" as const, text: value })
const finish = (id: string): Part => ({ ...base, id, type: "step-finish", reason: "stop", tokens, cost: 0.25 })
const done: ToolState = {
  status: "completed",
  input: {},
  output: "",
  title: "",
  metadata: {},
  time: { start: 1, end: 2 },
}
const tool = (id: string, name: string, state: ToolState = done): Part => ({
  ...base,
  id,
  type: "tool",
  callID: `call_${id}`,
  tool: name,
  state,
})
const kinds = (messages: MessageWithParts[], context = ended) => toRows(messages, context).map((row) => row.kind)

describe("toRows", () => {
  it("shows a summary without the text repeated for the model", () => {
    const kept = { ...text("prt_2", "[user]\nGo"), synthetic: true }
    const summary = assistant("msg_3", { agent: "compaction", summary: true }, text("prt_1", "The summary."), kept)
    const marker: Part = { ...base, id: "prt_0", type: "compaction", auto: true }
    const rows = toRows([user("msg_2", marker), summary], ended)
    expect(rows.map((row) => [row.kind, row.key])).toEqual([
      ["compaction", "prt_0"],
      ["part", "prt_1"],
      ["meta", "msg_3:meta"],
    ])
  })

  it("shows command results below their prompt, without Docket's other text", () => {
    const results = { ...text("prt_2", "[/todo list]\n(no todos)\n[END TODO]\n[END TOOL RESULTS]"), synthetic: true }
    const note = { ...text("prt_3", "For the model."), synthetic: true }
    const rows = toRows([user("msg_1", text("prt_1", "Go\n/todo list"), results, note)], ended)
    expect(rows.map((row) => [row.kind, row.key])).toEqual([
      ["prompt", "msg_1"],
      ["part", "prt_2"],
    ])
  })

  it("shows below a prompt which content the model does not read", () => {
    const said = "A text is too long."
    const notice = { ...text("prt_2", said), synthetic: true, notice: { kind: "window" as const, text: said } }
    const rows = toRows([user("msg_1", text("prt_1", "Read this"), notice)], ended)
    expect(rows.map((row) => [row.kind, row.key])).toEqual([
      ["prompt", "msg_1"],
      ["part", "prt_2"],
    ])
  })

  it("shows people's comments on a task without the model's preamble", () => {
    const context = { ...text("prt_1", "[DELEGATION CONTEXT]\n[END DELEGATION CONTEXT]"), synthetic: true }
    const said: Part = {
      ...text("prt_2", "For the model."),
      synthetic: true,
      notice: { kind: "message", from: { kind: "person" }, text: "Mend it." },
    }
    const [row] = toRows([user("msg_1", context, said)], ended)
    expect(row).toMatchObject({ kind: "prompt", synthetic: true, parts: [{ id: "prt_2" }] })
  })

  it("lays out a turn: prompt, parts and a line of sums", () => {
    const rows = toRows(
      [
        user("msg_1", text("prt_1", "hi")),
        assistant("msg_2", {}, tool("prt_2", "read"), finish("prt_3")),
        assistant("msg_3", { time: { created: 5_000, completed: 9_000 } }, text("prt_4", "done")),
      ],
      ended,
    )
    expect(rows.map((row) => row.kind)).toEqual(["prompt", "part", "part", "meta"])
    expect(rows[1]).toMatchObject({ step: { tokens: 16, cost: 0.25 } })
    expect(rows[3]).toMatchObject({ totals: { tokens: 32, cost: 1, elapsed: 8_000, steps: 2 } })
  })

  it("marks where steps begin, except the first step of a turn", () => {
    const error = { name: "APIError" as const, message: "Overloaded", statusCode: 529, retryable: true }
    const retry: Part = { ...base, id: "prt_0", type: "retry", attempt: 1, error, time: { created: 1 } }
    const rows = toRows(
      [
        user("msg_1", text("prt_1", "hi")),
        assistant("msg_2", { error }, text("prt_2", "half")),
        assistant("msg_3", {}, retry, text("prt_3", "whole"), tool("prt_4", "bash")),
        assistant("msg_4", {}, tool("prt_5", "bash"), text("prt_6", "more")),
        assistant("msg_5", {}, tool("prt_7", "task"), tool("prt_8", "task")),
      ],
      ended,
    )
    expect(rows.flatMap((row) => stepPart(row)?.id ?? [])).toEqual(["prt_5", "prt_7"])
  })

  it("shows no figures for a step that used nothing", () => {
    const none = {
      ...finish("prt_3"),
      cost: 0,
      tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
    }
    const [, row] = toRows(
      [user("msg_1", text("prt_1", "hi")), assistant("msg_2", {}, tool("prt_2", "read"), none)],
      ended,
    )
    expect(row).toMatchObject({ kind: "part", step: null })
  })

  it("leaves empty text, snapshots and step marks out", () => {
    const parts: Part[] = [text("prt_2", " "), { ...base, id: "prt_3", type: "step-start" }]
    expect(kinds([user("msg_1", text("prt_1", "hi")), assistant("msg_2", {}, ...parts)])).toEqual(["prompt", "meta"])
  })

  it("marks only the last part of the running answer as streaming", () => {
    const open = { time: { created: 2_000, completed: null } }
    const messages = [
      user("msg_1", text("prt_1", "x")),
      assistant("msg_2", open, text("prt_2", "a"), text("prt_3", "b")),
    ]
    expect(toRows(messages, running).filter((row) => row.kind === "part" && row.streaming)).toMatchObject([
      { key: "prt_3" },
    ])
    expect(toRows(messages, ended).some((row) => row.kind === "part" && row.streaming)).toBe(false)
  })

  it("waits while nothing has been written yet", () => {
    expect(kinds([user("msg_1", text("prt_1", "hi"))], running)).toEqual(["prompt", "waiting"])
  })

  it("shows no waiting row while a call shows its own progress", () => {
    const open = { time: { created: 2_000, completed: null } }
    const runs: ToolState = { status: "running", input: {}, metadata: {}, time: { start: 1 } }
    const prompt = user("msg_1", text("prt_1", "hi"))
    expect(kinds([prompt, assistant("msg_2", open, tool("prt_2", "bash", runs), finish("prt_3"))], running)).toEqual([
      "prompt",
      "part",
    ])
    expect(kinds([prompt, assistant("msg_2", open, tool("prt_2", "bash"), finish("prt_3"))], running)).toEqual([
      "prompt",
      "part",
      "waiting",
    ])
  })

  it("shows an error after the parts it cut off", () => {
    const error = { name: "AbortedError" as const, message: "stopped", statusCode: null, retryable: false }
    expect(kinds([user("msg_1", text("prt_1", "hi")), assistant("msg_2", { error }, text("prt_2", "half"))])).toEqual([
      "prompt",
      "part",
      "error",
      "meta",
    ])
  })

  it("counts failed attempts in one row until one succeeds", () => {
    const error = { name: "APIError" as const, message: "Overloaded", statusCode: 529, retryable: true }
    const retry = (attempt: number): Part => {
      return { ...base, id: `prt_${attempt}`, type: "retry", attempt, error, time: { created: 1 } }
    }
    const open = { time: { created: 2_000, completed: null } }
    const rows = toRows([assistant("msg_2", open, retry(1), retry(2))], running)
    expect(rows.map((row) => [row.kind, row.key])).toEqual([["retry", "prt_1"]])
    expect(rows.flatMap((row) => (row.kind === "retry" ? [retryMessage(row)] : []))).toEqual([
      { failed: "2 attempts failed", reason: "Overloaded.", next: "Attempt 3" },
    ])
    const answered = toRows([assistant("msg_2", {}, retry(1), retry(2), text("prt_3", "hi"))], ended)
    expect(answered.map(({ kind }) => kind)).toEqual(["retry", "part", "meta"])
    expect(answered[0]).toMatchObject({ over: true })
    // Output of an attempt before its stream was cut stays; the attempts are counted at the last one.
    const cut = [
      assistant("msg_2", { error }, text("prt_a", "half")),
      assistant("msg_3", { error }, retry(1), text("prt_b", "hal")),
      assistant("msg_4", open, retry(2)),
    ]
    expect(kinds(cut, running)).toEqual(["part", "part", "retry"])
    const last = [...cut.slice(0, 2), assistant("msg_4", { error }, retry(2))]
    expect(kinds(last)).toEqual(["part", "part", "retry", "error", "meta"])
  })

  it("groups the tasks of one answer in a row, except single ones", () => {
    const answer = assistant(
      "msg_2",
      {},
      text("prt_2", "go"),
      tool("prt_3", "task"),
      tool("prt_4", "read"),
      tool("prt_5", "task"),
      finish("prt_6"),
    )
    const rows = toRows([user("msg_1", text("prt_1", "hi")), answer], ended)
    expect(rows.map((row) => [row.kind, row.key])).toEqual([
      ["prompt", "msg_1"],
      ["part", "prt_2"],
      ["lanes", "prt_3:lanes"],
      ["part", "prt_4"],
      ["meta", "msg_2:meta"],
    ])
    expect(rows[2]).toMatchObject({ tasks: [{ id: "prt_3" }, { id: "prt_5" }], step: { tokens: 16, cost: 0.25 } })
    expect(kinds([assistant("msg_2", {}, tool("prt_3", "task"))])).toEqual(["part", "meta"])
  })

  it("keeps the identity of grouped tasks while the answer goes on", () => {
    const open = { time: { created: 2_000, completed: null } }
    const tasks = [tool("prt_3", "task"), tool("prt_4", "task")]
    const before = toRows([assistant("msg_2", open, ...tasks, text("prt_5", "a"))], running)
    const after = toRows([assistant("msg_2", open, ...tasks, text("prt_5", "ab"))], { ...running, previous: before })
    expect(after[0]).toBe(before[0])
  })

  it("keeps the identity of unchanged rows and of an unchanged list", () => {
    const messages = [
      user("msg_1", text("prt_1", "hi")),
      assistant("msg_2", {}, text("prt_2", "a"), text("prt_3", "b")),
    ]
    const before = toRows(messages, ended)
    expect(toRows([...messages], { ...ended, previous: before })).toBe(before)
    const [prompt, answer] = messages as [MessageWithParts, MessageWithParts]
    const changed = { info: answer.info, parts: [answer.parts[0] as Part, text("prt_3", "bb")] }
    const after = toRows([prompt, changed], { ...ended, previous: before })
    expect(after.map((row, index) => row === before[index])).toEqual([true, true, false, true])
  })

  it("sums nothing when the prompt of the turn is not loaded", () => {
    expect(toRows([assistant("msg_2", {}, text("prt_2", "a"))], ended).at(-1)).toMatchObject({
      kind: "meta",
      totals: null,
      prompt: null,
    })
  })

  it("the meta row has a person's prompt, never Docket's own", () => {
    const answer = assistant("msg_2", {}, text("prt_2", "a"))
    const promptOf = (asked: MessageWithParts) => {
      const last = toRows([asked, answer], ended).at(-1)
      return last?.kind === "meta" ? last.prompt : undefined
    }
    const typed = user("msg_1", text("prt_1", "hi"))
    expect(promptOf(typed)).toBe(typed)
    expect(promptOf(user("msg_1", { ...text("prt_1", "Go on"), synthetic: true }))).toBeNull()
  })
})
