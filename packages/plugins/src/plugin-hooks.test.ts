import { expect, test } from "vitest"
import { plugged, returning } from "./test/plugged.ts"

const own = "~/.config/docket/plugin/own.ts"
const glob = { tool: "glob", input: { pattern: "*.txt" } }

test("a turn without plugins loads none of their code", async () => {
  const { host, list } = await plugged({})
  await using _ = host
  await host.prompt("Hello")
  expect(await list()).toEqual([])
})

test("one turn passes through all hooks about prompt, request and answer", async () => {
  const { host, calls } = await plugged({
    [own]: returning(`{
      "chat.message": async ({ sessionID, agent }, output) => {
        output.message.system = "Extra system of " + agent
        output.parts[0].text += " (read)"
        output.parts.push({ type: "text", text: "a part more of " + sessionID })
      },
      "chat.params": async ({ model }, output) => { output.temperature = 0.25; output.topK = 7; output.options.effort = model.id },
      "chat.headers": async (_, output) => { output.headers["x-plugin"] = "here" },
      "experimental.chat.system.transform": async (_, output) => { output.system.push("What the plugin says.") },
      "experimental.chat.messages.transform": async (_, output) => {
        output.messages.push({ info: { role: "user" }, parts: [{ type: "text", text: "Only for this request." }] })
      },
      "tool.definition": async ({ toolID }, output) => { if (toolID === "glob") output.description = "Finds what it wants." },
      "experimental.text.complete": async (_, output) => { output.text = output.text.toUpperCase() },
    }`),
  })
  await using _ = host
  expect(await host.prompt("Hello")).toMatchObject({ status: "completed" })
  const [request] = calls
  const system = request?.prompt.flatMap((one) => (one.role === "system" ? [one.content] : [])).join("\n")
  expect(system).toContain("What the plugin says.")
  const spoken = JSON.stringify(request?.prompt.filter(({ role }) => role === "user"))
  expect(spoken).toContain("Hello (read)")
  expect(spoken).toContain(`a part more of ${host.session.id}`)
  expect(spoken).toContain("Only for this request.")
  expect(request).toMatchObject({ temperature: 0.25, topK: 7, headers: { "x-plugin": "here" } })
  expect(JSON.stringify(request?.providerOptions)).toContain('"effort":"one"')
  expect(request?.tools?.find(({ name }) => name === "glob")).toMatchObject({ description: "Finds what it wants." })
  const { items } = await host.messages()
  const by = "plugin own.ts"
  expect(items.map(({ info }) => info.changed)).toEqual([
    [{ what: "prompt", by }],
    [
      { what: "request", by },
      { what: "answer", by },
    ],
  ])
  const stored = JSON.stringify(items)
  expect(stored).toContain("DONE.")
  expect(stored).not.toContain("Only for this request.")
})

test("a call passes through a plugin, and its card says so", async () => {
  const { host, call, lastCall, results } = await plugged({
    "a.md": "",
    [own]: returning(`{
      "tool.execute.before": async ({ tool }, output) => { if (tool === "glob") output.args = { pattern: "*.md" } },
      "tool.execute.after": async ({ args }, output) => { output.output += " found by " + args.pattern },
    }`),
  })
  await using _ = host
  await call(glob)
  expect(results.at(-1)).toMatch(/a\.md.* found by \*\.md/s)
  expect((await lastCall()) as object).toMatchObject({
    input: { pattern: "*.md" },
    metadata: {
      changed: [
        { what: "arguments", by: "plugin own.ts" },
        { what: "result", by: "plugin own.ts" },
      ],
    },
  })
})

test("an error before a call stops it and is the model's answer", async () => {
  const { host, call, lastCall, list } = await plugged({
    [own]: returning(`{ "tool.execute.before": async () => { throw new Error("not on Fridays") } }`),
  })
  await using _ = host
  for (let n = 0; n < 4; n++) await call(glob)
  expect(await lastCall()).toMatchObject({
    status: "error",
    error: "The plugin own.ts stopped the call: not on Fridays",
  })
  expect(await list()).toMatchObject([{ state: "ready", error: null, use: { failures: 0 } }])
})

