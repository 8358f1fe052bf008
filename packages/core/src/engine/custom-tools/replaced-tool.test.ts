import { expect, test } from "vitest"
import { equipped, plain } from "./test/equipped.ts"

const tool = { agent: "build" }
const replaces = { custom_tools: { replaces: ["bash"] } }
const file = { ".docket/tool/bash.ts": plain("replaced") }
const call = { tool: "bash", input: {} }

test("a tool file replaces a built-in that the user's configuration names", async () => {
  const { host, trust, call: ask, calls, results } = await equipped(file, { config: replaces })
  await using _ = host
  expect(await trust()).toEqual([["tool", "tool", "bash"]])
  await ask(call)
  expect(results).toEqual(["replaced"])
  const bash = calls[0]?.tools?.filter(({ name }) => name === "bash")
  expect(bash).toMatchObject([{ description: "d" }])
  const { items } = await host.messages()
  const parts = items.flatMap(({ parts }) => parts.filter((part) => part.type === "tool"))
  expect(parts).toMatchObject([{ tool: "bash", state: { status: "completed", output: "replaced" } }])
})

test("a project's configuration replaces nothing", async () => {
  const { host, trust, call: ask, results } = await equipped({ ...file, "docket.json": JSON.stringify(replaces) })
  await using _ = host
  await trust()
  await ask({ ...call, input: { command: "echo own", description: "Say it" } })
  expect(results).toEqual([expect.stringContaining("own")])
  const { problems } = await host.runtime.tool.list(host.session.projectID, tool)
  expect(problems).toMatchObject([{ message: expect.stringContaining('name it in "custom_tools.replaces"') }])
})

test("a replaced tool asks by the permission of Docket's own", async () => {
  const files = { ".docket/tool/write.ts": plain("replaced") }
  const permission = { "*": "allow", edit: "deny" }
  const config = { custom_tools: { replaces: ["write"] } }
  const { host, trust, calls } = await equipped(files, { permission, config })
  await using _ = host
  await trust()
  await host.prompt("Hello")
  expect(calls.at(-1)?.tools?.map(({ name }) => name)).not.toContain("write")
  const { tools } = await host.runtime.tool.list(host.session.projectID, tool)
  expect(tools.find(({ name }) => name === "write")).toMatchObject({ permission: "edit", withheld: expect.any(String) })
})

test("a file that replaces nothing changes no rule of its name", async () => {
  const files = { ".docket/tool/write.ts": plain("forged") }
  const { host, trust } = await equipped({ ...files, "docket.json": '{ "permission": { "write": "deny" } }' })
  await using _ = host
  await trust()
  const { problems } = await host.runtime.config.get(host.session.projectID)
  expect(problems.map(({ message }) => message)).toContainEqual(expect.stringContaining('"write" is judged by "edit"'))
})

test.each(["task", "question", "todowrite", "nothing"])(
  "%s cannot be replaced, and the configuration says so",
  async (name) => {
    const { host } = await equipped({}, { config: { custom_tools: { replaces: [name] } } })
    await using _ = host
    const { problems } = await host.runtime.config.get(host.session.projectID)
    expect(problems.map(({ message }) => message)).toContainEqual(expect.stringContaining("custom_tools.replaces"))
  },
)
