import { mkdtemp, readFile, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { dyingStore } from "../../contract/dying-store.ts"
import type { PermissionRequest, PromptPart, ToolPart } from "../../ground/schema/index.ts"
import { createInMemoryStore, type Store } from "../../ground/store/index.ts"
import {
  answer,
  lastUserText,
  type Script,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"

const bash = (command: string) => ({ tool: "bash", input: { command, description: command } })
const question = {
  tool: "question",
  input: { questions: [{ header: "Way", question: "Which way?", options: [{ label: "left" }, { label: "right" }] }] },
}
const delegate = (prompt: string, tool = "task") => ({
  tool,
  input: { prompt, description: prompt, [tool === "task" ? "subagent_type" : "agent"]: "lead" },
})
const config = {
  permission: { bash: { "*": "allow", "echo *": "ask" } },
  delegation: { envelope: false },
  command: { ask: { template: "It says !`echo asked | tee -a asked`, and then !`printf more`." } },
  agent: { lead: { mode: "subagent", description: "Leads.", permission: { question: "allow", task: "allow" } } },
}

/** A process with a session that waits for one answer, on a store that survives the process. */
async function waitingHost(script: Script, part: PromptPart = { type: "text", text: "Start" }) {
  const real = createInMemoryStore()
  const { store, dieAfter, dead } = dyingStore(real, () => {})
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-asked-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const host = await scriptedRuntime(script, { store, config, directory, titles: false })
  await host.runtime.prompt.submit(host.session.id, { parts: [part] })
  const pending = () => real.permission.pending(host.session.id)
  await expect.poll(async () => (await pending()).length).toBe(1)
  return { host, real, dieAfter, dead }
}

type Waiting = Awaited<ReturnType<typeof waitingHost>>

/** The next process on the same store. */
async function restarted({ host, real, dieAfter }: Waiting, how: "crash" | "stop", script: Script) {
  if (how === "stop") await host.runtime.close()
  else dieAfter(0)
  return scriptedRuntime(script, { store: real, directory: host.directory, session: host.session, titles: false })
}

async function theRequest(host: ScriptedRuntime): Promise<PermissionRequest> {
  const [request, second] = await host.runtime.permission.pending(host.session.id)
  if (request === undefined || second !== undefined) throw new Error("there is not one request")
  return request
}

async function allTurnsEnded({ runtime, session }: ScriptedRuntime): Promise<void> {
  await expect.poll(async () => (await runtime.session.tree(session.id)).turns).toEqual([])
}

async function calls(store: Store, sessionID: string): Promise<ToolPart[]> {
  const { items } = await store.transcript.page({ sessionID, limit: 100 })
  return items.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
}

const linesOf = (host: ScriptedRuntime, name: string) =>
  readFile(join(host.session.directory, name), "utf8").then(
    (text) => text.split("\n").length - 1,
    () => 0,
  )

/** One answer with three commands, of which the second asks; then an answer that repeats the results. */
const threeCommands: Script = (options) => {
  const results = toolResults(options)
  // After a call with an unknown outcome, the agent is told about the restart.
  if (results.length > 0 || lastUserText(options) !== "Start") return answer(`Read: ${results.join(" ")}`)
  return answer("I run them.", bash("printf 1 | tee -a first"), bash("echo >> asked"), bash("printf '\\n' >> third"))
}

describe.each(["crash", "stop"] as const)("a request that outlasts a %s", (how) => {
  test("stays open, and its answer resumes exactly at that call", async () => {
    const first = await waitingHost(threeCommands)
    const before = await theRequest(first.host)
    await using next = await restarted(first, how, threeCommands)
    expect(await theRequest(next)).toEqual(before)
    const [turn] = (await next.runtime.session.tree(next.session.id)).turns
    await next.runtime.permission.reply(before.id, "once")
    expect((await next.runtime.prompt.wait(turn?.id ?? "")).status).toBe("completed")
    expect(await readFile(join(next.session.directory, "first"), "utf8")).toBe("1")
    expect(await linesOf(next, "asked")).toBe(1)
    expect(await linesOf(next, "third")).toBe(1)
    const { items } = await next.messages()
    expect(items.map(({ info }) => info.role)).toEqual(["user", "assistant", "assistant"])
    expect((await calls(first.real, next.session.id)).map(({ state }) => state.status)).toEqual(
      Array(3).fill("completed"),
    )
    expect(items.map(({ info }) => (info.role === "assistant" ? info.finish : null))).toEqual([
      null,
      "tool-calls",
      "stop",
    ])
  })

  test("of a prompt's command resumes that command and includes its output", async () => {
    const seen: string[] = []
    const script: Script = (options) => {
      // Title requests have no tools.
      if (options.tools?.length) seen.push(lastUserText(options))
      return answer("Fine.")
    }
    const first = await waitingHost(script, { type: "command", name: "ask", arguments: "" })
    expect(seen).toEqual([])
    await using next = await restarted(first, how, script)
    const [turn] = (await next.runtime.session.tree(next.session.id)).turns
    await next.runtime.permission.reply((await theRequest(next)).id, "once")
    expect((await next.runtime.prompt.wait(turn?.id ?? "")).status).toBe("completed")
    expect(seen).toEqual(["/ask\nIt says asked, and then more."])
    expect(await linesOf(next, "asked")).toBe(1)
  })

  test("stops the turn when rejected, but not when rejected with a message", async () => {
    for (const message of [undefined, "use printf"]) {
      const first = await waitingHost(threeCommands)
      await using next = await restarted(first, how, threeCommands)
      const { id } = await theRequest(next)
      const [turn] = (await next.runtime.session.tree(next.session.id)).turns
      await next.runtime.permission.reply(id, "reject", { message })
      const ended = await next.runtime.prompt.wait(turn?.id ?? "")
      expect(ended.status).toBe(message === undefined ? "aborted" : "completed")
      expect(await linesOf(next, "asked")).toBe(0)
      expect(await linesOf(next, "third")).toBe(message === undefined ? 0 : 1)
    }
  })

  test("of a grandchild is answered at the root, and all waiters continue", async () => {
    const script: Script = (options) => {
      const results = toolResults(options)
      if (results.length > 0) return answer(results.join(" "))
      const text = lastUserText(options)
      return answer("", text === "grandchild" ? question : delegate(text === "child" ? "grandchild" : "child"))
    }
    const first = await waitingHost(script)
    await using next = await restarted(first, how, script)
    const { id } = await theRequest(next)
    await next.runtime.permission.answer(id, [{ choices: [], own: "straight on" }])
    await allTurnsEnded(next)
    expect(JSON.stringify((await next.messages()).items.at(-1)?.parts)).toContain("straight on")
    const { tasks, sessions } = await next.runtime.session.tree(next.session.id)
    expect(tasks.map(({ state, mode }) => [state, mode])).toEqual(Array(2).fill(["completed", "blocking"]))
    expect(sessions).toHaveLength(3)
  })

  test("of a background task resumes, and its end notifies the parent", async () => {
    const script: Script = (options) => {
      const results = toolResults(options)
      const text = lastUserText(options)
      if (text === "child") return results.length > 0 ? answer("Said.") : answer("", bash("echo >> asked"))
      if (text === "Start" && results.length === 0) return answer("", delegate("child", "async_task"))
      return answer("Good.")
    }
    const first = await waitingHost(script)
    const { runtime, session } = first.host
    const isIdle = async () => (await runtime.session.get(session.id)).status.type === "idle"
    await expect.poll(isIdle).toBe(true)
    await using next = await restarted(first, how, script)
    await next.runtime.permission.reply((await theRequest(next)).id, "once")
    await expect.poll(async () => (await next.runtime.task.list(next.session.id))[0]?.delivered).toBe("turn")
    expect(await next.runtime.task.list(next.session.id)).toMatchObject([{ state: "completed", result: "Said." }])
    expect(await linesOf(next, "asked")).toBe(1)
  })

  test("expires when its session is stopped or removed", async () => {
    const first = await waitingHost(threeCommands)
    await using next = await restarted(first, how, threeCommands)
    const { id } = await theRequest(next)
    await next.runtime.abort(next.session.id)
    await expect(next.runtime.permission.reply(id, "once")).rejects.toThrow("Nobody waits for this answer any more")
    await next.runtime.session.remove(next.session.id)
    await expect(next.runtime.permission.reply(id, "once")).rejects.toThrow("There is no permission request")
    expect(await linesOf(next, "asked")).toBe(0)
  })

  test("expires and denies the call when the rules now forbid it", async () => {
    const first = await waitingHost(threeCommands)
    const denied = { ...config, permission: { bash: { "*": "allow", "echo *": "deny" } } }
    if (how === "stop") await first.host.runtime.close()
    else first.dieAfter(0)
    const { real: store, host } = first
    const { id } = await theRequestOf(store, host.session.id)
    await using next = await scriptedRuntime(threeCommands, {
      store,
      directory: host.directory,
      session: host.session,
      config: denied,
      titles: false,
    })
    await allTurnsEnded(next)
    expect(await store.permission.get(id)).toMatchObject({ status: "expired" })
    const [, call] = await calls(store, next.session.id)
    expect(call?.state).toMatchObject({ status: "error", error: expect.stringContaining("do not allow bash") })
    expect(await linesOf(next, "asked")).toBe(0)
  })
})

async function theRequestOf(store: Store, rootID: string): Promise<PermissionRequest> {
  const [request] = await store.permission.pending(rootID)
  if (request === undefined) throw new Error("there is no request")
  return request
}

test("a crash after an answer never runs the call twice", async () => {
  const seen = new Set<string>()
  for (let writes = 0; !seen.has("all"); writes += 1) {
    const first = await waitingHost(threeCommands)
    const { id } = await theRequest(first.host)
    first.dieAfter(writes)
    const ended = (async () => {
      await first.host.runtime.permission.reply(id, "once")
      await allTurnsEnded(first.host)
      return true
    })()
    ended.catch(() => {})
    if (await Promise.race([ended, first.dead.then(() => false)])) seen.add("all")
    const { real: store, host } = first
    const { session, directory } = host
    await using next = await scriptedRuntime(threeCommands, { store, directory, session, titles: false })
    const request = await store.permission.get(id)
    if (request?.status === "pending") await next.runtime.permission.reply(id, "once")
    await allTurnsEnded(next)
    expect((await store.permission.get(id))?.status).toBe("once")
    expect(await store.permission.pending()).toEqual([])
    const ran = await linesOf(next, "asked")
    expect(ran).toBeLessThanOrEqual(1)
    // The model was told what really happened, or that the outcome is unknown.
    const [, call] = await calls(store, session.id)
    if (call?.state.status === "completed") expect(ran).toBe(1)
    seen.add(`${request?.status} ${call?.state.status} ${ran}`)
  }
  // Both cases occurred: a pending request was asked again, and a stored answer was found.
  expect([...seen]).toEqual(expect.arrayContaining(["pending completed 1", "once completed 1"]))
})
