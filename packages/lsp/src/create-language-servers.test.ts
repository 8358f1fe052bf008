import path from "node:path"
import { builtinServers, LspConfig } from "@docket/core/schema"
import { createManualTime } from "@docket/core/test/manual-time"
import { nodeTimers } from "@docket/core/timers"
import { expect, onTestFinished, test } from "vitest"
import { createLanguageServers } from "./create-language-servers.ts"
import { createServerRoom } from "./create-server-room.ts"
import { serverDefinitions } from "./server-definitions.ts"
import { makePlace, type PlaceFixture } from "./test/make-place.ts"

const script = path.join(import.meta.dirname, "test/scripted-server.mjs")

function setUp(
  mode: string,
  options: Parameters<typeof makePlace>[0] = {},
  timers = nodeTimers,
  room = createServerRoom(),
) {
  const settings = { scripted: { command: [process.execPath, script, mode], extensions: [".bad"] } }
  const fixture = makePlace({ settings, ...options })
  const servers = createLanguageServers({ timers, now: () => performance.now(), clock: Date.now, room })
  onTestFinished(() => servers.close())
  return { ...fixture, servers, ...checking(fixture, servers) }
}

function checking({ put, place }: PlaceFixture, servers: ReturnType<typeof createLanguageServers>) {
  const late = Promise.withResolvers<string>()
  const waits: string[][] = []
  const check = (name: string, text: string, before?: string | null, signal = new AbortController().signal) =>
    servers.check(place, put(name, text), {
      ...{ before, signal, onLate: late.resolve },
      onWait: (ids) => waits.push([...ids]),
    })
  return { check, late: late.promise, waits }
}

test.each(["push", "unversioned", "pull", "registers", "empty-first", "many"])(
  "an error and its repair are reported (%s)",
  async (mode) => {
    const { check, waits } = setUp(mode)
    expect(await check("a.bad", "fine\nbad one\n", "fine\n")).toBe(
      "scripted reports 1 new error in a.bad:\n  2:1 bad one is wrong [B1]",
    )
    expect(waits).toEqual([["scripted"], []])
    expect(await check("a.bad", "fine\n", "fine\nbad one\n")).toBe("[scripted: no errors in a.bad, 1 solved]")
  },
)

test("errors from before are counted, also when lines move", async () => {
  const { check } = setUp("pull")
  expect(await check("a.bad", "new line\nbad one\nbad two\n", "bad one\n")).toBe(
    "scripted reports 1 new error in a.bad; 1 error from before is still there:\n  3:1 bad two is wrong [B1]",
  )
  expect(await check("a.bad", "bad one\nbad two\n", "x")).toBe(
    "[scripted: no new errors in a.bad; 2 errors from before are still there]",
  )
})

test("diagnostics of a wrong form are left out", async () => {
  const { check } = setUp("malformed")
  expect(await check("a.bad", "bad", null)).toBe("scripted reports 1 new error in a.bad:\n  1:1 marked up")
})

test.each([
  ["dies", /could not check a\.bad: it ended \(exit code 3\)/],
  ["garbage", /it sends something that is no message/],
  ["huge", /it sends a message of 104857600 bytes/],
  ["flood", /it sends messages without end/],
])("a server that %s is ended thrice at most, and said so", async (mode, reason) => {
  const { check, servers, place, programs } = setUp(mode)
  for (let times = 0; times < 3; times++) {
    expect(await check("a.bad", "bad", null)).toMatch(reason)
    await programs[times]?.ended
  }
  expect(await check("a.bad", "bad", null)).toBeNull()
  const [state] = (await servers.list(place)).filter(({ id }) => id === "scripted")
  expect(state).toMatchObject({ state: "failed", reason: expect.stringMatching(reason.source.slice(-10)) })
  await servers.restart(place, "scripted")
  expect(await check("a.bad", "bad", null)).toMatch(reason)
})

test.each(["mute", "old"])("a server that is %s leaves it unknown", async (mode) => {
  const time = createManualTime()
  const { check, programs } = setUp(mode, {}, time.timers)
  const said = check("a.bad", "bad", null)
  await expect.poll(() => programs.length).toBe(1)
  await time.pass(5_000)
  expect(await said).toMatch(/not known yet/)
})

test("what comes late is told when it is the newest check", async () => {
  const { check, late } = setUp("push")
  const stop = new AbortController()
  const said = check("a.bad", "bad", null, stop.signal)
  stop.abort()
  expect(await said).toMatch(/not known yet/)
  expect(await late).toMatch(/1 new error in a\.bad/)
})

test("a stopped turn waits no longer", async () => {
  const { check } = setUp("mute")
  const stop = new AbortController()
  const said = check("a.bad", "bad", null, stop.signal)
  stop.abort()
  expect(await said).toMatch(/not known yet/)
})

