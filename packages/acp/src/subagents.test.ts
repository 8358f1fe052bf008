import type { OpenedProgram, ProgramDesk, ProgramSubagent } from "@docket/core/agent-programs"
import { expect, test } from "vitest"
import { createAgentSession, createAgentSessions } from "./agent-sessions.ts"
import { createSubagents } from "./subagents.ts"

/** A desk that notes what it hears, and the subagents that it is told of. */
function createDesk() {
  const heard: string[] = []
  const told: ProgramSubagent[] = []
  const desk: ProgramDesk = {
    say: (kind, text) => void heard.push(`${kind}: ${text}`),
    call: ({ title, state }) => void heard.push(`${title}, ${state}`),
    ask: async (callID) => {
      heard.push(`may it ${callID}?`)
      return true
    },
    plan: (entries) => void heard.push(`plan of ${entries.length}`),
    used: ({ spent }) => void heard.push(`spent ${spent}`),
    read: async ({ path }) => `content of ${path}`,
    write: async () => {},
    run: () => {
      throw new Error("No commands run here.")
    },
    subagent: (one) => void told.push(one),
    fail: (error) => void heard.push(error.message),
  }
  return { desk, heard, told }
}

function createTree() {
  const sessions = createAgentSessions()
  const cancelled: string[] = []
  const notes: string[] = []
  const root = createDesk()
  sessions.add("root", createAgentSession(root.desk, "/work"))
  const subagents = createSubagents({
    sessions,
    facts: () => ({ name: "agent", version: "1", outside: null }),
    directory: "/work",
    cancel: (id) => void cancelled.push(id),
    follow: () => {},
    note: (line) => void notes.push(line),
  })
  const receive = (sessionId: string, update: object) =>
    subagents.receive({ sessionId, update }) || sessions.receive({ sessionId, update })
  return {
    ...{ sessions, subagents, root, cancelled, notes, receive },
    told: (parent: string, id: string, change: object = {}) =>
      receive(parent, { sessionUpdate: "subagent_update", sessionId: id, ...change }),
    say: (id: string, text: string) =>
      receive(id, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } }),
    ask: (parent: string, id: string, prompt: string) =>
      receive(parent, {
        ...{ sessionUpdate: "session_message", messageId: "m", senderSessionId: parent, recipientSessionId: id },
        content: [{ type: "text", text: prompt }],
      }),
  }
}

const running = { state: { state: "running" } }
const idle = (stopReason: string, more: object = {}) => ({ state: { state: "idle", stopReason, ...more } })

function only<T>(all: readonly T[]): T {
  const [first] = all
  if (first === undefined || all.length !== 1) throw new Error(`There are ${all.length}, not one.`)
  return first
}

function prompt(opened: OpenedProgram, signal = new AbortController().signal) {
  return opened.prompt([{ type: "text", text: "as told" }], signal)
}

test("a subagent is told once its prompt is known, and heard whole", async () => {
  const tree = createTree()
  tree.told("root", "child", { title: "Look", description: "explorer", ...running })
  expect(tree.root.told).toEqual([])
  tree.ask("root", "child", "Look closely")
  tree.ask("child", "child", "Look closely")
  tree.say("child", "I look.")
  const { title, prompt: asked, open } = only(tree.root.told)
  expect([title, asked]).toEqual(["Look", "Look closely"])

  const child = createDesk()
  const opened = open(child.desk)
  expect(opened.facts).toEqual({ name: "agent", version: "1", outside: null, conversation: "child", begun: "inside" })
  const ended = prompt(opened)
  tree.say("child", "I saw.")
  tree.told("root", "child", idle("end_turn"))
  expect(await ended).toEqual({ why: "done", tokens: null })
  expect(child.heard).toEqual(["text: I look.", "text: I saw."])
  expect(tree.root.heard).toEqual([])
})

test("a subagent without a prompt is told with its first act", () => {
  const tree = createTree()
  tree.told("root", "child", { title: "Look", ...running })
  tree.say("child", "I look.")
  expect(only(tree.root.told)).toMatchObject({ title: "Look", prompt: "Look" })
})

test("what a subagent asks waits for its session", async () => {
  const tree = createTree()
  tree.told("root", "child", { title: "Look", ...running })
  const { desk } = tree.sessions.get("child")
  const answers = [desk.ask("call_1"), desk.read({ path: "a", line: null, limit: null })]
  const child = createDesk()
  only(tree.root.told).open(child.desk)
  expect(await Promise.all(answers)).toEqual([true, "content of a"])
  expect(child.heard).toEqual(["may it call_1?"])
})