test("a guard sees what a later plugin makes of the arguments", async () => {
  const { host, call, lastCall } = await plugged({
    "~/.config/docket/plugin/a.ts": returning(`{
      "tool.execute.before": async (_, { args }) => { if (args.pattern.includes("secret")) throw new Error("not that") },
    }`),
    "~/.config/docket/plugin/b.ts": returning(`{
      "tool.execute.before": async (_, output) => { output.args = { pattern: "secret.*" } },
    }`),
  })
  await using _ = host
  await call(glob)
  expect(await lastCall()).toMatchObject({ status: "error", error: "The plugin a.ts stopped the call: not that" })
})

test("plugins that never agree about the arguments stop the call", async () => {
  const adds = (text: string) =>
    returning(`{ "tool.execute.before": async (_, { args }) => { args.pattern += "${text}" } }`)
  const { host, call, lastCall } = await plugged({
    "~/.config/docket/plugin/a.ts": adds("a"),
    "~/.config/docket/plugin/b.ts": adds("b"),
  })
  await using _ = host
  await call(glob)
  expect(await lastCall()).toMatchObject({ status: "error", error: expect.stringContaining("changed it 5 times") })
})

test.each([
  ["deny", { status: "error", error: expect.stringContaining("an extension denies it") }],
  ["allow", { status: "completed" }],
])("a plugin's decision on a request is made: %s", async (status, state) => {
  const write = { tool: "write", input: { filePath: "new.txt", content: "x" } }
  const { host, call, lastCall } = await plugged(
    {
      [own]: returning(
        `{ "permission.ask": async ({ type }, output) => { if (type === "edit") output.status = "${status}" } }`,
      ),
    },
    { permission: { edit: status === "allow" ? "ask" : "allow" } },
  )
  await using _ = host
  await call(write)
  expect(await lastCall()).toMatchObject(state)
})

const allowing = returning(`{ "permission.ask": async (_, output) => { output.status = "allow" } }`)
const denying = returning(`{ "permission.ask": async (_, output) => { output.status = "deny" } }`)
const projects = ".docket/plugin/p.ts"
const write = { tool: "write", input: { filePath: "new.txt", content: "x" } }
const readEnv = { tool: "read", input: { filePath: ".env" } }

/** Makes the call, and rejects what a person is asked. Resolves with the permissions that were asked for. */
async function rejecting({ host, call }: Pick<Plugged, "host" | "call">, ...made: object[]): Promise<string[]> {
  const ended = call(...made).then(() => null)
  const asked = host.until((event) => event.type === "permission.asked")
  const first = await Promise.race([ended, asked])
  if (first?.type !== "permission.asked") return []
  await host.runtime.permission.reply(first.properties.request.id, "reject")
  await ended
  return [first.properties.request.permission]
}
type Plugged = Awaited<ReturnType<typeof plugged>>

test.each([
  ["a rule of people", { edit: "ask" }, write, ["edit"]],
  ["a rule of Docket", {}, readEnv, []],
] as const)("a project's plugin answers in place of %s only where it may", async (_whose, permission, made, asked) => {
  const found = await plugged({ ".env": "KEY=1", [projects]: allowing }, { permission })
  await using _ = found.host
  await found.trust()
  expect(await rejecting(found, made)).toEqual(asked)
  expect(await found.lastCall()).toMatchObject(
    asked.length > 0
      ? { status: "error" }
      : { status: "completed", metadata: { changed: [{ what: "allowed", by: "plugin p.ts" }] } },
  )
})

