import { expect, test } from "vitest"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

test("a keyed session.start that is sent again is refused to former members", async () => {
  let isMember = true
  await using host = await scriptedRuntime(() => answer("Done."), { titles: false, isMember: async () => isMember })
  const ann = { person: "ann", workspace: "local" }
  const { session } = host.runtime.as(ann, "k")
  const input = { projectID: host.session.projectID, parts: [{ type: "text" as const, text: "Look" }] }
  const first = await session.start(input)
  expect((await session.start(input)).session.id).toBe(first.session.id)
  isMember = false
  for (const key of ["k", "another"])
    await expect(host.runtime.as(ann, key).session.start(input)).rejects.toMatchObject({ code: "role_forbidden" })
  expect((await session.list({})).items).toHaveLength(2)
})

test("what a session denies holds for its children and under every preset", async () => {
  const command = { tool: "bash", input: { command: "rm gone.txt", description: "Remove" } }
  const task = { tool: "task", input: { description: "Dig", prompt: "Dig", subagent_type: "general" } }
  await using host = await scriptedRuntime(
    (options) => {
      if (toolResults(options).length > 0) return answer(toolResults(options).join())
      return answer("", lastUserText(options).includes("Dig") ? command : task, command)
    },
    { config: { permission: "allow" } },
  )
  const { session } = host.runtime.as({ person: "ann", workspace: "local" })
  const deny = [{ permission: "bash", pattern: "rm *" }]
  const made = await session.create({ projectID: host.session.projectID, deny, preset: "edit" })
  const { id } = await session.promptAsync({ sessionID: made.id, parts: [{ type: "text", text: "Go" }] })
  await session.wait({ turnID: id })
  const { sessions } = await session.tree({ sessionID: made.id })
  const pages = await Promise.all(sessions.map(({ id: sessionID }) => session.messages({ sessionID })))
  const calls = pages.flatMap(({ items }) => items.flatMap(({ parts }) => parts))
  const commands = calls.flatMap((part) => (part.type === "tool" && part.tool === "bash" ? [part.state] : []))
  expect([sessions.length, commands.length]).toEqual([2, 3])
  for (const state of commands)
    expect(state).toMatchObject({ status: "error", error: expect.stringContaining("rules do not allow") })
})
