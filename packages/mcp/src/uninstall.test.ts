import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, test } from "vitest"
import { hostile, runServers } from "./test/run-servers.ts"
import { startSignInServer } from "./test/sign-in-server.ts"

const named = (name: string) => ({ kind: "mcp", name }) as const

test("an own server is uninstalled: its entry goes, and it ends", async () => {
  const found = await runServers({ mcp: { here: hostile("plain"), there: hostile("names") } })
  const { run, projectID, directory, toolNames, untilState, itemOf } = found
  const file = path.join(directory, ".home/.config/docket/docket.json")
  await toolNames()
  await untilState("here", ["ready"])
  expect((await itemOf("here"))?.removal).toEqual({
    how: "entry",
    words: expect.stringContaining(`goes from ${file}.`),
  })
  await run.runtime.extension.switch(projectID, named("here"), "off")
  await run.runtime.extension.uninstall(projectID, named("here"))
  expect(Object.keys(JSON.parse(await readFile(file, "utf8")).mcp)).toEqual(["there"])
  expect((await found.items()).map(({ title }) => title)).toEqual(["there"])
  expect(await toolNames()).not.toContain("here_say")
  // Somebody who adds it again does not find it switched off.
  await writeFile(file, JSON.stringify({ permission: "allow", mcp: { here: hostile("plain") } }))
  await expect.poll(async () => (await itemOf("here"))?.switched).toBe(null)
  await expect(run.runtime.extension.uninstall(projectID, named("gone"))).rejects.toThrow(
    'There is no MCP server "gone"',
  )
})

test("the sign-in to an uninstalled server is forgotten", async () => {
  const server = await startSignInServer()
  const { run, projectID, directory, untilState } = await runServers({
    mcp: { crm: { type: "remote", url: server.url } },
  })
  const { extension } = run.runtime
  await run.prompt("Hello")
  await untilState("crm", ["needs-login"])
  const begun = await extension.signIn(projectID, named("crm"), { method: "browser", forAll: false })
  const page = await fetch(begun?.address ?? "", { redirect: "manual" })
  await extension.finishSignIn(projectID, named("crm"), page.headers.get("location") ?? "")
  await untilState("crm", ["ready"])
  const file = path.join(directory, ".home/.config/docket/docket.json")
  const before = await readFile(file, "utf8")
  await extension.uninstall(projectID, named("crm"))
  await writeFile(file, before)
  await expect.poll(async () => (await extension.list(projectID)).length).toBe(1)
  expect(await extension.start(projectID, named("crm"))).toMatchObject({ state: "needs-login" })
})

test("servers of a project and of other programs stay, and say why", async () => {
  const project = JSON.stringify({ mcpServers: { ours: { command: "ours" } } })
  const { run, projectID, directory, trust, itemOf } = await runServers({
    files: { ".mcp.json": project },
    others: { theirs: hostile("plain") },
  })
  await trust()
  const words = { ours: "belongs to the project", theirs: "stands in /other.json" }
  for (const [name, why] of Object.entries(words)) {
    expect((await itemOf(name))?.removal).toEqual({ how: "stays", words: expect.stringContaining(why) })
    await expect(run.runtime.extension.uninstall(projectID, named(name))).rejects.toThrow(why)
  }
  expect(await readFile(path.join(directory, ".mcp.json"), "utf8")).toBe(project)
})
