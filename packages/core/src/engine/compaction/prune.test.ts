import { expect, test } from "vitest"
import type { MessageWithParts, ToolPart } from "../../ground/schema/index.ts"
import { answer, lastUserText, scriptedRuntime, usage } from "../../test/scripted-runtime.ts"
import { prunableCalls } from "./prune.ts"

let made = 0

function asked(text: string, synthetic = false): MessageWithParts {
  const id = `msg_${made++}`
  const info = { id, sessionID: "ses_1", role: "user" as const, agent: "build", model, time: { created: 0 } }
  return { info, parts: [{ id: `prt_${made++}`, sessionID: "ses_1", messageID: id, type: "text", text, synthetic }] }
}

const model = { providerID: "scripted", modelID: "one" }

/** An answer with one call whose output has this many tokens. */
function called(tokens: number): MessageWithParts {
  const id = `msg_${made++}`
  const call: ToolPart = {
    id: `prt_${made++}`,
    sessionID: "ses_1",
    messageID: id,
    type: "tool",
    callID: `call_${made++}`,
    tool: "read",
    state: {
      status: "completed",
      input: {},
      output: "abcd".repeat(tokens),
      title: "",
      metadata: {},
      time: { start: 0, end: 0 },
    },
  }
  const info: MessageWithParts["info"] = {
    id,
    sessionID: "ses_1",
    role: "assistant",
    parentID: "msg_0",
    agent: "build",
    model,
    finish: "tool-calls",
    error: null,
    summary: false,
    cost: 0,
    tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
    time: { created: 0, completed: 0 },
  }
  return { info, parts: [call] }
}

const callsOf = (message: MessageWithParts) => message.parts.filter((part) => part.type === "tool")

test("before the last two turns, outputs beyond 40,000 tokens are cleared", () => {
  const old = [called(15_000), called(10_000)]
  const kept = [called(20_000), called(20_000)]
  const transcript = [asked("one"), ...old, ...kept, asked("two"), called(90_000), asked("three"), called(90_000)]
  expect(prunableCalls(transcript)).toEqual(old.flatMap(callsOf))
})

test("outputs of less than 20,000 tokens are not cleared", () => {
  const transcript = [asked("one"), called(19_999), called(40_000), asked("two"), asked("three")]
  expect(prunableCalls(transcript)).toEqual([])
})

test("Docket's own messages do not begin another turn", () => {
  const transcript = [asked("one"), called(90_000), asked("a note", true), called(90_000), asked("two")]
  expect(prunableCalls(transcript)).toEqual([])
})

test("a refusal that showed a file is cleared, too", () => {
  const refused = called(30_000)
  const [call] = callsOf(refused)
  if (call === undefined) throw new Error("no call")
  const seen = { file: "a.txt", version: "1" }
  const failed = (metadata: Record<string, unknown>): ToolPart => ({
    ...call,
    tool: "edit",
    state: { status: "error", input: {}, error: "abcd".repeat(30_000), metadata, time: { start: 0, end: 0 } },
  })
  const transcript = (part: ToolPart) => [
    asked("one"),
    { ...refused, parts: [part] },
    called(40_000),
    asked("two"),
    asked("three"),
  ]
  expect(prunableCalls(transcript(failed({ seen })))).toEqual([failed({ seen })])
  expect(prunableCalls(transcript(failed({})))).toEqual([])
})

test("a batch with a skill is not cleared", () => {
  const message = called(30_000)
  const [call] = callsOf(message)
  if (call?.state.status !== "completed") throw new Error("no call")
  const batch = (tool: string): ToolPart => ({
    ...call,
    tool: "batch",
    state: {
      ...call.state,
      metadata: { calls: [{ tool, done: true }], total: 1, truncated: false },
    } as ToolPart["state"],
  })
  const transcript = (part: ToolPart) => [
    asked("one"),
    { ...message, parts: [part] },
    called(40_000),
    asked("two"),
    asked("three"),
  ]
  expect(prunableCalls(transcript(batch("read")))).toEqual([batch("read")])
  expect(prunableCalls(transcript(batch("skill")))).toEqual([])
})

