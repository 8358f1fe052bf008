import { existsSync, readFileSync } from "node:fs"
import { createManualTime } from "@docket/core/test/manual-time"
import { expect, test } from "vitest"
import { hostile, runServers } from "./test/run-servers.ts"

/** Runs a server of one mode until it is ready or has failed. */
async function started(mode: string, { permission = "allow" as string | object } = {}) {
  const other = await runServers()
  const fixture = await runServers({ mcp: { bad: hostile(mode, other.log) }, permission })
  await fixture.toolNames()
  const item = await fixture.untilState("bad", ["ready", "failed"])
  return { ...fixture, item, noted: other.noted }
}

/** A process whose parent is gone may stay listed for a while, as one that has ended. */
const isAlive = (pid: number) => {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : ") Z"
  return stat.slice(stat.lastIndexOf(")") + 2)[0] !== "Z"
}

test("noise on the output is kept in the log and harms nothing", async () => {
  const { item, call, results } = await started("noise")
  expect(item.state).toBe("ready")
  expect(item.log).toContain("Welcome!")
  await call({ tool: "bad_say", input: {} })
  expect(results).toEqual(["said nothing"])
})

test("a line of 11 MiB ends the server and its call", async () => {
  const { call, results, untilState, noted } = await started("long-line")
  await call({ tool: "bad_say", input: {} })
  expect(results[0]).toContain('The MCP server "bad" ended before it had answered')
  const { log } = await untilState("bad", ["failed"])
  expect(log.join("\n")).toContain("a line of more than 10 MiB")
  expect((await noted()).filter((line) => line.startsWith("start"))).toHaveLength(1)
})

test("a list without an end fails the server after 1,000 pages", async () => {
  const { item, noted } = await started("endless")
  expect(item).toMatchObject({ state: "failed" })
  expect(item.error).toContain("more than 1000 pages")
  expect((await noted()).filter((line) => line === "list")).toHaveLength(1_000)
})

test("a list that comes back to a page fails the server", async () => {
  const { item, noted } = await started("loop")
  expect(item.error).toContain("comes back to a page that was read")
  expect((await noted()).filter((line) => line === "list")).toHaveLength(3)
})

test("of equal names the first counts, and those that look equal differ", async () => {
  const { item } = await started("equal")
  const ids = item.tools.map(({ id }) => id)
  expect(ids.slice(0, 2)).toEqual(["bad_same", "bad_same_1"])
  expect(ids[2]).toMatch(/^bad_same_1_[0-9a-f]{8}$/)
  expect(item.tools[0]?.description).toBe("Does same.")
  expect(item.log.join("\n")).toContain('It has two tools "same"; the first counts.')
})

test("a malformed tool takes no other with it", async () => {
  const { item } = await started("malformed")
  expect(item.tools.map(({ id }) => id)).toEqual(["bad_good"])
  expect(item.log.filter((line) => line.includes("is left out"))).toHaveLength(3)
})

test("names have plain letters and at most 64 of them", async () => {
  const { item, toolNames } = await started("names")
  const ids = item.tools.map(({ id }) => id)
  expect(ids.slice(0, 2)).toEqual(["bad_g_thub", "bad_a_b"])
  expect(ids.map((id) => id.length)).toEqual([10, 7, 64, 64])
  expect(new Set(ids).size).toBe(4)
  expect((await toolNames()).filter((name) => name.startsWith("bad_"))).toEqual(ids)
})

test("a description is short, has no hidden characters and names its server", async () => {
  const { toolNames, offered } = await started("orders")
  await toolNames()
  const description = offered.at(-1)?.find(({ name }) => name === "bad_obey")?.description ?? ""
  expect(description.length).toBeLessThan(2_200)
  expect(description).not.toMatch(/[\u202e\u{e0041}]/u)
  expect(description).toMatch(/\(From the MCP server "bad"\.\)$/)
})

test("a storm of changed lists is answered with few readings", async () => {
  const { call, noted, untilState } = await started("storm")
  await call({ tool: "bad_say", input: {} })
  while ((await noted()).filter((line) => line === "list").length < 2) await new Promise((go) => setTimeout(go, 10))
  await untilState("bad", ["ready"])
  expect((await noted()).filter((line) => line === "list")).toHaveLength(2)
})

test("what a server started ends with it", async () => {
  const { noted, run, projectID } = await started("grandchild")
  const pid = Number((await noted()).find((line) => line.startsWith("child"))?.split(" ")[1])
  expect(isAlive(pid)).toBe(true)
  await run.runtime.extension.restart(projectID, { kind: "mcp", name: "bad" })
  expect(isAlive(pid)).toBe(false)
})

