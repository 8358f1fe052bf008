import { existsSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { hostile, runServers } from "./test/run-servers.ts"

test("a local server's tools come a turn after its first start", async () => {
  const { toolNames, untilState, call, results, itemOf } = await runServers({ mcp: { files: hostile("plain") } })
  expect(await toolNames()).not.toContain("files_say")
  await untilState("files", ["ready"])
  expect(await toolNames()).toContain("files_say")
  await call({ tool: "files_say", input: { word: "hello" } })
  expect(results).toEqual(["said hello"])
  expect(await itemOf("files")).toMatchObject({ state: "ready", use: { calls: 1, failures: 0 } })
})

test("a call of a starting server waits and is made again", async () => {
  const { log } = await runServers()
  const { call, results, itemOf } = await runServers({ mcp: { files: hostile("slow-start", log) } })
  const turn = call({ tool: "files_say", input: {} }, { tool: "files_other", input: {} })
  await expect.poll(async () => (await itemOf("files"))?.state).toBe("starting")
  await writeFile(log, "")
  await turn
  expect(results[0]).toBe(
    'The MCP server "files" was still starting, and nothing was called. It runs now: call files_say again.',
  )
  expect(results[1]).toContain('There is no tool called "files_other"')
})

test("a call of a server that did not start is told why", async () => {
  const { call, results, toolNames, untilState } = await runServers({ mcp: { files: hostile("dead") } })
  await toolNames()
  await untilState("files", ["failed"])
  await call({ tool: "files_say", input: {} })
  expect(results[0]).toContain('The MCP server "files" does not run')
  expect(results[0]).toContain("no configuration was found")
})

test("tools of a server that started meanwhile come with the next step", async () => {
  const { log } = await runServers()
  const held = { ...hostile("holds", log), required: true }
  const { call, offered, itemOf } = await runServers({ mcp: { held, files: hostile("plain") } })
  const turn = call({ tool: "held_hold", input: {} })
  await expect.poll(async () => (await itemOf("files"))?.tools.length).toBeGreaterThan(0)
  await writeFile(log, "")
  await turn
  const names = offered.map((tools) => tools.map(({ name }) => name))
  expect(names.map((some) => some.includes("files_say"))).toEqual([false, true])
})

test("a server logs from the level that its entry names", async () => {
  const { log, noted } = await runServers()
  const { toolNames } = await runServers({
    mcp: { files: { ...hostile("logs", log), log_level: "warning", required: true } },
  })
  await toolNames()
  expect(await noted()).toContain("level warning")
})

test("an output is as long as its tool asks", async () => {
  const { call, results } = await runServers({ mcp: { files: { ...hostile("long"), required: true } } })
  await call({ tool: "files_tell", input: {} })
  expect(results[0]).toBe("word\n".repeat(20_000))
})

test("a known list of tools starts no server before a call", async () => {
  const first = await runServers({ mcp: { files: hostile("plain") } })
  await first.toolNames()
  await first.untilState("files", ["ready"])
  await first.run.runtime.extension.restart(first.projectID, { kind: "mcp", name: "files" })
  expect(await first.toolNames()).toContain("files_say")
  expect((await first.itemOf("files"))?.state).toBe("idle")
  await first.call({ tool: "files_say", input: {} })
  expect(first.results).toEqual(["said nothing"])
  expect((await first.itemOf("files"))?.state).toBe("ready")
})

test("a required server is waited for", async () => {
  const { toolNames } = await runServers({ mcp: { files: { ...hostile("plain"), required: true } } })
  expect(await toolNames()).toContain("files_say")
})

test("a required server that does not start fails the turn by name", async () => {
  const { run } = await runServers({ mcp: { files: { ...hostile("dead"), required: true } } })
  await run.prompt("Hello")
  const { items } = await run.messages()
  const message = JSON.stringify(items.at(-1)?.info)
  expect(message).toContain('The MCP server \\"files\\" did not start')
  expect(message).toContain("no configuration was found")
})

test("a server that ends at the newer handshake gets the older one", async () => {
  const { toolNames, untilState } = await runServers({ mcp: { files: hostile("old") } })
  await toolNames()
  await untilState("files", ["ready"])
  expect(await toolNames()).toContain("files_say")
})

test.each(["silent", "dead"])("a %s server delays and fails no turn", async (mode) => {
  const { toolNames, itemOf, untilState } = await runServers({ mcp: { bad: hostile(mode), good: hostile("plain") } })
  await toolNames()
  await untilState("good", ["ready"])
  expect(await toolNames()).toContain("good_say")
  if (mode === "dead") {
    const item = await untilState("bad", ["failed"])
    expect(item.error).toContain("no configuration was found")
  } else expect((await itemOf("bad"))?.state).toBe("starting")
})

test("which tools are wanted is chosen by their own names", async () => {
  const mcp = {
    some: { ...hostile("names"), enabled_tools: ["a *"] },
    none: { ...hostile("plain"), disabled_tools: ["s?y"] },
    off: { ...hostile("plain"), enabled: false },
  }
  const { toolNames, untilState, itemOf } = await runServers({ mcp })
  await toolNames()
  await Promise.all(["some", "none"].map((name) => untilState(name, ["ready"])))
  const names = (await toolNames()).filter((name) => /^(some|none|off)_/.test(name))
  expect(names).toEqual(["some_a_b"])
  expect((await itemOf("off"))?.state).toBe("off")
})

test("a person switches a server off and on", async () => {
  const { run, projectID, toolNames, untilState, itemOf } = await runServers({ mcp: { files: hostile("plain") } })
  await toolNames()
  await untilState("files", ["ready"])
  const named = { kind: "mcp", name: "files" } as const
  await run.runtime.extension.switch(projectID, named, "off")
  expect(await toolNames()).not.toContain("files_say")
  expect((await itemOf("files"))?.state).toBe("off")
  await run.runtime.extension.switch(projectID, named, "on")
  expect(await toolNames()).toContain("files_say")
})

test("a server of another program is off until somebody switches it on", async () => {
  const { run, projectID, toolNames, untilState, itemOf } = await runServers({ others: { theirs: hostile("plain") } })
  await toolNames()
  expect(await itemOf("theirs")).toMatchObject({ state: "waits", origin: { file: "/other.json" } })
  const named = { kind: "mcp", name: "theirs" } as const
  await run.runtime.extension.switch(projectID, named, "on")
  await toolNames()
  await untilState("theirs", ["ready"])
  expect(await toolNames()).toContain("theirs_say")
  await run.runtime.extension.switch(projectID, named, "off")
  expect((await itemOf("theirs"))?.state).toBe("off")
})

test("calls are asked for, and read-only ones of the user's are not", async () => {
  const mcp = { act: hostile("plain"), look: hostile("reads") }
  const { run, toolNames, untilState, call, results } = await runServers({ mcp, permission: {} })
  await toolNames()
  await Promise.all(["act", "look"].map((name) => untilState(name, ["ready"])))
  await call({ tool: "look_look", input: {} })
  expect(results).toEqual(["seen"])
  const ending = call({ tool: "act_say", input: { word: "x" } })
  const asked = await run.until(({ type }) => type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("not asked")
  const { request } = asked.properties
  expect(request).toMatchObject({ permission: "act_say", metadata: { title: "say of the MCP server “act”" } })
  await run.runtime.permission.reply(request.id, "once")
  await ending
  expect(results.at(-1)).toBe("said x")
})

test("rules name a server's tools, one or all", async () => {
  const mcp = { act: hostile("plain"), git: { ...hostile("plain"), permission: "allow" } }
  const permission = { "act_*": "deny", git_say: "allow" }
  const { run, toolNames, untilState, call, results, projectID } = await runServers({ mcp, permission })
  await toolNames()
  await Promise.all(["act", "git"].map((name) => untilState(name, ["ready"])))
  const names = await toolNames()
  expect(names).toContain("git_say")
  expect(names).not.toContain("act_say")
  await call({ tool: "git_say", input: { word: "y" } })
  expect(results).toEqual(["said y"])
  const { problems } = await run.runtime.config.get(projectID)
  expect(problems).toEqual([])
})

test("a tool whose description changed is asked for again", async () => {
  const { run, toolNames, untilState, call } = await runServers({ mcp: { it: hostile("changes") }, permission: {} })
  await toolNames()
  await untilState("it", ["ready"])
  const askedFor = () => run.events.filter(({ type }) => type === "permission.asked")
  const allow = async (count: number) => {
    const ending = call({ tool: "it_change", input: {} })
    const asked = await run.until((event) => event.type === "permission.asked" && askedFor().indexOf(event) === count)
    if (asked.type !== "permission.asked") throw new Error("not asked")
    await run.runtime.permission.reply(asked.properties.request.id, "always")
    await ending
  }
  await allow(0)
  // The list is read again a moment after the server said so.
  while ((await run.runtime.extension.list(run.session.projectID))[0]?.tools[0]?.description !== "Does change.!")
    await new Promise((resolve) => setTimeout(resolve, 10))
  await allow(1)
  expect(askedFor()).toHaveLength(2)
})

test("wrong arguments never reach the server", async () => {
  const fixture = await runServers()
  const { log } = fixture
  const own = await runServers({ mcp: { files: hostile("plain", log) } })
  await own.toolNames()
  await own.untilState("files", ["ready"])
  await own.call({ tool: "files_say", input: { word: 5 } })
  expect(own.results[0]).toContain("must be string")
  expect(existsSync(log)).toBe(true)
  expect((await fixture.noted()).filter((line) => line.startsWith("call"))).toEqual([])
})
