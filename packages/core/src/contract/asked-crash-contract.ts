import { mkdtemp, readFile, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { PermissionRequest, ToolPart } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/port/index.ts"
import { answer, type Script, type ScriptedRuntime, scriptedRuntime, toolResults } from "../test/scripted-runtime.ts"
import type { MakeCrashable } from "./crash-contract.ts"
import { dyingStore } from "./dying-store.ts"

/** A user is asked for something, and answers. */
interface Story {
  agent: string
  script: Script
  reply(host: ScriptedRuntime, id: string): Promise<PermissionRequest>
  /** The final status of the request. */
  status: PermissionRequest["status"]
  /** The final agent of the session. */
  lastAgent: string
}

const run = { tool: "bash", input: { command: "echo >> ran", description: "runs" } }
const question = { header: "Way", question: "Which way?", options: [{ label: "left" }, { label: "right" }] }
const isPlanning = ({ prompt }: Parameters<Script>[0]) =>
  JSON.stringify(prompt.filter(({ role }) => role !== "system")).includes("Plan mode is on.")
const planIn = ({ prompt }: Parameters<Script>[0]) => /into (\S+\.md)\./.exec(JSON.stringify(prompt))?.[1] ?? ""
const wasCalled = ({ prompt }: Parameters<Script>[0], tool: string) =>
  JSON.stringify(prompt).includes(`"toolName":"${tool}"`)

const stories: Record<"command" | "question" | "plan", Story> = {
  command: {
    agent: "build",
    script: (options) =>
      wasCalled(options, "bash") ? answer(`Read: ${toolResults(options).join(" ")}`) : answer("", run),
    reply: ({ runtime }, id) => runtime.permission.reply(id, "once"),
    status: "once",
    lastAgent: "build",
  },
  question: {
    agent: "build",
    script: (options) =>
      wasCalled(options, "question")
        ? answer(`Read: ${toolResults(options).join(" ")}`)
        : answer("", { tool: "question", input: { questions: [question] } }),
    reply: ({ runtime }, id) => runtime.permission.answer(id, [{ choices: ["left"], own: null }]),
    status: "answered",
    lastAgent: "build",
  },
  plan: {
    agent: "plan",
    script(options) {
      if (!isPlanning(options)) return answer("", ...(wasCalled(options, "bash") ? [] : [{ ...run }]))
      const write = { tool: "write", input: { filePath: planIn(options), content: "1. Run it\n" } }
      return answer("", wasCalled(options, "write") ? { tool: "plan_exit", input: {} } : write)
    },
    reply: ({ runtime }, id) => runtime.permission.answer(id, [{ choices: ["Approve"], own: null }]),
    status: "answered",
    lastAgent: "build",
  },
}

/**
 * Declares tests in which a process dies after any write that follows a user's answer, and another process continues
 * with the stored rows.
 */
export function askedCrashContract(name: string, open: MakeCrashable): void {
  test.each(Object.entries(stories))(`a crash leaves one answer and at most one run: %s, ${name}`, async (_, story) => {
    const seen = new Set<string>()
    for (let writes = 0; !seen.has("all"); writes += 1) {
      for (const met of await crashAndGoOn(open, story, writes)) seen.add(met)
    }
    // Some crashes came before the answer was stored, and some after it.
    expect([...seen]).toEqual(expect.arrayContaining(["pending", story.status]))
  })
}

/**
 * Crashes after this many writes and continues. Returns the status of the request that the next process found, and
 * `all` if nothing was left to do.
 */
async function crashAndGoOn(open: MakeCrashable, story: Story, writes: number): Promise<string[]> {
  const { store: real, crash, dispose } = await open()
  try {
    const { store, dieAfter, dead } = dyingStore(real, () => {})
    const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-answered-")))
    onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }))
    // Outside of plan mode only the command needs permission.
    const permission = story.agent === "plan" ? "allow" : { bash: "ask" }
    const host = await scriptedRuntime(story.script, { store, directory, titles: false, config: { permission } })
    const { session } = host
    await host.runtime.prompt.submit(session.id, { parts: [{ type: "text", text: "Start" }], agent: story.agent })
    await expect.poll(async () => (await real.permission.pending(session.id)).length).toBe(1)
    const [asked] = await real.permission.pending(session.id)
    const id = asked?.id ?? ""
    dieAfter(writes)
    const ended = (async () => {
      await story.reply(host, id)
      await waitForEnd(host, story)
      return true
    })()
    ended.catch(() => {})
    const isAll = await Promise.race([ended, dead.then(() => false)])
    const storeAfter = isAll ? real : await crash()
    if (isAll) await host.runtime.close()
    await using next = await scriptedRuntime(story.script, { store: storeAfter, directory, session, titles: false })
    const met = (await storeAfter.permission.get(id))?.status
    if (met === "pending") await story.reply(next, id)
    await waitForEnd(next, story)
    expect(await storeAfter.permission.get(id)).toMatchObject({ status: story.status })
    expect(await storeAfter.permission.pending()).toEqual([])
    await expectOnce(storeAfter, next, { directory, modes: story.agent === story.lastAgent ? 0 : 1 })
    return [met ?? "", ...(isAll ? ["all"] : [])]
  } finally {
    await dispose()
  }
}

async function waitForEnd({ runtime, session }: ScriptedRuntime, { lastAgent }: Story): Promise<void> {
  const state = async () => {
    const { agent } = await runtime.session.get(session.id)
    return [agent, (await runtime.session.tree(session.id)).turns.length]
  }
  await expect.poll(state, { timeout: 60_000 }).toEqual([lastAgent, 0])
}

/** The model is told once what happened, or that it is not known; a mode is entered once. */
async function expectOnce(
  store: Store,
  { session }: ScriptedRuntime,
  { directory, modes }: { directory: string; modes: number },
): Promise<void> {
  const { items } = await store.transcript.page({ sessionID: session.id, limit: 100 })
  const parts = items.flatMap((item) => item.parts)
  const text = await readFile(join(directory, "ran"), "utf8").catch(() => "")
  const ran = text.split("\n").length - 1
  expect(ran).toBeLessThanOrEqual(1)
  const call = parts.find((part): part is ToolPart => part.type === "tool" && part.tool === "bash")
  if (call?.state.status === "completed") expect(ran).toBe(1)
  expect(parts.filter((part) => part.type === "text" && part.notice?.kind === "mode")).toHaveLength(modes)
  expect(parts.filter((part) => part.type === "tool" && part.tool === "question").length).toBeLessThanOrEqual(1)
}