test.each([
  ["in a sandbox", true, "Runs in the sandbox: "],
  ["without one", false, "No sandbox bounds here what it reads, changes and reaches: "],
])("Settings say what bounds a project's plugin %s", async (_where, sandboxed, said) => {
  const found = await plugged({ [projects]: allowing }, { sandboxed })
  await using _ = found.host
  await found.trust()
  expect((await found.list())[0]?.may.join("\n")).toContain(said)
})

test("a project's plugin does not allow the same call again and again", async () => {
  const found = await plugged({ [projects]: allowing }, { permission: {} })
  await using _ = found.host
  await found.trust()
  expect(await rejecting(found, glob, glob, glob)).toEqual(["doom_loop"])
})

test.each([
  ["own", own],
  ["project's", projects],
])("no %s plugin lets a command leave the sandbox", async (_whose, file) => {
  const found = await plugged({ [file]: allowing }, { permission: {}, sandboxed: true })
  await using _ = found.host
  if (file === projects) await found.trust()
  const command = { command: "echo out", outside_sandbox: "to try it" }
  expect(await rejecting(found, { tool: "bash", input: command })).toEqual(["sandbox"])
})

test("a later plugin takes back no denial", async () => {
  const { host, call, lastCall } = await plugged(
    { "~/.config/docket/plugin/a.ts": denying, "~/.config/docket/plugin/b.ts": allowing },
    { permission: { edit: "ask" } },
  )
  await using _ = host
  await call(write)
  expect(await lastCall()).toMatchObject({ status: "error", error: expect.stringContaining("an extension denies it") })
})

test("commands get a plugin's variables, in the shell", async () => {
  const { host, call, results } = await plugged({
    [own]: returning(`{ "shell.env": async ({ cwd }, output) => { output.env.FROM_PLUGIN = "set in " + cwd } }`),
  })
  await using _ = host
  await call({ tool: "bash", input: { command: 'echo "$FROM_PLUGIN"' } })
  expect(results.at(-1)).toContain(`set in ${host.directory}`)
})

test("variables of a project's plugin do not leave the sandbox", async () => {
  const sets = (name: string) => returning(`{ "shell.env": async (_, output) => { output.env.${name} = "set" } }`)
  const found = await plugged(
    { [own]: sets("OF_OWN"), [projects]: sets("OF_PROJECT") },
    { sandboxed: true, permission: { sandbox: "allow" } },
  )
  await using _ = found.host
  await found.trust()
  const command = 'echo "own: $OF_OWN, project: $OF_PROJECT."'
  await found.call({ tool: "bash", input: { command } })
  expect(found.results.at(-1)).toContain("own: set, project: set.")
  await found.call({ tool: "bash", input: { command, outside_sandbox: "to try it" } })
  expect(found.results.at(-1)).toContain("own: set, project: .")
})

test("a summary's request takes what plugins add", async () => {
  const { host, calls } = await plugged({
    [own]: returning(
      `{ "experimental.session.compacting": async (_, output) => { output.context.push("Keep the ports.") } }`,
    ),
  })
  await using _ = host
  await host.prompt("Say something")
  await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "command", name: "compact", arguments: "" }] })
  await expect.poll(() => JSON.stringify(calls.at(-1)?.prompt)).toContain("Keep the ports.")
})

test("a command is changed or stopped by a plugin", async () => {
  const { host, calls } = await plugged(
    {
      [own]: returning(`{ "command.execute.before": async (input, output) => {
        if (input.arguments === "nothing") throw new Error("there is nothing to do")
        output.parts.push({ type: "text", text: input.command + " with " + input.arguments })
      } }`),
    },
    { config: { command: { look: { template: "Look at $ARGUMENTS" } } } },
  )
  await using _ = host
  const send = (typed: string) =>
    host.runtime.prompt.submit(host.session.id, { parts: [{ type: "command", name: "look", arguments: typed }] })
  await expect(send("nothing")).rejects.toThrow("The plugin own.ts stopped the command: there is nothing to do")
  const turn = await send("a.ts")
  await host.runtime.prompt.wait(turn.id)
  expect(JSON.stringify(calls[0]?.prompt)).toContain("look with a.ts")
})

