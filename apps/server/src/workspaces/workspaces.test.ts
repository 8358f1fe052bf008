import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { Runtime, UseCases } from "@docket/core"
import { expect, onTestFinished, test } from "vitest"
import { type OpenedRuntime, openRuntime } from "../open-runtime.ts"

const by = { actor: { kind: "user", name: "user" } } as const

/** The runtimes of a service over SQLite, in a directory with a project for each of these workspaces. */
async function setUp(ids: string[]) {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), "docket-workspaces-")))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const data = path.join(base, "data")
  await mkdir(data)
  const errors: unknown[] = []
  const open = async () => {
    const opened = await openRuntime({
      data,
      config: [],
      report: () => undefined,
      onTaken: () => undefined,
      onError: (error) => errors.push(error),
    })
    let closing: Promise<void> | null = null
    const close = () => (closing ??= opened.runtime.close())
    onTestFinished(close)
    return { ...opened, close }
  }
  const opened = await open()
  for (const id of ids) {
    await mkdir(path.join(base, "work", id), { recursive: true })
    await writeFile(path.join(base, "work", id, "notes.md"), `Notes of ${id}.\n`)
    await opened.workspaces.create(id)
    const own = await asMember(opened, id)
    await own.workspace.update({ roots: [path.join(base, "work", id)] })
  }
  return { base, data, errors, open, opened, directory: (id: string) => path.join(base, "work", id) }
}

async function runtimeOf({ workspaces }: Pick<OpenedRuntime, "workspaces">, id: string): Promise<Runtime> {
  const runtime = await workspaces.runtime(id)
  if (runtime === null) throw new Error(`There is no workspace ${id}.`)
  return runtime
}

const asMember = async (opened: Pick<OpenedRuntime, "workspaces">, id: string, person = `member of ${id}`) =>
  (await runtimeOf(opened, id)).as({ person, workspace: id })

/** A session with one ended turn of the rehearsal model. */
async function work(useCases: UseCases, directory: string) {
  const project = await useCases.project.open({ directory })
  const session = await useCases.session.create({ projectID: project.id })
  const turn = await useCases.session.promptAsync({
    sessionID: session.id,
    parts: [{ type: "text", text: "What is this about?" }],
  })
  await useCases.session.wait({ turnID: turn.id })
  return { project, session }
}

test("two workspaces run side by side with separate rows, files and keys", async () => {
  const { opened, data, directory } = await setUp(["acme", "globex"])
  const [acme, globex] = [await asMember(opened, "acme"), await asMember(opened, "globex")]
  const [mine, other] = await Promise.all([work(acme, directory("acme")), work(globex, directory("globex"))])
  expect((await acme.session.list({})).items.map(({ session }) => session.id)).toEqual([mine.session.id])
  await expect(acme.session.get({ sessionID: other.session.id })).rejects.toMatchObject({ code: "session_not_found" })
  await expect(acme.project.get({ projectID: other.project.id })).rejects.toMatchObject({ code: "project_not_found" })
  await expect(acme.project.open({ directory: directory("globex") })).rejects.toMatchObject({
    code: "directory_not_allowed",
  })
  await acme.provider.saveKey({ providerID: "anthropic", key: "sk-of-acme" })
  const keyFile = (id: string) => path.join(data, "workspaces", id, "auth.json")
  expect(await readFile(keyFile("acme"), "utf8")).toContain("sk-of-acme")
  expect([existsSync(keyFile("globex")), existsSync(path.join(data, "auth.json"))]).toEqual([false, false])
  const first = opened.runtime.as({ person: "local", workspace: "local" })
  expect([await first.session.list({}), await first.project.list()]).toEqual([{ items: [], cursor: null }, []])
  const tasks = await acme.task.list({ sessionID: mine.session.id })
  expect(tasks.length).toBeGreaterThan(0)
})

test("a workspace token reaches its agents; a data-only tenant has none", async () => {
  const { opened, directory } = await setUp(["acme"])
  const { session } = await work(await asMember(opened, "acme"), directory("acme"))
  const useCasesBy = async (tenantID: string) => {
    const { token } = await opened.tenants.createToken({ tenantID, name: "robot" })
    const found = await opened.tenants.byToken(token)
    return found?.tenant.as({ person: "robot", workspace: tenantID })
  }
  const [mine, data] = [await useCasesBy("acme"), await useCasesBy("data-only")]
  expect((await mine?.agents?.session.get({ sessionID: session.id }))?.id).toBe(session.id)
  expect([await mine?.hasSession(session.id), await data?.hasSession(session.id)]).toEqual([true, false])
  expect(data?.agents).toBeNull()
  expect(await (await opened.tenants.of("acme")).as({ person: "a", workspace: "acme" }).projectOf(null)).toBe(
    session.projectID,
  )
})

test("a workspace that fails to open reports it and leaves others running", async () => {
  const { opened, data, directory } = await setUp(["acme"])
  await opened.workspaces.create("broken")
  await writeFile(path.join(data, "workspaces", "broken"), "in the way")
  await expect(runtimeOf(opened, "broken")).rejects.toThrow()
  await work(await asMember(opened, "acme"), directory("acme"))
  await rm(path.join(data, "workspaces", "broken"))
  expect((await (await asMember(opened, "broken")).workspace.get()).roots).toEqual([])
})

test("a removed workspace stops, and leaves neither rows nor files nor tokens", async () => {
  const { opened, data, directory } = await setUp(["acme", "globex"])
  const acme = await asMember(opened, "acme")
  await work(acme, directory("acme"))
  const { token } = await opened.tenants.createToken({ tenantID: "acme", name: "robot" })
  await opened.workspaces.remove("acme")
  expect(await opened.workspaces.runtime("acme")).toBeNull()
  expect(await opened.tenants.byToken(token)).toBeNull()
  expect(await readdir(path.join(data, "workspaces"))).toEqual(["globex"])
  await expect(acme.todo.create({ sessionID: null, content: "late" }, by)).rejects.toMatchObject({
    code: "tenant_not_found",
  })
  expect(existsSync(path.join(directory("acme"), "notes.md"))).toBe(true)
  await expect(opened.workspaces.remove("local")).rejects.toMatchObject({ code: "invalid_input" })
  // The directory of the removed workspace can be a root again.
  await (await asMember(opened, "globex")).workspace.update({ roots: [directory("acme")] })
  await opened.workspaces.create("acme")
  expect((await (await asMember(opened, "acme")).session.list({})).items).toEqual([])
})

test("a restart opens workspaces with waiting work, others only on demand", async () => {
  const { open, opened, data, directory, errors } = await setUp(["acme", "globex"])
  const acme = await asMember(opened, "acme")
  const { project } = await work(acme, directory("acme"))
  await work(await asMember(opened, "globex"), directory("globex"))
  await acme.schedule.create({ projectID: project.id, when: "in 500 weeks", message: "go on" })
  await opened.close()
  for (const id of ["acme", "globex"]) await rm(path.join(data, "workspaces", id), { recursive: true })
  const restarted = await open()
  expect(await readdir(path.join(data, "workspaces"))).toEqual(["acme"])
  expect((await (await asMember(restarted, "globex")).session.list({})).items).toHaveLength(1)
  expect(errors).toEqual([])
})
