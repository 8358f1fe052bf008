import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { expect, test } from "vitest"
import { z } from "zod"
import { defineTool } from "../acts/tool/tool.ts"
import type { ExtensionHost, ExtensionPlace } from "../engine/extension/extension-host.ts"
import type { ExtensionItem } from "../ground/schema/index.ts"
import { answer, scriptedRuntime, toolResults } from "../test/scripted-runtime.ts"

const ref = { kind: "mcp", name: "files", projectID: null } as const
const item: ExtensionItem = {
  ...{ ref, title: "files", origin: null, state: "idle", may: ["It reads files."], tools: [], error: null, log: [] },
}

/** A host with one server, whose tool starts a program. */
function serverHost() {
  const restarted: string[] = []
  const host: ExtensionHost = {
    kind: "mcp",
    async tools(_, place) {
      if (!(await place.ledger.isOn(ref))) return []
      return [greeting(place)]
    },
    plug: () => ({ beforeCall: async (input) => ({ ...(input as object), name: "changed" }) }),
    list: async () => [item],
    async restart(_, name) {
      restarted.push(name)
    },
    close: async () => void restarted.push("closed"),
  }
  return { host, restarted }
}

function greeting(place: ExtensionPlace) {
  return defineTool({
    id: "files_greet",
    description: "Greets.",
    parameters: z.strictObject({ name: z.string() }),
    permission: "files_greet",
    parallel: true,
    origin: { kind: "mcp", name: "files", tool: "greet" },
    async execute({ name }) {
      const program = await place.start({
        ...{ file: process.execPath, args: ["-p", `"hello " + ${JSON.stringify(name)}`], cwd: place.project.worktree },
        ...{ env: {}, owner: "mcp", confined: "free", network: "none", mayWrite: false, readable: [] },
      })
      const output = await text(program.stdout)
      await program.ended
      place.ledger.note(ref, { ms: 5, failure: null })
      return { title: "greet", output, metadata: {} }
    },
  })
}

test("an extension's tool starts a program in its place, and is counted", async () => {
  const { host } = serverHost()
  const offered: string[][] = []
  await using run = await scriptedRuntime(
    (call) => {
      offered.push((call.tools ?? []).map(({ name }) => name))
      const results = toolResults(call)
      if (results.length > 0) return answer(String(results[0]))
      return answer("", { tool: "files_greet", input: { name: "you" } })
    },
    { extensions: [host], config: { permission: "allow" } },
  )
  await run.prompt("greet")
  expect(offered[0]).toContain("files_greet")
  const parts = (await run.messages()).items.flatMap((message) => message.parts)
  expect(parts.find((part) => part.type === "tool")).toMatchObject({
    state: { status: "completed", output: "hello changed\n", input: { name: "changed" } },
  })
  const listed = await run.runtime.extension.list(run.session.projectID)
  expect(listed).toMatchObject([{ ...item, switched: null, use: { calls: 1, failures: 0, ms: 5 } }])
})

test("an extension that is switched off offers nothing and is ended", async () => {
  const { host, restarted } = serverHost()
  const offered: boolean[] = []
  {
    await using run = await scriptedRuntime(
      (call) => {
        offered.push((call.tools ?? []).some(({ name }) => name === "files_greet"))
        return answer("Done.")
      },
      { extensions: [host] },
    )
    const { extension } = run.runtime
    await extension.switch(run.session.projectID, { kind: "mcp", name: "files" }, "off")
    await run.prompt("greet")
    await extension.switch(run.session.projectID, { kind: "mcp", name: "files" }, "on")
    await run.prompt("again")
    expect(offered).toEqual([false, true])
    expect(await extension.list(run.session.projectID)).toMatchObject([{ switched: { state: "on" } }])
    const unknown = extension.restart(run.session.projectID, { kind: "mcp", name: "other" })
    await expect(unknown).rejects.toThrow('There is no MCP server "other". The project has files.')
  }
  expect(restarted).toEqual(["files", "files", "closed"])
})

test("a project whose directory is gone is told of by the turn", async () => {
  const { host } = serverHost()
  const seen: string[] = []
  const plug: ExtensionHost["plug"] = (placeOf) => ({
    async prompt(parts, { session }) {
      seen.push((await placeOf({ ...project, id: session.projectID })).project.worktree)
      return parts
    },
  })
  const root = await realpath(await mkdtemp(join(tmpdir(), "docket-gone-")))
  const directory = join(root, "project")
  await mkdir(directory)
  const project = { id: "", name: "gone", directory, worktree: directory, git: false, time: { created: 0, opened: 0 } }
  await using run = await scriptedRuntime(() => answer("Done."), {
    ...{ directory, dataDirectory: "../data", extensions: [{ ...host, plug }] },
  })
  await rm(directory, { recursive: true })
  const turn = await run.prompt("Is anyone home")
  expect(turn.error?.message).toContain("There is no directory")
  expect(seen).toEqual([directory])
  await rm(root, { recursive: true })
})
