import { growth } from "@docket/core/test/growth"
import { expect, test } from "vitest"
import { createCommand } from "./create-command.ts"
import { mentionedResources } from "./mentioned-resources.ts"
import type { PooledServer } from "./server-pool.ts"
import { readPromptArguments } from "./server-prompt.ts"
import { everything } from "./test/everything.ts"
import { hostile, runServers } from "./test/run-servers.ts"
import { createWatchedResources } from "./watched-resources.ts"

async function ready() {
  const fixture = await runServers({ mcp: { ev: await everything("stdio"), plain: hostile("plain") } })
  await fixture.toolNames()
  await Promise.all(["ev", "plain"].map((name) => fixture.untilState(name, ["ready"])))
  const { run } = fixture
  const send = async (part: { type: "command"; name: string; arguments: string } | { type: "text"; text: string }) => {
    const turn = await run.runtime.prompt.submit(run.session.id, { parts: [part] })
    await run.runtime.prompt.wait(turn.id)
  }
  return { ...fixture, send }
}

test("a server's prompts are commands with arguments by order or name", async () => {
  const { run, projectID, send, told } = await ready()
  const commands = await run.runtime.command.list(projectID)
  expect(commands.filter(({ name }) => name.startsWith("ev:")).map(({ name, hint }) => [name, hint])).toEqual([
    ["ev:simple-prompt", null],
    ["ev:args-prompt", "<city> [state]"],
    ["ev:completable-prompt", "<department> <name>"],
    ["ev:resource-prompt", "<resourceType> <resourceId>"],
  ])
  await send({ type: "command", name: "ev:args-prompt", arguments: '"New Orleans" state=Louisiana' })
  expect(told()).toContain("What's weather in New Orleans, Louisiana?")
  await send({ type: "command", name: "ev:resource-prompt", arguments: "Text 1" })
  expect(told()).toContain("[resource demo://resource/dynamic/text/1]")
  await expect(send({ type: "command", name: "ev:args-prompt", arguments: "" })).rejects.toThrow(
    "/ev:args-prompt needs more than that: city. Write it as /ev:args-prompt <city> [state]",
  )
})

test("a server's prompt hides nothing from who sends it", async () => {
  const server = {
    name: "far",
    scope: "user",
    file: "docket.json",
    files: new Map(),
    line: null,
    config: hostile("plain"),
  } as const
  const text = "Hello\u{e0072}\u{e006d}\u202e there"
  const said = { role: "user", content: { type: "text", text } } as const
  const prompt = { name: "ask", description: "", arguments: [] }
  const { expand } = createCommand(server, prompt, async () => ({ messages: [said] }))
  expect(await expand?.("")).toEqual([{ type: "text", text: "Hello\\u{e0072}\\u{e006d}\\u{202e} there" }])
})

test("a resource that a prompt names goes with it", async () => {
  const { send, told } = await ready()
  await send({ type: "text", text: "Read @ev:demo://resource/static/document/architecture.md, please." })
  expect(told()).toContain('<resource server="ev" uri="demo://resource/static/document/architecture.md">')
  await send({ type: "text", text: "And @ev:demo://nowhere" })
  expect(told()).toContain('The resource demo://nowhere of the MCP server "ev" could not be read')
  await send({ type: "text", text: "Mail me@other:ftp://example or @other:ftp://x" })
  expect(told()).not.toContain("<resource")
})

test("a resource that changed since a prompt named it is told of", async () => {
  const { log, noted } = await runServers()
  const { run, call, told } = await runServers({ mcp: { w: { ...hostile("watches", log), required: true } } })
  await run.prompt("Hello")
  await run.prompt("See @w:item://one")
  expect(told()).toContain("What it says.")
  expect(await noted()).toContain("subscribe item://one")
  await call({ tool: "w_alter", input: {} })
  expect(told()).toContain('- item://one of the MCP server "w"')
  expect(told()).not.toContain("item://other")
  // Once it is read again, nothing is said any more.
  await run.prompt("See @w:item://one again")
  expect(told()).not.toContain("changed-resources")
})

test("what a session reads again is no change any more", () => {
  const entry = { server: { name: "w" }, resourceChanges: new Map([["item://one", 0]]) } as unknown as PooledServer
  const watched = createWatchedResources()
  watched.watch("ses_a", entry, "item://one")
  watched.watch("ses_b", entry, "item://one")
  entry.resourceChanges.set("item://one", 2)
  watched.read("ses_a", entry, "item://one")
  expect([watched.changedIn("ses_a"), watched.changedIn("ses_b")]).toEqual([[], [{ server: "w", uri: "item://one" }]])
})

test("models list and read resources by one tool", async () => {
  const { call, results, toolNames, offered } = await ready()
  expect(await toolNames()).toContain("read_mcp_resource")
  const tool = offered.at(-1)?.find(({ name }) => name === "read_mcp_resource")
  // Only servers that say that they have resources are asked.
  expect(tool?.description).toContain("Servers with resources: ev.")
  await call({ tool: "read_mcp_resource", input: { server: "ev" } })
  expect(results.at(-1)).toContain("demo://resource/dynamic/text/{resourceId}")
  await call({ tool: "read_mcp_resource", input: { server: "ev", uri: "demo://resource/dynamic/text/7" } })
  expect(results.at(-1)).toContain("[resource demo://resource/dynamic/text/7]")
  await call({ tool: "read_mcp_resource", input: { server: "plain" } })
  expect(results.at(-1)).toContain('No MCP server "plain" has resources')
})

test.each([
  ["one two", { a: "one", b: "two" }],
  ["b=two one", { a: "one", b: "two" }],
  [`a="x y" 'p q'`, { a: "x y", b: "p q" }],
])("what is typed after a prompt's name is read: %s", (typed, values) => {
  const prompt = { name: "p", description: "", arguments: ["a", "b"].map((name) => ({ name, required: true })) }
  expect(readPromptArguments(prompt, typed)).toEqual({ values })
})

test("a single argument is everything that was typed", () => {
  const prompt = { name: "p", description: "", arguments: [{ name: "a", required: true }] }
  expect(readPromptArguments(prompt, " New York ")).toEqual({ values: { a: "New York" } })
  expect(readPromptArguments(prompt, "")).toEqual({ missing: ["a"] })
})

test("mentions end before a sentence does, and mail addresses are none", () => {
  expect(mentionedResources("See @a:file:///x.md. And (@b:db://t/1), me@c:http://d")).toEqual([
    { server: "a", uri: "file:///x.md" },
    { server: "b", uri: "db://t/1" },
  ])
})

test("time to read an address of endless signs grows as it does", async () => {
  const read = (size: number) => mentionedResources(`See @far:a://${"!".repeat(size)}x`)
  expect(await growth(read, { small: 4_000, large: 40_000 })).toBeLessThan(40)
})