test.for([
  ["cancelled", { why: "stopped", tokens: null }],
  ["refusal", { why: "refused", tokens: null }],
  ["max_tokens", { why: "out of tokens", tokens: null }],
] as const)("a subagent that stops by %s ends its prompt so", async ([reason, end]) => {
  const tree = createTree()
  tree.told("root", "child", running)
  tree.say("child", "I look.")
  const ended = prompt(only(tree.root.told).open(createDesk().desk))
  tree.told("root", "child", idle(reason))
  expect(await ended).toEqual(end)
})

test("a subagent that failed says why", async () => {
  const tree = createTree()
  tree.told("root", "child", running)
  tree.say("child", "I look.")
  const ended = prompt(only(tree.root.told).open(createDesk().desk))
  tree.told("root", "child", idle("error", { error: { code: 1, message: "No disk is left." } }))
  await expect(ended).rejects.toThrow("No disk is left.")
})

test("a subagent is cancelled only where its agent offers that", async () => {
  const tree = createTree()
  tree.told("root", "a", { capabilities: { cancel: {} }, ...running })
  tree.told("root", "b", { capabilities: null, ...running })
  tree.say("a", "I look.")
  tree.say("b", "I look.")
  const stop = new AbortController()
  const ended = tree.root.told.map(({ open }) => prompt(open(createDesk().desk), stop.signal))
  stop.abort()
  expect((await Promise.all(ended)).map(({ why }) => why)).toEqual(["stopped", "stopped"])
  expect(tree.cancelled).toEqual(["a"])
  expect(await tree.sessions.get("b").desk.ask("call_1")).toBe(false)
})

test("a refused subagent gets nothing that it asks for", async () => {
  const tree = createTree()
  tree.told("root", "child", { capabilities: { cancel: {} }, ...running })
  const { desk } = tree.sessions.get("child")
  const answer = desk.ask("call_1")
  only(tree.root.told).refuse()
  expect(await answer).toBe(false)
  await expect(desk.write({ path: "a", content: "b" })).rejects.toThrow("no session in Docket")
  expect(tree.cancelled).toEqual(["child"])
})

test("subagents end with the answer in which they were started", async () => {
  const tree = createTree()
  tree.told("root", "child", running)
  tree.say("child", "I look.")
  const ended = prompt(only(tree.root.told).open(createDesk().desk))
  tree.subagents.endAll(new Error("agent ended by SIGKILL."))
  await expect(ended).rejects.toThrow("SIGKILL")
})

test("a subagent that runs again is another child", async () => {
  const tree = createTree()
  for (const text of ["first", "second"]) {
    tree.told("root", "child", { title: "Look", ...running })
    tree.say("child", text)
    const child = createDesk()
    const ended = prompt(tree.root.told.at(-1)?.open(child.desk) as OpenedProgram)
    tree.told("root", "child", idle("end_turn"))
    await ended
    expect(child.heard).toEqual([`text: ${text}`])
  }
  expect(tree.root.told).toHaveLength(2)
})

test("no conversation becomes the subagent of another", () => {
  const tree = createTree()
  expect(tree.told("root", "root", running)).toBe(false)
  tree.told("root", "a", running)
  tree.told("root", "b", running)
  expect(tree.told("b", "a", { title: "Mine", ...running })).toBe(false)
  expect(tree.told("a", "root", running)).toBe(false)
  expect(tree.told("nobody", "c", running)).toBe(false)
})

test("subagents of subagents go to the sessions above them, eight deep", () => {
  const tree = createTree()
  let parent = tree.root
  for (let depth = 1; depth <= 9; depth++) {
    const above = depth === 1 ? "root" : `child_${depth - 1}`
    const isTold = tree.told(above, `child_${depth}`, { title: `Level ${depth}`, ...running })
    expect(isTold).toBe(depth <= 8)
    if (!isTold) break
    tree.say(`child_${depth}`, "Deeper.")
    const next = createDesk()
    only(parent.told).open(next.desk)
    parent = next
  }
  expect(parent.told).toEqual([])
  expect(tree.notes).toEqual(["[Docket] A subagent was left out: there are at most 300, 8 deep."])
})

test("an agent has at most three hundred subagents", () => {
  const tree = createTree()
  const told = Array.from({ length: 301 }, (_, number) => tree.told("root", `child_${number}`, running))
  expect(told.filter(Boolean)).toHaveLength(300)
  expect(told.at(-1)).toBe(false)
})