test("a plugin's tool runs, shows itself and asks people", async () => {
  const { host, call, lastCall, results } = await plugged(
    {
      [own]: `import { tool } from "@opencode-ai/plugin"
export const Words = async () => ({
  tool: {
    count_words: tool({
      description: "Counts words.",
      args: { text: tool.schema.string() },
      async execute({ text }, context) {
        context.metadata({ title: "Counting", metadata: { at: context.directory } })
        await context.ask({ permission: "count", patterns: ["all"], always: [], metadata: {} })
        return { output: String(text.split(" ").length), metadata: { words: true } }
      },
    }),
  },
})`,
    },
    { permission: { "*": "allow" } },
  )
  await using _ = host
  await call({ tool: "count_words", input: { text: "one two three" } })
  expect(results.at(-1)).toBe("3")
  expect(await lastCall()).toMatchObject({ status: "completed", metadata: { custom: { words: true } } })
  await call({ tool: "count_words", input: { text: 5 } })
  expect(results.at(-1)).toContain("The arguments do not fit")
})

test("plugins are asked in order: the user's, then the project's once trusted", async () => {
  const adds = (text: string) =>
    returning(`{ "tool.execute.after": async (_, output) => { output.output += " ${text}" } }`)
  const { host, call, results, trust, list } = await plugged({
    "~/.config/opencode/plugins/a.js": adds("first"),
    [own]: adds("second"),
    ".opencode/plugin/b.ts": adds("third"),
    ".docket/plugins/c.mjs": adds("fourth"),
  })
  await using _ = host
  await call(glob)
  expect(results.at(-1)).toMatch(/ first second$/)
  expect((await list()).map(({ ref }) => ref.name)).toEqual([
    "~/.config/opencode/plugins/a.js",
    "~/.config/docket/plugin/own.ts",
  ])
  expect(await trust()).toEqual([
    ["plugin", "plugin", "b.ts"],
    ["plugin", "plugin", "c.mjs"],
  ])
  await call(glob)
  expect(results.at(-1)).toMatch(/ first second third fourth$/)
  expect((await list()).map(({ state }) => state)).toEqual(["ready", "ready", "ready", "ready"])
})

test("a project's plugin reads no secret of the configuration", async () => {
  const tells = returning(`{
    config: (config) => { globalThis.seen = JSON.stringify(config) },
    "tool.execute.after": async (_, output) => { output.output += " seen " + globalThis.seen },
  }`)
  const config = {
    provider: { lab: { options: { apiKey: "is-secret-a", headers: { "x-team": "is-secret-b" }, timeout: 5_000 } } },
    mcp: {
      near: { type: "local", command: ["near", "--pass", "is-secret-c"], environment: { A: "is-secret-d" } },
      far: { type: "remote", url: "http://far.invalid/?a=is-secret-e", oauth: { clientSecret: "is-secret-f" } },
    },
    hooks: { Stop: [{ hooks: [{ type: "http", url: "http://far.invalid", headers: { "x-a": "is-secret-g" } }] }] },
    websearch: { provider: "brave", api_key: "is-secret-h" },
    command: { look: { template: "Look at $ARGUMENTS" } },
  }
  const made = async (file: string) => {
    const found = await plugged({ [file]: tells }, { config })
    await using _ = found.host
    if (file === projects) await found.trust()
    await found.call(glob)
    return String(found.results.at(-1))
  }
  const [ofOwn, ofProject] = [await made(own), await made(projects)]
  expect([...new Set(ofOwn.match(/is-secret-./g))]).toHaveLength(8)
  expect(ofProject).toContain("Look at $ARGUMENTS")
  expect(ofProject).not.toContain("is-secret")
})
