import path from "node:path"
import type { ExtensionHost, ExtensionPlace } from "@docket/core/extension-host"
import { createProgramRoom } from "@docket/core/program-room"
import { nodeTimers } from "@docket/core/timers"
import type { ToolContext } from "@docket/core/tool"
import { createMcpServers } from "@docket/mcp"
import type { Measurement } from "./measurement.ts"
import { median } from "./median.ts"
import { openProgramStage, type ProgramStage } from "./program-stage.ts"

const rounds = 200
const script = path.resolve(import.meta.dirname, "../../packages/mcp/src/test/hostile-server.mjs")

/** What MCP servers cost a call and a turn. */
export const mcpMeasurements: Measurement[] = [
  { ...row("mcp-call", "call of a tool of a local MCP server"), aim: 3, measure: timeOfCall },
  { ...row("mcp-dead", "turn with an MCP server that does not start"), aim: 10, measure: () => timeOfTurns("dead", 1) },
  { ...row("mcp-first-turn", "first turn with 20 MCP servers that nobody knows"), aim: 10, measure: timeOfFirstTurn },
]

function row(name: string, label: string): Pick<Measurement, "name" | "label" | "unit" | "opencode" | "inProcess"> {
  return { name, label, unit: "ms", opencode: "–", inProcess: true }
}

/** The median time in ms of calls that answer at once. */
async function timeOfCall(): Promise<number> {
  await using scene = await openScene("plain", 1)
  // The first turn starts it.
  await scene.tools()
  await scene.untilReady()
  const tool = (await scene.tools()).find(({ id }) => id === "s0_say")
  if (tool === undefined) throw new Error("the server has no tool")
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await tool.execute({ word: "x" }, context)
    times.push(performance.now() - start)
  }
  return median(times)
}

/** The median time in ms in which a turn gets the tools of servers of which nothing comes. */
async function timeOfTurns(mode: string, count: number): Promise<number> {
  await using scene = await openScene(mode, count)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await scene.tools()
    times.push(performance.now() - start)
  }
  return median(times)
}

/** The time in ms that 20 servers, which all start meanwhile, hold up the first turn. */
async function timeOfFirstTurn(): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    await using scene = await openScene("plain", 20)
    const start = performance.now()
    await scene.tools()
    times.push(performance.now() - start)
    await scene.untilReady()
  }
  return median(times)
}

interface Scene extends AsyncDisposable {
  tools(): ReturnType<NonNullable<ExtensionHost["tools"]>>
  untilReady(): Promise<void>
}

async function openScene(mode: string, count: number): Promise<Scene> {
  const stage = await openProgramStage({})
  const host = createMcpServers({
    packages: { find: async () => null, directoryOf: ({ name }) => name },
    ...{ timers: nodeTimers, now: () => performance.now(), clock: Date.now, createID: (kind) => kind },
    cacheDirectory: path.join(stage.worktree, ".data/mcp"),
    room: createProgramRoom({ most: 32, names: "MCP servers" }),
  })
  const place = placeIn(stage, mode, count)
  const turn = { signal: new AbortController().signal, session: {}, turn: {}, project: place.project }
  return {
    // What it does not read of a turn is left out.
    tools: () => host.tools?.(turn as unknown as Parameters<typeof host.tools>[0], place) ?? Promise.resolve([]),
    async untilReady() {
      while (true) {
        const items = await host.list(place, "local")
        const failed = items.find(({ state }) => state === "failed")
        if (failed !== undefined) throw new Error(`${failed.title} failed: ${failed.error}`)
        if (items.every(({ state }) => state === "ready")) return
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    async [Symbol.asyncDispose]() {
      await host.close()
      await stage[Symbol.asyncDispose]()
    },
  }
}

function placeIn({ place: stage, worktree, start }: ProgramStage, mode: string, count: number): ExtensionPlace {
  const time = { created: 0, updated: 0, archived: null }
  const project = { id: stage.projectID, name: "bench", directory: worktree, worktree, git: false, time }
  const server = { type: "local" as const, command: [process.execPath, script, mode] }
  const mcp = Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, server]))
  const source = {
    ...{ file: "/docket.json", layer: "user", config: { mcp }, written: { mcp }, defines: null },
    place: () => ({ line: 1, column: 1 }),
  }
  const place = {
    ...{
      project,
      config: { mcp },
      sources: [source],
      provided: [],
      otherServers: [],
      isTrusted: true,
      isShared: false,
    },
    ...{ home: worktree, dataDirectory: path.join(worktree, ".data"), env: {} },
    ledger: { isOn: async () => true, note() {} },
    unconfined: async () => null,
    start,
  }
  // What the servers do not read is left out.
  return place as unknown as ExtensionPlace
}

const asked = {
  signal: new AbortController().signal,
  sessionID: "ses_bench",
  ask: async () => {},
  refuseChanges: async () => {},
  beforeChange: async () => {},
  progress() {},
}
/** A call that everything is allowed; a tool of a server reads no more of it. */
const context = asked as unknown as ToolContext