test("cleared outputs are not cleared again", () => {
  const transcript = [asked("one"), called(30_000), called(40_000), asked("two"), asked("three")]
  const [call] = prunableCalls(transcript)
  if (call?.state.status !== "completed") throw new Error("nothing to clear")
  call.state.time.compacted = 1
  expect(prunableCalls(transcript)).toEqual([])
})

test("a full context drops old tool outputs before it is summarised", async () => {
  let full = false
  const cleared: number[] = []
  await using host = await scriptedRuntime(
    (options) => {
      const results = options.prompt.flatMap((message) => (message.role === "tool" ? message.content : []))
      cleared.push(results.filter((result) => JSON.stringify(result).includes("content cleared")).length)
      const text = lastUserText(options)
      if (text.startsWith("Write the summary")) return answer("The summary.")
      // The prompt "print" makes ten calls, one after another.
      if (text === "print" && results.length % 10 !== 0) return answer("", print(results.length))
      if (text === "print" && cleared.length === 1) return answer("", print(0))
      const parts = answer("Done.")
      const big = { ...usage, inputTokens: { total: 999_000, noCache: 999_000, cacheRead: 0, cacheWrite: 0 } }
      return full ? parts.map((part) => (part.type === "finish" ? { ...part, usage: big } : part)) : parts
    },
    { context: 1_000_000, config: { permission: { bash: "allow" } } },
  )
  for (const text of ["print", "second"]) expect((await host.prompt(text)).status).toBe("completed")
  full = true
  await host.prompt("third")
  const { items } = await host.messages()
  const calls = items.flatMap(callsOf)
  const gone = calls.filter((call) => call.state.status === "completed" && call.state.time.compacted !== undefined)
  expect(calls).toHaveLength(10)
  expect(gone.length).toBeGreaterThan(0)
  // The newest outputs are within the 40,000 tokens that stay, and the stored output is complete.
  expect(calls.at(-1)?.state.status === "completed" && calls.at(-1)?.state).not.toHaveProperty("time.compacted")
  expect(gone[0]?.state.status === "completed" && gone[0].state.output.length).toBeGreaterThan(20_000)
  expect(items.some((item) => item.info.role === "assistant" && item.info.summary)).toBe(false)

  full = false
  await host.prompt("fourth")
  expect(cleared.at(-1)).toBe(gone.length)
  full = true
  await host.prompt("fifth")
  const after = await host.messages()
  expect(after.items.some((item) => item.info.role === "assistant" && item.info.summary)).toBe(true)
})

/** A call that prints 30,000 characters. */
function print(n: number) {
  return { tool: "bash", input: { command: `head -c 30000 /dev/zero | tr '\\0' ${n}`, description: "Print" } }
}

test("a turn's end clears old outputs, full context or not", async () => {
  await using host = await scriptedRuntime((options) => {
    const text = lastUserText(options)
    const told = options.prompt.at(-1)?.role === "tool"
    return told || !text.startsWith("read")
      ? answer("Fine.")
      : answer("", { tool: "bash", input: { command: "printf 'x%.0s' $(seq 50000)", description: text } })
  })
  for (let turn = 1; turn <= 9; turn++) await host.prompt(`read ${turn}`)
  const { items } = await host.messages()
  const cleared = items.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === "tool" && part.state.status === "completed" ? [part.state.time.compacted !== undefined] : [],
    ),
  )
  // Nine outputs of 12,500 tokens: two turns and 40,000 tokens stay; the older ones are cleared once they free 20,000.
  expect(cleared.slice(0, 2)).toEqual([true, true])
  expect(cleared.slice(-5)).toEqual([false, false, false, false, false])
})
