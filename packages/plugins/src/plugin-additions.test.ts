import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { plugged, returning } from "./test/plugged.ts"

const own = "~/.config/docket/plugin/own.ts"
const projects = ".docket/plugin/p.ts"

/** A plugin that adds these sections to the configuration, and writes down each time that it is loaded. */
function adding(sections: string, loads?: string): string {
  const note = loads === undefined ? "" : `(await import("node:fs")).appendFileSync(${JSON.stringify(loads)}, "x");`
  return returning(`{ config: async (config) => {
    ${note}
    const more = ${sections}
    for (const key of Object.keys(more)) config[key] = { ...config[key], ...more[key] }
  } }`)
}

const helper = `{
  agent: { helper: { description: "Helps.", prompt: "You help.", mode: "primary", permission: { bash: "deny" } } },
  command: { greet: { template: "Greet $ARGUMENTS", description: "Greets.", agent: "helper" } },
}`

async function namesIn({ host }: Pick<Awaited<ReturnType<typeof plugged>>, "host">) {
  const { projectID } = host.session
  const [agents, commands] = await Promise.all([
    host.runtime.agent.list(projectID),
    host.runtime.command.list(projectID),
  ])
  return {
    agents: agents.filter(({ native }) => !native).map(({ name }) => name),
    commands: commands.filter(({ origin }) => origin !== "docket").map(({ name }) => name),
  }
}

test("agents and commands of a plugin count before the first turn", async () => {
  const found = await plugged({ [own]: adding(helper) })
  const { host, calls } = found
  await using _ = host
  expect(await namesIn(found)).toEqual({ agents: ["helper"], commands: ["greet"] })
  const turn = await host.runtime.prompt.submit(host.session.id, {
    parts: [{ type: "command", name: "greet", arguments: "everybody" }],
  })
  await host.runtime.prompt.wait(turn.id)
  const [request] = calls
  expect(JSON.stringify(request?.prompt)).toContain("You help.")
  expect(JSON.stringify(request?.prompt)).toContain("Greet everybody")
  expect(request?.tools?.map(({ name }) => name)).not.toContain("bash")
  const explained = await host.runtime.agent.explain(host.session.projectID)
  expect(explained.find(({ name }) => name === "helper")?.from).toEqual([expect.stringMatching(/plugin\/own\.ts$/)])
  const { agents } = await host.runtime.agent.overview(host.session.projectID)
  expect(agents.find(({ name }) => name === "helper")?.sources).toMatchObject([{ format: "plugin", owner: "user" }])
})

test("what plugins add is known from before, and starts nothing", async () => {
  const found = await plugged({})
  const { host, directory, put, later } = found
  await using _ = host
  const loads = join(directory, "loads")
  await put(own, adding(helper, loads))
  later()
  await namesIn(found)
  await host.runtime.extension.restart(host.session.projectID, {
    kind: "plugin",
    name: "~/.config/docket/plugin/own.ts",
  })
  later()
  expect(await namesIn(found)).toEqual({ agents: ["helper"], commands: ["greet"] })
  expect(readFileSync(loads, "utf8")).toBe("x")
  await put(own, adding(`{ agent: { other: { prompt: "Other." } } }`, loads))
  later()
  expect(await namesIn(found)).toEqual({ agents: ["other"], commands: [] })
  expect(readFileSync(loads, "utf8")).toBe("xx")
})

test("a plugin that adds other things later corrects the lists", async () => {
  const found = await plugged({})
  const { host, directory, put, later } = found
  await using _ = host
  const name = join(directory, "name")
  writeFileSync(name, "first")
  await put(own, adding(`{ agent: { [(await import("node:fs")).readFileSync(${JSON.stringify(name)}, "utf8")]: {} } }`))
  later()
  expect((await namesIn(found)).agents).toEqual(["first"])
  appendFileSync(name, "-again")
  await host.runtime.extension.restart(host.session.projectID, {
    kind: "plugin",
    name: "~/.config/docket/plugin/own.ts",
  })
  expect((await namesIn(found)).agents).toEqual(["first"])
  await host.prompt("Hello")
  later()
  expect((await namesIn(found)).agents).toEqual(["first-again"])
})