test("a server that is stopped while it starts ends", async () => {
  const other = await runServers()
  // No start comes to its end by its time.
  const { timers } = createManualTime()
  const bad = { ...hostile("silent", other.log), start_timeout: 600_000 }
  const fixture = await runServers({ mcp: { bad }, timers })
  await fixture.toolNames()
  await expect.poll(other.noted).toHaveLength(1)
  const pid = Number((await other.noted())[0]?.split(" ")[1])
  await fixture.run.runtime.extension.restart(fixture.projectID, { kind: "mcp", name: "bad" })
  expect(isAlive(pid)).toBe(false)
})

test("a crash fails its call, and the next start waits", async () => {
  const { call, results, untilState, noted } = await started("crash")
  await call({ tool: "bad_say", input: {} })
  expect(results[0]).toBe(
    'The MCP server "bad" ended with exit code 3 before it had answered. Unless it was removed, the next call starts it again. It wrote last:\nout of luck',
  )
  await untilState("bad", ["failed"])
  await call({ tool: "bad_say", input: {} })
  expect(results.at(-1)).toMatch(/does not run, and is tried again in \d seconds: It ended with exit code 3\./)
  expect((await noted()).filter((line) => line.startsWith("start"))).toHaveLength(1)
})

test("a silent call ends with its time, and the server works on", async () => {
  const fixture = await runServers({ mcp: { bad: { ...hostile("silent-call"), timeout: 1_000 } } })
  await fixture.toolNames()
  await fixture.untilState("bad", ["ready"])
  await fixture.call({ tool: "bad_say", input: {} })
  expect(fixture.results[0]).toContain('The MCP server "bad" was silent for 1 seconds')
  expect((await fixture.itemOf("bad"))?.state).toBe("ready")
})

test("a call that tells of progress without an end is given up", async () => {
  const fixture = await runServers({ mcp: { bad: { ...hostile("progress"), total_timeout: 1_000 } } })
  await fixture.toolNames()
  await fixture.untilState("bad", ["ready"])
  await fixture.call({ tool: "bad_say", input: {} })
  expect(fixture.results[0]).toContain('The MCP server "bad" told of progress for 1 seconds without an answer')
  expect((await fixture.itemOf("bad"))?.state).toBe("ready")
})

test("a server that ends at once shows its code and last lines", async () => {
  const { item } = await started("dead")
  expect(item.error).toMatch(
    /^It ended with exit code 1 before it was ready. It wrote last:\nno configuration was found/,
  )
})

test("a server that is switched off during its call did not fail", async () => {
  const { log, noted } = await runServers()
  const { call, results, itemOf, untilState, toolNames, run, projectID } = await runServers({
    mcp: { held: hostile("silent-call", log) },
  })
  await toolNames()
  await untilState("held", ["ready"])
  const turn = call({ tool: "held_say", input: {} })
  await expect.poll(noted).toContain("call say")
  await run.runtime.extension.switch(projectID, { kind: "mcp", name: "held" }, "off")
  await turn
  expect(results).toEqual([
    'The MCP server "held" was switched off before it had answered; it may have done a part of what it was asked.',
  ])
  expect((await itemOf("held"))?.use).toMatchObject({ calls: 0, failures: 0 })
})

test("a server that nobody calls for ten minutes is stopped", async () => {
  const time = createManualTime()
  const fixture = await runServers({ mcp: { it: hostile("plain") }, timers: time.timers })
  await fixture.toolNames()
  await fixture.untilState("it", ["ready"])
  await time.pass(10 * 60_000)
  await fixture.untilState("it", ["idle"])
  await fixture.call({ tool: "it_say", input: {} })
  expect(fixture.results).toEqual(["said nothing"])
})

test("servers beyond the limit take the place of an idle one", async () => {
  const mcp = { one: hostile("plain"), two: hostile("plain") }
  const { toolNames, untilState, call, results } = await runServers({ mcp: { one: mcp.one }, most: 1 })
  await toolNames()
  await untilState("one", ["ready"])
  await call({ tool: "one_say", input: {} })
  expect(results).toEqual(["said nothing"])
  const both = await runServers({ mcp, most: 1 })
  await both.toolNames()
  const states = async () => (await both.items()).map(({ state }) => state).sort()
  while ((await states()).includes("starting")) await new Promise((go) => setTimeout(go, 10))
  expect((await states()).filter((state) => state === "ready")).toHaveLength(1)
})
