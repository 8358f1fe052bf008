import type { ExtensionPlace } from "@docket/core/extension-host"
import { createProgramRoom } from "@docket/core/program-room"
import { startProgram } from "@docket/core/start-program"
import { projectFixture } from "@docket/core/test/project-fixture"
import { nodeTimers, type Timers } from "@docket/core/timers"
import { expect, onTestFinished, test } from "vitest"
import { z } from "zod"
import type { PluginEntry } from "./plugin-entries.ts"
import { startPluginProcess, usualTimes } from "./plugin-process.ts"
import { createRunningPlugins } from "./running-plugins.ts"
import { returning } from "./test/plugged.ts"

const commands = { onSpawn: () => {}, onSignal: () => {}, onExit: () => {} }
const noFlow = async function* (): AsyncIterable<object> {}

/** A place whose programs are counted, with the plugin of a file. */
async function placed(text: string, { program = [] as string[] } = {}) {
  const { directory } = await projectFixture("running-plugins", { "own.ts": text })
  const pids: number[] = []
  const ends: Promise<unknown>[] = []
  // What a place has besides is not asked for by plugins that run.
  const place = {
    project: { id: "prj_1", worktree: directory, directory, git: false, time: { created: 1 } },
    ...{ checkout: directory, config: {}, isShared: false },
    ledger: { note: () => {}, keepAdditions: async () => {} },
    async start(launch: Parameters<ExtensionPlace["start"]>[0]) {
      const args = program.length > 0 ? program : launch.args
      const env = { PATH: process.env.PATH ?? "", ...launch.env }
      const started = await startProgram({ commands, clock: Date.now }, { ...launch, args, env })
      pids.push(started.pid)
      ends.push(started.ended)
      return started
    },
  } as unknown as ExtensionPlace
  onTestFinished(async () => {
    await Promise.all(ends)
  })
  const entry: PluginEntry = {
    ...{ ref: { kind: "plugin", name: "own.ts", projectID: null }, title: "own.ts", isOwn: true },
    ...{ origin: { file: `${directory}/own.ts`, line: null }, at: { file: `${directory}/own.ts` }, waits: null },
    ...{ isOff: false, options: null, trusted: {}, readable: [], version: "1" },
  }
  return { place, entries: [entry], pids }
}

function deps(most = 4) {
  let at = 0
  const ticks: (() => void)[] = []
  const timers: Timers = {
    ...nodeTimers,
    every(ms, run) {
      if (ms !== 60_000) return nodeTimers.every(ms, run)
      ticks.push(run)
      return () => {}
    },
  }
  const events: AbortSignal[] = []
  return {
    ...{
      timers,
      times: usualTimes,
      now: () => at,
      ask: async () => Response.json(true),
      serverUrl: () => "http://docket.invalid",
    },
    room: createProgramRoom({ most, names: "plugin processes" }),
    events(_place: ExtensionPlace, signal: AbortSignal) {
      events.push(signal)
      return noFlow()
    },
    /** Whether each reader of events goes on. */
    listening: () => events.map(({ aborted }) => !aborted),
    /** Lets the idle time pass. */
    later() {
      at += 10 * 60_000
      for (const tick of ticks) tick()
    },
  }
}

const greets = returning(`{
  "docket.event": async () => {},
  "tool.execute.before": async (_, output) => { output.args = "greeted" },
}`)
const asked = { hook: "tool.execute.before", input: {}, output: { args: "" }, shape: z.object({ args: z.string() }) }

function isAlive(pid: number | undefined): boolean {
  try {
    return process.kill(pid ?? 0, 0)
  } catch {
    return false
  }
}

test("idle plugins rest, and work and listen again when needed", async () => {
  const { place, entries, pids } = await placed(greets)
  const shared = deps()
  const plugins = createRunningPlugins(shared)
  const set = await plugins.in(place, entries)
  expect(await set?.ask(asked)).toMatchObject({ output: { args: "greeted" }, failure: null })
  shared.later()
  await expect.poll(() => isAlive(pids[0])).toBe(false)
  expect(shared.listening()).toEqual([false])
  expect(await set?.ask(asked)).toMatchObject({ output: { args: "greeted" }, failure: null })
  expect([pids.length, shared.listening()]).toEqual([2, [false, true]])
  await plugins.close()
  expect(pids.map(isAlive)).toEqual([false, false])
})