test("a trusted project's plugin brings new agents, and changes none", async () => {
  const config = { agent: { mine: { description: "The user's." } }, permission: { edit: "deny", bash: "allow" } }
  const found = await plugged(
    {
      [projects]: adding(`{ agent: {
        mine: { description: "Changed.", prompt: "Changed." },
        build: { description: "Changed.", prompt: "Changed." },
        fresh: { description: "New.", mode: "primary", permission: { edit: "allow", read: "allow" } },
      } }`),
    },
    { config, permission: config.permission },
  )
  const { host, trust, call, lastCall } = found
  await using _ = host
  expect((await namesIn(found)).agents).toEqual(["mine"])
  await trust()
  expect((await namesIn(found)).agents).toEqual(["fresh", "mine"])
  const agents = await host.runtime.agent.list(host.session.projectID)
  expect(agents.filter(({ description, prompt }) => `${description} ${prompt}`.includes("Changed."))).toEqual([])
  await host.runtime.session.update(host.session.id, { agent: "fresh" })
  await call({ tool: "write", input: { filePath: "new.txt", content: "x" } })
  expect(await lastCall()).toMatchObject({ status: "error" })
})

test("the user's files stand above what the user's plugins set", async () => {
  const found = await plugged(
    {
      [own]: adding(`{ agent: {
        helper: { description: "The plugin's.", prompt: "The plugin's.", permission: { bash: "allow", edit: "allow" } },
        build: { prompt: "Builds otherwise." },
      } }`),
    },
    { config: { agent: { helper: { description: "The user's." } } }, permission: { bash: "deny" } },
  )
  const { host, call, lastCall } = found
  await using _ = host
  const agents = await host.runtime.agent.list(host.session.projectID)
  expect(agents.find(({ name }) => name === "helper")).toMatchObject({
    description: "The user's.",
    prompt: "The plugin's.",
  })
  expect(agents.find(({ name }) => name === "build")?.prompt).toBe("Builds otherwise.")
  await host.runtime.session.update(host.session.id, { agent: "helper" })
  await call({ tool: "bash", input: { command: "echo out" } })
  expect(await lastCall()).toMatchObject({ status: "error" })
})

test("what cannot be read of a plugin's agent is asked, and said", async () => {
  const found = await plugged({
    [own]: adding(`{ agent: { odd: { prompt: "Odd.", permission: 7, temperature: "warm" } } }`),
  })
  const { host } = found
  await using _ = host
  const { problems } = await host.runtime.config.get(host.session.projectID)
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('The agent "odd" of the plugin own.ts: "permission"'),
    expect.stringContaining('The agent "odd" of the plugin own.ts: "temperature"'),
  ])
  const odd = (await host.runtime.agent.list(host.session.projectID)).find(({ name }) => name === "odd")
  expect(odd?.permission.filter(({ action }) => action === "allow")).toEqual([])
})

test("a loading plugin that asks for agents is not held up", async () => {
  let list = async (): Promise<object[]> => []
  const found = await plugged({}, { ask: async () => Response.json(await list()) })
  const { host, put, later } = found
  await using _ = host
  list = () => host.runtime.agent.list(host.session.projectID)
  await put(
    own,
    `export default async ({ client }) => {
      const { data } = await client.app.agents()
      return { config: (config) => { config.agent = { ["saw-" + data[0].name]: {} } } }
    }`,
  )
  later()
  expect((await namesIn(found)).agents).toEqual(["saw-build"])
})

test("sections that do not count are named in Settings", async () => {
  const found = await plugged({
    [own]: adding(`{ agent: { helper: {} }, mcp: { far: { type: "remote", url: "http://far.invalid" } } }`),
  })
  await using _ = found.host
  await namesIn(found)
  expect(await found.list()).toMatchObject([{ state: "ready", error: expect.stringContaining("It changes mcp too") }])
})
