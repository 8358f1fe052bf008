import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { createIdSource } from "../../ground/id/create-id.ts"
import type { ToolPart } from "../../ground/schema/index.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { createRuntimeWithServices } from "../../runtime/create-runtime.ts"
import { noPrograms } from "../../setup/config/test/no-programs.ts"
import { createProviders } from "../../setup/provider/create-providers.ts"
import { asLocal } from "../../test/as-local.ts"
import { rehearsalLoader } from "./load-rehearsal.ts"

async function host() {
  const root = await mkdtemp(join(tmpdir(), "docket-rehearsal-"))
  const directory = join(root, "project")
  const dataDirectory = join(root, "data")
  await mkdir(join(directory, "src"), { recursive: true })
  await mkdir(dataDirectory)
  execFileSync("git", ["init", "-q"], { cwd: directory })
  await writeFile(join(directory, "README.md"), "# Jobs\n\nRuns jobs and retries them.\n")
  await writeFile(join(directory, "src/queue.ts"), "export const limit = 3\n\nexport function retryQueue() {}\n")
  const errors: unknown[] = []
  const created = await createRuntimeWithServices({
    programs: noPrograms,
    store: createInMemoryStore(),
    providers: createProviders({ dataDirectory, env: {}, localServers: [], loadRehearsal: rehearsalLoader(0) }),
    createID: createIdSource(Date.now),
    clock: Date.now,
    random: Math.random,
    dataDirectory,
    home: root,
    env: {},
    platform: "linux",
    providerTimeoutMs: 600_000,
    onError: (error) => errors.push(error),
  })
  const runtime = asLocal(created)
  onTestFinished(async () => {
    await runtime.close()
    await rm(root, { recursive: true, force: true })
  })
  const project = await runtime.project.open(directory)
  const session = await runtime.session.create({ projectID: project.id })
  const prompt = async (text: string, agent = "build") => {
    const turn = await runtime.prompt.submit(session.id, { parts: [{ type: "text", text }], agent })
    const ended = await runtime.prompt.wait(turn.id)
    const { items } = await runtime.session.messages({ sessionID: session.id })
    const tools = items.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
    const report = items.at(-1)?.parts.findLast((part) => part.type === "text")?.text ?? ""
    return { ended, tools, report }
  }
  return { directory, runtime, session, prompt, errors }
}

it("without a model a request is planned, delegated and answered with references", async () => {
  const { runtime, session, prompt, errors } = await host()
  const { ended, tools, report } = await prompt("Where is `retryQueue`?")
  expect(ended).toMatchObject({ status: "completed", error: null })
  expect(tools.map(({ state }) => state.status)).toEqual(tools.map(() => "completed"))
  expect(tools.map(({ tool }) => tool)).toEqual([
    "todowrite",
    "task",
    "task",
    "todowrite",
    "grep",
    "read",
    "read",
    "todowrite",
  ])
  expect(report).toContain("`src/queue.ts:3` — `export function retryQueue() {}`")
  const children = await runtime.session.children(session.id)
  expect(children.map(({ agent, status }) => [agent, status.type])).toEqual([
    ["explore", "idle"],
    ["explore", "idle"],
  ])
  const todos = await runtime.todo.list(session.id)
  expect(todos.map(({ status }) => status)).toEqual(todos.map(() => "completed"))
  expect(errors).toEqual([])
})

it("a person's delegation to a subagent is reported and titles the session", async () => {
  const { runtime, session, prompt } = await host()
  const { tools, report } = await prompt("/agent explore Where is `retryQueue`?")
  expect(tools.map(({ tool }) => tool)).toEqual(["task"])
  expect(report).toContain("`src/queue.ts:3` — `export function retryQueue() {}`")
  await expect.poll(async () => (await runtime.session.get(session.id)).title).toMatch(/retryQueue/)
})

it("a retried task is reported without repeating the earlier prompt", async () => {
  const { runtime, session, prompt, errors } = await host()
  await prompt("Where is `retryQueue`?")
  const before = (await runtime.session.messages({ sessionID: session.id })).items.length
  const [task] = await runtime.task.list(session.id)
  await runtime.task.retry(task?.id ?? "")
  const isTold = async () =>
    (await runtime.session.get(session.id)).status.type === "idle" &&
    (await runtime.task.list(session.id)).every(({ delivered }) => delivered !== "no")
  await expect.poll(isTold).toBe(true)
  await expect.poll(async () => (await runtime.session.tree(session.id)).turns).toEqual([])
  const later = (await runtime.session.messages({ sessionID: session.id })).items.slice(before)
  expect(later.map(({ info, parts }) => [info.role, parts.filter(({ type }) => type === "tool").length])).toEqual([
    ["user", 0],
    ["assistant", 0],
  ])
  expect(later[1]?.parts.find((part) => part.type === "text")?.text).toContain("is complete.")
  expect(errors).toEqual([])
})

it("a file is written as the request says, except in plan mode", async () => {
  const { directory, prompt } = await host()
  await prompt("write `planned` to plan.txt", "plan")
  await expect(readFile(join(directory, "plan.txt"))).rejects.toThrow("ENOENT")
  await prompt("write `hello there` to docs/hello.md")
  expect(await readFile(join(directory, "docs/hello.md"), "utf8")).toBe("hello there\n")
})
