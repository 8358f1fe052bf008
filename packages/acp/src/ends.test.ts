import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"
import { runAgent } from "./test/run-agent.ts"

type Run = Awaited<ReturnType<typeof runAgent>>

/** The processes that work in the project, by their environment: those of the agent and all that it started. */
function processesOf(sessionID: string): string[] {
  const all = execFileSync("sh", ["-c", `grep -laz "${sessionID}" /proc/[0-9]*/environ 2>/dev/null || true`])
  return all
    .toString()
    .split("\n")
    .filter((line) => line !== "")
}

/** Resolves when the agent has said this. */
async function saying({ run }: Run, text: string): Promise<void> {
  await run.until((event) => {
    if (event.type !== "message.part.updated") return false
    const { part } = event.properties
    return part.type === "text" && part.text === text
  })
}

test("a stop tells the agent, and leaves nothing of it", async () => {
  const started = await runAgent()
  const { delegate, run, noted, child } = started
  const turn = delegate([{ children: 2 }, { wait: "I wait." }])
  await saying(started, "I wait.")
  const { id } = await child()
  expect(processesOf(id).length).toBeGreaterThanOrEqual(3)
  await run.runtime.abort(run.session.id)
  expect(await turn).toMatchObject({ status: "aborted" })
  expect(await noted()).toContainEqual("cancel")
  expect(processesOf(id)).toEqual([])
})

test("an agent that does not stop is ended", async () => {
  const started = await runAgent({ able: "deaf" })
  const { delegate, run, child } = started
  const turn = delegate([{ children: 1 }, { wait: "I wait." }])
  await saying(started, "I wait.")
  const { id } = await child()
  await run.runtime.abort(run.session.id)
  await turn
  expect(processesOf(id)).toEqual([])
})

test("a finished turn leaves nothing of the agent", async () => {
  const started = await runAgent()
  await started.delegate([{ children: 3 }, { say: "Done." }])
  expect(processesOf((await started.child()).id)).toEqual([])
})

test("an agent that dies fails its task with its last words", async () => {
  const started = await runAgent()
  const { delegate, results, calls, child } = started
  const call = { toolCallId: "1", title: "Work", kind: "execute", rawInput: { command: "make" }, status: "in_progress" }
  await delegate([{ children: 1 }, { call }, { stderr: "out of ideas" }, { die: true }])
  expect(results[0]).toContain("was ended by SIGKILL")
  expect(results[0]).toContain("out of ideas")
  expect(await calls()).toMatchObject([{ state: { status: "error", metadata: { interrupted: true } } }])
  expect(processesOf((await child()).id)).toEqual([])
})

test.for([["No credit is left."], [{ details: "No credit is left." }], [{ message: "No credit is left." }]])(
  "an agent's error says the reason beside it: %j",
  async ([data]) => {
    const { delegate, results } = await runAgent()
    await delegate([{ throw: data }])
    expect(results[0]).toContain("Internal error: No credit is left.")
  },
)

test("an agent's bare error says what it wrote last", async () => {
  const { delegate, results } = await runAgent()
  await delegate([{ stderr: "cannot open my notes" }, { throw: null }])
  expect(results[0]).toContain("Internal error. It wrote last:\ncannot open my notes")
})

test("a program that is not there is a clear failure", async () => {
  const { delegate, results } = await runAgent({ acp: { command: "no-such-agent", args: [] } })
  await delegate([{ say: "Never." }])
  expect(results[0]).toContain("no-such-agent")
})

test("what is no frame, or unknown, breaks no turn", async () => {
  const { delegate, results } = await runAgent()
  const frame = (value: object) => ({ raw: JSON.stringify({ jsonrpc: "2.0", ...value }) })
  await delegate([
    { raw: "Welcome to the agent!" },
    { raw: "{ broken" },
    { raw: "[]" },
    frame({ method: "_auth/status_update", params: 5 }),
    frame({ method: "session/update", params: { sessionId: "other", update: {} } }),
    frame({ id: 900, method: "session/teleport", params: {} }),
    frame({ id: 901, method: "fs/read_text_file", params: { path: 5 } }),
    frame({ id: 12345, result: {} }),
    { update: { sessionUpdate: "agent_message_chunk", content: { type: "hologram" } } },
    { update: { sessionUpdate: "session_info_update", title: "x" } },
    { call: { toolCallId: "1", status: "exploded", content: [{ type: "?" }, 7], locations: "none" } },
    { long: 11 * 1024 * 1024 },
    { say: "Still here." },
  ])
  expect(results).toEqual([expect.stringContaining("Still here.")])
})

test("an answer without end is ended", async () => {
  const started = await runAgent()
  await started.delegate([{ flood: 400 }])
  expect(started.results[0]).toMatch(/too long|longer|without end|characters/)
  expect(processesOf((await started.child()).id)).toEqual([])
})

test("a limit of the task stops the agent", async () => {
  const started = await runAgent({ agent: { limits: { cost: 1 } } })
  const cost = (amount: number) => ({
    update: { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount, currency: "USD" } },
  })
  await started.delegate([{ say: "Cheap." }, cost(0.5), cost(2), { wait: "I wait." }])
  expect(started.results[0]).toContain("limit")
  expect(await started.noted()).toContainEqual("cancel")
})

test.each([
  ["refusal", "refused"],
  ["max_tokens", "most tokens"],
  ["max_turn_requests", "limit of steps"],
])("the end %s fails the task and says so", async (end, words) => {
  const { delegate, results } = await runAgent()
  await delegate([{ say: "Part." }, { end }])
  expect(results[0]).toContain(words)
})
