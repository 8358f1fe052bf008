import { Writable } from "node:stream"
import type { DocketEvent, Message, Part, Session, Todo, Turn } from "@docket/core/schema"
import { noUsage, type Usage } from "@docket/core/usage"
import { describe, expect, it } from "vitest"
import { createTextOutput } from "./text-output.ts"

// Only the fields that the output reads are set; each cast stands for a full row.
const root = { id: "ses_root", depth: 0, parentID: null } as Session
const child = { id: "ses_child", depth: 1, parentID: "ses_root" } as Session

const ending = { outcome: "done", exitCode: 0, refused: 0 } as const

function collect() {
  let text = ""
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return { stream, text: () => text }
}

function start() {
  const stdout = collect()
  const stderr = collect()
  const output = createTextOutput(root, stdout.stream, stderr.stream)
  const event = (item: object) => output.handle({ rootID: "ses_root", seq: 1, ...item } as DocketEvent, false)
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    output,
    finish: (result: { turn: Turn; usage?: Usage; url?: string }) =>
      output.finish({ ...ending, sessionID: root.id, text: "", usage: null, url: null, ...result }),
    session: (info: Session) => event({ type: "session.created", properties: { info } }),
    message: (id: string, role: Message["role"], more: { sessionID?: string; summary?: boolean } = {}) =>
      event({ type: "message.updated", properties: { info: { id, role, sessionID: root.id, ...more } } }),
    part: (part: object) => event({ type: "message.part.updated", properties: { part: part as Part } }),
    delta: (partID: string, offset: number, text: string) =>
      event({
        type: "message.part.delta",
        properties: { sessionID: root.id, messageID: "msg_a", partID, offset, text },
      }),
    todos: (todos: Partial<Todo>[]) =>
      event({ type: "todo.updated", properties: { sessionID: root.id, todos: todos as Todo[] } }),
  }
}

const text = (id: string, value: string, messageID = "msg_a") => ({
  id,
  type: "text",
  sessionID: root.id,
  messageID,
  text: value,
})

describe("text output", () => {
  it("streams the answer once, as deltas or as a whole part", () => {
    const run = start()
    run.message("msg_a", "assistant")
    run.part(text("prt_1", ""))
    run.delta("prt_1", 0, "Hello ")
    run.delta("prt_1", 6, "there")
    run.part(text("prt_1", "Hello there, Ada"))
    run.part(text("prt_1", "Hello there, Ada"))
    run.finish({ turn: { status: "completed" } as Turn })
    expect(run.stdout()).toBe("Hello there, Ada\n")
  })

  it("waits for the whole part when a delta was missed", () => {
    const run = start()
    run.message("msg_a", "assistant")
    run.part(text("prt_1", "One "))
    run.delta("prt_1", 8, "three")
    run.part(text("prt_1", "One two three"))
    expect(run.stdout()).toBe("One two three")
  })

  it("leaves out what the session answers before the run's prompt", () => {
    const run = start()
    const before = (item: object) => run.output.handle({ rootID: "ses_root", seq: 1, ...item } as DocketEvent, true)
    before({ type: "message.updated", properties: { info: { id: "msg_a", role: "assistant", sessionID: root.id } } })
    before({ type: "message.part.updated", properties: { part: text("prt_1", "An answer to another.") } })
    run.part(text("prt_1", "An answer to another, at its end."))
    run.message("msg_b", "assistant")
    run.part(text("prt_2", "The answer.", "msg_b"))
    run.finish({ turn: { status: "completed" } as Turn })
    expect(run.stdout()).toBe("The answer.\n")
  })

  it("does not repeat the user's prompt", () => {
    const run = start()
    run.message("msg_u", "user")
    run.part(text("prt_u", "Do it", "msg_u"))
    expect(run.stdout()).toBe("")
  })

  it("does not print a summary of the conversation as answer", () => {
    const run = start()
    run.message("msg_s", "assistant", { summary: true })
    run.part(text("prt_s", "## Objective", "msg_s"))
    expect(run.stdout()).toBe("")
  })

  it("writes command results without their markers, once available", () => {
    const run = start()
    run.message("msg_a", "assistant")
    run.part({ ...text("p1", "The commands above are being carried out."), synthetic: true })
    expect(run.stdout()).toBe("")
    const results =
      "[/todo list]\n1 open (0 in progress, 1 pending):\n#1 [pending] milk\n[END TODO]\n[END TOOL RESULTS]"
    run.part({ ...text("p1", results), synthetic: true })
    expect(run.stdout()).toBe("/todo list\n1 open (0 in progress, 1 pending):\n#1 [pending] milk")
  })

  it("puts tool calls on stderr, a child's indented", () => {
    const run = start()
    run.session(child)
    const tool = { type: "tool", messageID: "msg_a", callID: "c", tool: "read" }
    const state = { status: "completed", title: "src/main.js", input: {}, output: "", metadata: {} }
    run.part({ ...tool, id: "prt_1", sessionID: root.id, state })
    run.part({ ...tool, id: "prt_2", sessionID: child.id, state })
    run.part({ ...tool, id: "prt_3", sessionID: root.id, state: { status: "error", error: "no such\nfile" } })
    expect(run.stderr()).toBe("✓ read src/main.js\n  ✓ read src/main.js\n✗ read no such file\n")
    expect(run.stdout()).toBe("")
  })

  it("shows the todo list whenever it changes", () => {
    const run = start()
    run.todos([
      { content: "Read", status: "completed" },
      { content: "Write", status: "in_progress" },
    ])
    expect(run.stderr()).toBe("todos 1 of 2\n  ✓ Read\n  ◐ Write\n")
  })

  it("shows why a turn failed, the usage and the page", () => {
    const run = start()
    const turn = { status: "failed", error: { message: "The key was refused." } } as Turn
    const usage = { tokens: { ...noUsage.tokens, input: 1_500 }, cost: 0.25 }
    run.finish({ turn, usage, url: "http://127.0.0.1:4180/s/ses_root" })
    expect(run.stderr()).toBe("✗ The key was refused.\n1.5K tokens · $0.25\nhttp://127.0.0.1:4180/s/ses_root\n")
  })

  it("shows a provider error's control characters escaped", () => {
    const run = start()
    const message = "\u001b[2K\rall is well"
    const place = { id: "prt_1", sessionID: root.id, messageID: "msg_a" }
    run.part({ ...place, type: "retry", attempt: 1, error: { message }, time: { created: 0 } })
    run.part({ ...place, type: "retry", attempt: 2, error: { message }, time: { created: 0 } })
    run.finish({ turn: { status: "failed", error: { message } } as Turn })
    expect(run.stderr()).toBe("retry 1: \\u{1b}[2K\\u{d}all is well\nretry 2\n✗ \\u{1b}[2K\\u{d}all is well\n")
  })
})
