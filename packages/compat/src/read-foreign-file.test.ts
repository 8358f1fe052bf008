import type { ToolPart } from "@docket/core/schema"
import { createInMemoryStore } from "@docket/core/store"
import { bytesOf, project, transfersOver } from "@docket/core/store/contract"
import { readToolCall } from "@docket/core/tool-metadata"
import { expect, it } from "vitest"
import { readForeignFile } from "./read-foreign-file.ts"

async function imported(file: string | object) {
  const store = createInMemoryStore()
  const report = await transfersOver(store, { readForeignFile }).import(bytesOf(file), { projectID: project.id })
  const sessions = await store.session.tree(report.sessionID)
  const transcripts = new Map<string, Awaited<ReturnType<typeof store.transcript.page>>["items"]>()
  for (const { id } of sessions) transcripts.set(id, (await store.transcript.page({ sessionID: id, limit: 100 })).items)
  const rootItems = transcripts.get(report.sessionID) ?? []
  const calls = rootItems.flatMap(({ parts }) => parts).filter((part): part is ToolPart => part.type === "tool")
  return { store, report, sessions, transcripts, rootItems, calls }
}

const at = (second: number) => `2026-02-01T10:00:${String(second).padStart(2, "0")}.000Z`
const usage = { input_tokens: 10, output_tokens: 4, cache_read_input_tokens: 100, cache_creation_input_tokens: 7 }
const model = "claude-sonnet-4-5"

function line(type: "user" | "assistant", uuid: string, second: number, content: unknown, more: object = {}) {
  const { message = {}, ...rest } = more as { message?: object }
  const answer = type === "assistant" ? { model, usage, id: `msg_${uuid}` } : {}
  const base = { type, uuid, sessionId: "5c44", timestamp: at(second), isSidechain: false }
  return { ...base, message: { role: type, content, ...answer, ...message }, ...rest }
}

const todos = [
  { content: "look", status: "completed", activeForm: "Looking" },
  { content: "mend", status: "in_progress", activeForm: "Mending" },
]
const claude = [
  { type: "summary", summary: "Mend the gate", leafUuid: "x" },
  { type: "file-history-snapshot", messageId: "y" },
  line("user", "u1", 1, "Please mend the gate."),
  line("assistant", "a1", 2, [{ type: "thinking", thinking: "Hm.", signature: "s" }], { message: { id: "one" } }),
  line("assistant", "a2", 3, [{ type: "text", text: "I look." }], { message: { id: "one" } }),
  line("assistant", "a3", 4, [{ type: "tool_use", id: "t1", name: "TodoWrite", input: { todos } }], {
    message: { id: "one", stop_reason: "tool_use" },
  }),
  line("user", "u2", 5, [{ type: "tool_result", tool_use_id: "t1", content: "ok" }]),
  line("assistant", "a4", 6, [
    { type: "tool_use", id: "t2", name: "Bash", input: { command: "ls", description: "List" } },
    { type: "tool_use", id: "t3", name: "Task", input: { description: "dig", prompt: "Dig.", subagent_type: "scout" } },
    { type: "hologram" },
  ]),
  line("user", "s1", 7, "Dig.", { isSidechain: true, parentUuid: null }),
  line("assistant", "s2", 8, [{ type: "text", text: "Dug." }], { isSidechain: true, parentUuid: "s1" }),
  line("user", "u3", 9, [{ type: "tool_result", tool_use_id: "t2", content: "no such", is_error: true }]),
  line("user", "u4", 10, [{ type: "tool_result", tool_use_id: "t3", content: [{ type: "text", text: "Dug." }] }]),
  line("assistant", "a5", 11, [{ type: "text", text: "Mended." }]),
]
const claudeFile = claude.map((value) => JSON.stringify(value)).join("\n")

it("imports a Claude Code session with models, tokens, calls and todos", async () => {
  const { store, report, rootItems, calls } = await imported(claudeFile)
  expect(report).toMatchObject({ from: "claude-code", title: "Mend the gate", counts: { sessions: 2, todos: 2 } })
  expect(rootItems.map(({ info }) => info.role)).toEqual(["user", "assistant", "assistant", "assistant"])
  expect(rootItems[1]?.parts.map(({ type }) => type)).toEqual(["reasoning", "text", "tool"])
  expect(rootItems[1]?.info).toMatchObject({
    model: { providerID: "anthropic", modelID: model },
    tokens: { input: 10, output: 4, cache: { read: 100, write: 7 } },
    time: { created: Date.parse(at(2)), completed: Date.parse(at(4)) },
  })
  const session = await store.session.get(report.sessionID)
  expect(session?.tokens).toMatchObject({ input: 30, output: 12 })
  expect(session?.imported).toMatchObject({ from: "claude-code" })
  expect(calls.map(({ tool, state }) => [tool, state.status])).toEqual([
    ["todowrite", "completed"],
    ["bash", "error"],
    ["task", "completed"],
  ])
  expect(calls.map((call) => readToolCall(call).metadata)).not.toContain(null)
  expect((await store.todo.list(report.sessionID)).map(({ content, status }) => [content, status])).toEqual([
    ["look", "completed"],
    ["mend", "in_progress"],
  ])
})

