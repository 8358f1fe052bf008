import { expect, it } from "vitest"
import { answer, scriptedRuntime } from "../../test/scripted-runtime.ts"

it("lists what a turn offers its model, and why not the rest", async () => {
  let offered: string[] = []
  await using host = await scriptedRuntime(({ tools = [] }) => {
    offered = tools.map(({ name }) => name)
    return answer("Fine.")
  })
  for (const agent of ["build", "plan"]) {
    const { id } = await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "Hi" }], agent })
    await host.runtime.prompt.wait(id)
    const { tools } = await host.runtime.tool.list(host.session.projectID, { agent })
    const names = tools.filter(({ withheld }) => withheld === null).map(({ name }) => name)
    expect(names).toEqual([...offered].sort((a, b) => a.localeCompare(b)))
  }
})

it("follows the model that is asked about", async () => {
  await using host = await scriptedRuntime(() => answer("Fine."))
  const model = { providerID: "openai", modelID: "gpt-5" }
  const { tools } = await host.runtime.tool.list(host.session.projectID, { agent: "build", model })
  const reasons = Object.fromEntries(tools.map(({ name, withheld }) => [name, withheld]))
  expect(reasons).toMatchObject({
    apply_patch: null,
    edit: "the model changes files by apply_patch",
    read: null,
  })
})

it("read is allowed, but for files that hold secrets", async () => {
  await using host = await scriptedRuntime(() => answer("Fine."))
  const { tools } = await host.runtime.tool.list(host.session.projectID, { agent: "build" })
  const found = (name: string) => tools.find((tool) => tool.name === name)
  expect(found("read")).toMatchObject({ action: "allow", partly: true })
  expect(found("glob")).toMatchObject({ action: "allow", partly: false })
  expect(found("webfetch")).toMatchObject({ action: "ask", partly: false })
})

it("says that a model cannot see what read returns of pictures", async () => {
  await using host = await scriptedRuntime(() => answer("Fine."))
  const lackOf = async (modelID: string) => {
    const asked = { agent: "build", model: { providerID: "scripted", modelID } }
    const { tools } = await host.runtime.tool.list(host.session.projectID, asked)
    return tools.find(({ name }) => name === "read")?.lack
  }
  expect(await lackOf("text-only")).toBe("the model cannot see pictures: it reads their names and sizes")
  expect(await lackOf("one")).toBeNull()
})

it("a subagent has nobody to plan with", async () => {
  await using host = await scriptedRuntime(() => answer("Fine."))
  const { tools } = await host.runtime.tool.list(host.session.projectID, { agent: "explore" })
  expect(tools.filter(({ name }) => name.startsWith("plan_"))).toEqual([])
  expect(tools.find(({ name }) => name === "bash")).toBeDefined()
})

it("an unknown agent is an error", async () => {
  await using host = await scriptedRuntime(() => answer("Fine."))
  const listed = host.runtime.tool.list(host.session.projectID, { agent: "nobody" })
  await expect(listed).rejects.toMatchObject({ code: "agent_not_found" })
})
