import { existsSync, readFileSync } from "node:fs"
import path from "node:path"
import type { DocketClient } from "@docket/client"
import { inject } from "vitest"
import { modelConfig } from "./fixtures/model-config.ts"
import { findProcess, ownSeconds, waitForProcess } from "./fixtures/processes.ts"
import type { Project } from "./fixtures/project.ts"
import type { ScriptedModel } from "./fixtures/scripted-model.ts"
import { expect, outputsOf, settled, test } from "./fixtures/service-test.ts"

/** The servers of npm are development dependencies of this package; the others are Debian's. */
const installed = ["../node_modules/.bin", "../../node_modules/.bin"].map((at) => path.resolve(import.meta.dirname, at))

test.override({
  config: { delegation: { envelope: false }, permission: "allow", lsp: {} },
  variables: { PATH: [...installed, process.env.PATH].join(path.delimiter) },
})

/** Files of each language: without an error, and with one. */
const languages = {
  typescript: { name: "src/a.ts", good: "export const a: number = 1\n", bad: 'export const a: number = "x"\n' },
  pyright: { name: "a.py", good: "a: int = 1\n", bad: 'a: int = "x"\n' },
  json: { name: "a.json", good: '{ "a": 1 }\n', bad: '{ "a": }\n' },
  yaml: { name: "a.yaml", good: "a: 1\n", bad: "a: [1\nb: 2\n" },
  bash: { name: "a.sh", good: "#!/bin/sh\necho hi\n", bad: "#!/bin/sh\nif true; then echo\n" },
  gopls: { name: "a.go", good: "package main\n\nfunc main() {}\n", bad: "package main\n\nfunc main() { x() }\n" },
}

interface Desk {
  client: DocketClient
  model: ScriptedModel
  project: Project
  projectID: string
}

/** A session in which a model writes files; tells what the servers say of each, also when they say it later. */
async function writing({ client, model, projectID }: Desk, server: string) {
  const { id: sessionID } = await client.session.create.mutate({ projectID })
  let prompts = 0
  const prompt = async (calls: { tool: string; args: Record<string, unknown> }[]) => {
    const text = `Step ${++prompts}.`
    model.script({ [text]: [...(calls.length > 0 ? [{ calls }] : []), { text: "Done." }] })
    await client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text }] })
    await settled(client, sessionID)
  }
  const told = new RegExp(`(\\[${server}: no [^\\]]*\\]|${server} reports .*)`, "g")
  return async (filePath: string, content: string): Promise<string> => {
    await prompt([{ tool: "write", args: { filePath, content } }])
    const output = (await outputsOf(client, sessionID, "write")).at(-1) ?? ""
    if (!output.includes("not known yet")) return output
    const seen = JSON.stringify(model.requests.at(-1)).match(told)?.length ?? 0
    // What comes later is told with a later step.
    for (;;) {
      await prompt([])
      const all = JSON.stringify(model.requests.at(-1)).match(told) ?? []
      if (all.length > seen) return all.at(-1) ?? ""
    }
  }
}

test.runIf(inject("full")).for(Object.entries(languages))(
  "%s reports an error that an agent wrote, and its repair",
  async ([id, { name, good, bad }], { client, model, project, projectID, skip }) => {
    await project.write("tsconfig.json", '{ "compilerOptions": { "strict": true } }')
    await project.write("go.mod", "module example.org/a\n\ngo 1.19\n")
    const stateOf = async () => (await client.lsp.list.query({ projectID })).find((server) => server.id === id)
    const state = await stateOf()
    if (state?.state === "absent") {
      process.stdout.write(`Not tried: ${id}. ${state.reason}\n`)
      return skip(state.reason ?? "")
    }
    // Installed, and not started before it is used.
    expect(state).toMatchObject({ state: "ready", running: [] })
    const write = await writing({ client, model, project, projectID }, id)
    expect(await write(name, good)).toContain(`[${id}: no errors in ${name}]`)
    expect(await write(name, bad)).toMatch(new RegExp(`${id} reports [1-4] new errors? in ${name}`))
    expect(await write(name, good)).toMatch(new RegExp(`\\[${id}: no errors in ${name}, [1-4] solved\\]`))
    expect(await stateOf()).toMatchObject({ state: "running", running: [{ files: 1 }] })
  },
)

/** A process with all that it started. */
function processTree(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number)
  return [pid, ...children.flatMap(processTree)]
}

test("kill -9 of Docket leaves no language server running", async ({ client, model, project, projectID, server }) => {
  const write = await writing({ client, model, project, projectID }, "typescript")
  await write("src/a.ts", "export const a: number = 1\n")
  const [running] = (await client.lsp.list.query({ projectID })).flatMap((one) => one.running)
  const tree = processTree(running?.pid ?? 0)
  expect(tree.map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8")).join()).toContain("--lsp")
  await server.kill()
  await expect.poll(() => tree.filter((pid) => existsSync(`/proc/${pid}`)), { timeout: 30_000 }).toEqual([])
})

test("what an agent writes is formatted in a trusted project", async ({ client, model, project, projectID }) => {
  await project.write("biome.json", '{ "formatter": { "indentStyle": "space" } }')
  const write = await writing({ client, model, project, projectID }, "biome")
  const unformatted = "export const a = {b:1}\n"
  expect(await write("src/a.ts", unformatted)).toMatch(/biome did not format src\/a\.ts: .*Trust the project/)
  const { trust } = await client.config.get.query({ projectID })
  await client.config.trust.mutate({ projectID, hash: trust.hash ?? "" })
  expect(await write("src/b.ts", unformatted)).toContain("biome formatted src/b.ts before it was written.")
  expect([await project.read("src/a.ts"), await project.read("src/b.ts")]).toEqual([
    unformatted,
    "export const a = { b: 1 };\n",
  ])
})

test("kill -9 of Docket leaves no formatter running", async ({ client, model, projectID, server }) => {
  const command = ["/bin/sleep", ownSeconds(90)]
  const config = { permission: "allow", formatter: { slow: { command, extensions: [".txt"] } } }
  await server.configure(modelConfig(model.url, config))
  model.script({ Write: [{ calls: [{ tool: "write", args: { filePath: "a.txt", content: "a\n" } }] }] })
  const { id: sessionID } = await client.session.create.mutate({ projectID })
  await client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text: "Write" }] })
  await waitForProcess(command)
  await server.kill()
  await expect.poll(() => findProcess(command), { timeout: 30_000 }).toEqual([])
})