test("replaced plugins work on, and end with the service", async () => {
  const { place, entries, pids } = await placed(greets)
  const plugins = createRunningPlugins(deps())
  const before = await plugins.in(place, entries)
  await before?.ask(asked)
  await plugins.forget(place)
  expect(isAlive(pids[0])).toBe(false)
  expect(await before?.ask(asked)).toMatchObject({ output: { args: "greeted" }, failure: null })
  await plugins.close()
  expect(pids.map(isAlive)).toEqual([false, false])
})

test("nothing starts once the service stops", async () => {
  const { place, entries, pids } = await placed(greets)
  const plugins = createRunningPlugins(deps())
  const set = await plugins.in(place, entries)
  await set?.ask(asked)
  const loading = await placed(returning("await new Promise(() => {})"))
  const other = await plugins.in(
    { ...loading.place, project: { ...loading.place.project, id: "prj_2" } },
    loading.entries,
  )
  const never = other?.ask(asked)
  await expect.poll(() => loading.pids.length).toBe(1)
  await plugins.close()
  expect([...pids, ...loading.pids].map(isAlive)).toEqual([false, false])
  expect(await never).toMatchObject({ output: { args: "" } })
  expect(await set?.ask(asked, { decides: true })).toMatchObject({
    failure: { message: "Docket is stopping.", isSaid: false },
  })
  await expect(plugins.in(place, entries)).rejects.toThrow("Docket is stopping.")
  expect([pids.length, loading.pids.length]).toEqual([1, 1])
})

test("a full service starts no more plugin processes, and says so", async () => {
  const { place, entries } = await placed(greets)
  const shared = deps(1)
  const leave = shared.room.enter({ waiting: 1, usedAt: 0, stop: () => {} })
  const plugins = createRunningPlugins(shared)
  const set = await plugins.in(place, entries)
  expect(await set?.has(asked.hook)).toBe(false)
  expect(set?.unloaded()).toMatchObject([{ why: "1 plugin processes are at work; none more is started." }])
  leave()
  await plugins.close()
})

test("an idle plugin process makes room for another", async () => {
  const [first, second] = await Promise.all([placed(greets), placed(greets)])
  const plugins = createRunningPlugins(deps(1))
  const set = await plugins.in(first.place, first.entries)
  await set?.ask(asked)
  const other = await plugins.in({ ...second.place, project: { ...second.place.project, id: "prj_2" } }, second.entries)
  expect(await other?.ask(asked)).toMatchObject({ output: { args: "greeted" }, failure: null })
  await expect.poll(() => isAlive(first.pids[0])).toBe(false)
  expect(await set?.ask(asked)).toMatchObject({ output: { args: "greeted" }, failure: null })
  await plugins.close()
})

const neverReads = ["-e", "console.log(JSON.stringify({ loaded: [] })); setInterval(() => {}, 1_000)"]

/** A process that reads nothing of what it is sent. */
async function deaf(ask: () => Promise<Response>, says = "") {
  const { place } = await placed(greets, { program: [neverReads[0] ?? "", `${neverReads[1]}; ${says}`] })
  const closing = new AbortController().signal
  const started = await startPluginProcess(
    { ...deps(), ask, place, closing },
    {
      ...{ plugins: [], trusted: null, config: {}, readable: [], isFree: true },
      input: { project: {}, directory: "", worktree: "", serverUrl: "" } as never,
    },
  )
  return started
}

test("a process that reads nothing is ended, and named", async () => {
  const started = await deaf(async () => Response.json(true))
  const output = "x".repeat(8 * 1024 * 1024)
  const calls = Array.from({ length: 8 }, () =>
    started.call(0, { kind: "hook", hook: "any", input: {}, output }, { timeoutMs: 60_000 }),
  )
  for (const call of calls) await expect(call).rejects.toThrow("from reading what it was sent, and was stopped")
  await started.end()
})

test("an answer without end waits for a process to read it", async () => {
  let made = 0
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        made += 1
        controller.enqueue(new Uint8Array(64 * 1024))
      },
    })
  const fetches = JSON.stringify({ fetch: 1, method: "GET", path: "/event", headers: [], body: null })
  const started = await deaf(async () => new Response(endless()), `console.log(${JSON.stringify(fetches)})`)
  await expect.poll(() => made).toBeGreaterThan(0)
  const answer = started.call(0, { kind: "hook", hook: "any", input: {}, output: {} }, { timeoutMs: 500 })
  await expect(answer).rejects.toThrow("kept its process busy")
  expect(made).toBeLessThan(100)
  await started.end()
})