it("makes a child session from a side chain, and reports dropped content", async () => {
  const { store, report, sessions, transcripts } = await imported(claudeFile)
  const [, child] = sessions
  expect(child).toMatchObject({ agent: "scout", parentID: report.sessionID, depth: 1 })
  expect(transcripts.get(child?.id ?? "")?.map(({ parts }) => parts)).toMatchObject([
    [{ text: "Dig." }],
    [{ text: "Dug." }],
  ])
  expect(await store.task.tree(report.sessionID)).toMatchObject([
    { state: "completed", description: "dig", sessionID: child?.id, result: "Dug." },
  ])
  expect(report.left).toEqual([
    { what: 'lines of kind "file-history-snapshot"', count: 1 },
    { what: "blocks of unknown kinds", count: 1 },
    { what: "costs of answers (the file does not tell them)", count: 3 },
  ])
})

it("accepts a truncated Claude Code file and subagents with separate transcripts", async () => {
  const without = claude.filter((value) => !("isSidechain" in value && value.isSidechain))
  const text = `${without.map((value) => JSON.stringify(value)).join("\n")}\n{"type":"user","uu`
  const { report, sessions, transcripts } = await imported(text)
  expect(report.left).toContainEqual({ what: "lines that are no JSON", count: 1 })
  expect(report.left).toContainEqual({ what: "transcripts of subagents (they are in files of their own)", count: 1 })
  expect(transcripts.get(sessions[1]?.id ?? "")).toHaveLength(2)
})

const opencode = {
  info: { id: "ses_x", title: "Paint the gate", version: "1.2", time: { created: 1_700_000_000_000, updated: 1 } },
  messages: [
    {
      info: { id: "msg_a", sessionID: "ses_x", role: "user", agent: "plan", time: { created: 1_700_000_001_000 } },
      parts: [{ id: "prt_a", sessionID: "ses_x", messageID: "msg_a", type: "text", text: "Paint it." }],
    },
    {
      info: {
        id: "msg_b",
        sessionID: "ses_x",
        role: "assistant",
        parentID: "msg_a",
        mode: "plan",
        agent: "plan",
        modelID: "gpt-5",
        providerID: "openai",
        cost: 0.25,
        finish: "stop",
        path: { cwd: "/", root: "/" },
        tokens: { input: 5, output: 6, reasoning: 1, cache: { read: 0, write: 0 } },
        time: { created: 1_700_000_002_000, completed: 1_700_000_009_000 },
      },
      parts: [
        { id: "prt_b", type: "step-start", snapshot: "abc" },
        { id: "prt_c", type: "reasoning", text: "Red?", time: { start: 1_700_000_002_000 } },
        {
          id: "prt_d",
          type: "tool",
          callID: "c1",
          tool: "task",
          state: {
            status: "completed",
            input: { description: "mix", prompt: "Mix red.", subagent_type: "general" },
            output: "Mixed.",
            title: "mix",
            metadata: { sessionId: "ses_y" },
            time: { start: 1_700_000_003_000, end: 1_700_000_004_000 },
          },
        },
        { id: "prt_e", type: "snapshot", snapshot: "abc" },
        { id: "prt_f", type: "text", text: "Painted." },
      ],
    },
  ],
}

it("imports an opencode export with costs and tasks", async () => {
  const { store, report, sessions, rootItems, transcripts, calls } = await imported(opencode)
  expect(report).toMatchObject({ from: "opencode", title: "Paint the gate", counts: { sessions: 2, tasks: 1 } })
  expect(rootItems[1]?.info).toMatchObject({ cost: 0.25, model: { providerID: "openai", modelID: "gpt-5" } })
  expect(rootItems[1]?.parts.map(({ type }) => type)).toEqual(["step-start", "reasoning", "tool", "text"])
  expect((await store.session.get(report.sessionID))?.cost).toBe(0.25)
  expect(transcripts.get(sessions[1]?.id ?? "")?.map(({ parts }) => parts)).toMatchObject([
    [{ text: "Mix red." }],
    [{ text: "Mixed." }],
  ])
  expect(calls[0]?.state).toMatchObject({ metadata: { sessionId: sessions[1]?.id, state: "completed" } })
  expect(report.left).toEqual([
    { what: "transcripts of subagents (each is a session of its own in OpenCode)", count: 1 },
    { what: 'parts of kind "snapshot"', count: 1 },
  ])
})

it("reports the invalid part of an OpenCode file", async () => {
  const [first] = opencode.messages
  const message = { ...first, info: { ...first?.info, role: "wizard" } }
  await expect(imported({ ...opencode, messages: [message] })).rejects.toThrow(/OpenCode.*messages\.0\.info\.role/)
  await expect(imported({ ...opencode, messages: [] })).rejects.toThrow("no message")
  const before = process.memoryUsage().rss
  await expect(imported({ ...opencode, messages: Array(1_000_000).fill(0) })).rejects.toThrow(/OpenCode.*messages\.0:/)
  expect(process.memoryUsage().rss - before).toBeLessThan(250_000_000)
})