test("the configuration knows the built-in servers", () => {
  expect(serverDefinitions.map(({ id }) => id)).toEqual(builtinServers)
  const known = { lsp: { json: { disabled: true }, mine: { command: ["x"], extensions: [".x"] } } }
  expect(LspConfig.safeParse(known.lsp).success).toBe(true)
  expect(LspConfig.safeParse({ mine: { command: ["x"] } }).error?.message).toMatch(/give it/)
})

test("nothing is looked for where `lsp` is false", async () => {
  const { check, programs, servers, place } = setUp("push")
  place.settings = false
  expect(await check("a.bad", "bad", null)).toBeNull()
  expect(await check("a.ts", "const a: number = ''", null)).toBeNull()
  expect(programs).toEqual([])
  const states = await servers.list(place)
  expect(new Set(states.map(({ state, program }) => `${state} ${program}`))).toEqual(new Set(["disabled null"]))
  expect(states[0]?.reason).toMatch(/"lsp" is false in docket\.json/)
})

test("nothing runs for files that no server knows", async () => {
  const { check, programs } = setUp("push")
  expect(await check("a.unknown", "bad", null)).toBeNull()
  expect(programs).toEqual([])
})

test("an idle server stops after ten minutes, and starts again", async () => {
  const time = createManualTime()
  const { check, programs, servers, place } = setUp("pull", {}, time.timers)
  await check("a.bad", "fine", null)
  expect(servers.areRunning(place)).toBe(true)
  await time.pass(10 * 60_000)
  expect(servers.areRunning(place)).toBe(false)
  await programs[0]?.ended
  expect(await check("a.bad", "bad", "fine")).toMatch(/1 new error/)
})

test("at most eight servers run, of all workspaces together", async () => {
  const command = [process.execPath, script, "pull"]
  const ids = Array.from({ length: 10 }, (_, at) => `s${at}`)
  const settings = Object.fromEntries(ids.map((id) => [id, { command, extensions: [`.${id}`] }]))
  const room = createServerRoom()
  const [one, other] = [setUp("pull", { settings }, nodeTimers, room), setUp("pull", { settings }, nodeTimers, room)]
  const running = async ({ servers, place }: typeof one) =>
    (await servers.list(place)).filter(({ state }) => state === "running").map(({ id }) => id)
  for (const id of ids.slice(0, 6)) await one.check(`a.${id}`, "fine", null)
  for (const id of ids.slice(6)) await other.check(`a.${id}`, "fine", null)
  // Those that were used least lately made room, in the other workspace.
  expect([await running(one), await running(other)]).toEqual([ids.slice(2, 6), ids.slice(6)])
  await Promise.all(one.programs.slice(0, 2).map(({ ended }) => ended))
})

test("where all servers are at work, none more is started", async () => {
  const room = createServerRoom()
  const leave = Array.from({ length: 8 }, () => room.enter({ waiting: 1, usedAt: 0, stop: () => {} }))
  const { check, programs } = setUp("pull", {}, nodeTimers, room)
  expect(await check("a.bad", "bad", null)).toMatch(/8 language servers are at work; none more is started/)
  expect(programs).toEqual([])
  leave[0]?.()
  expect(await check("a.bad", "bad", null)).toMatch(/1 new error/)
})

test("programs of an untrusted project do not run", async () => {
  const { put, place, servers, check, programs, worktree } = setUp("pull", { isTrusted: false })
  const evil = put("server.mjs", "")
  place.settings = { scripted: { command: [evil], extensions: [".bad"] } }
  const { chmodSync } = await import("node:fs")
  chmodSync(evil, 0o755)
  expect(await check("a.bad", "bad", null)).toBeNull()
  expect(programs).toEqual([])
  const [state] = (await servers.list(place)).filter(({ id }) => id === "scripted")
  expect(state).toMatchObject({ state: "refused", program: path.join(worktree, "server.mjs") })
})

test("without a sandbox, servers run only in trusted projects", async () => {
  const { check, programs, servers, place } = setUp("pull", { isTrusted: false, unconfined: "No sandbox." })
  expect(await check("a.bad", "bad", null)).toBeNull()
  expect(programs).toEqual([])
  expect((await servers.list(place)).find(({ id }) => id === "scripted")?.reason).toMatch(/^No sandbox\. Trust/)
})

test("questions are answered with places of the right form", async () => {
  const { servers, place, put } = setUp("pull")
  const question = {
    operation: "definition" as const,
    text: "x",
    line: 1,
    column: 1,
    signal: new AbortController().signal,
  }
  const file = put("a.bad", "x")
  expect(await servers.look(place, { ...question, file })).toEqual({
    server: "scripted",
    places: [
      { file, line: 1, column: 3 },
      { file: "/etc/passwd", line: 1, column: 3 },
    ],
  })
})

test("the end of the service ends its servers", async () => {
  const { servers, check, programs } = setUp("pull")
  await check("a.bad", "fine", null)
  await servers.close()
  expect(await programs[0]?.ended).toBeDefined()
  expect(await check("a.bad", "bad", "fine")).toBeNull()
})
