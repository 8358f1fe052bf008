import { mkdir, mkdtemp, realpath, rename, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import type { Peers } from "../../ground/event/peers.ts"
import { createIdSource } from "../../ground/id/create-id.ts"
import { createInMemoryDatabase, createInMemoryStore } from "../../ground/store/index.ts"
import { createProjects } from "../project/projects.ts"
import { createWorkspaces } from "./create-workspaces.ts"

/** Directories `base/{data/workspaces/b,a/in,b/in,a-long}`, a link `base/to-b`, and the workspaces a and b. */
async function setUp() {
  const base = await realpath(await mkdtemp(join(tmpdir(), "docket-roots-")))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  for (const name of ["data/workspaces/b", "a/in", "b/in", "a-long"]) await mkdir(join(base, name), { recursive: true })
  await symlink(join(base, "b"), join(base, "to-b"))
  const database = createInMemoryDatabase()
  const deps = { store: database.workspaces, firstID: "local", dataDirectory: join(base, "data"), clock: () => 7 }
  const settings = await createWorkspaces(deps)
  for (const id of ["a", "b"]) await settings.create(id)
  const projectsOf = (id: string, own = settings) =>
    createProjects({
      store: createInMemoryStore().project,
      createID: createIdSource(),
      clock: Date.now,
      env: process.env,
      home: base,
      limits: own.of(id, { isShared: true }).limits,
    })
  const withFirstProjects = (...opened: string[]) => createWorkspaces({ ...deps, firstProjects: async () => opened })
  const withCeiling = (ceiling: string[]) => createWorkspaces({ ...deps, ceiling })
  const at = (name: string) => join(base, name)
  return { base, settings, projectsOf, at, reopen: () => createWorkspaces(deps), withCeiling, withFirstProjects }
}

const refused = { code: "directory_not_allowed" }

test("a workspace opens nothing without roots, except the first workspace", async () => {
  const { settings, projectsOf, at } = await setUp()
  await expect(projectsOf("a").open(at("a"))).rejects.toMatchObject(refused)
  expect((await projectsOf("local").open(at("a"))).directory).toBe(at("a"))
  await settings.update("a", { roots: [at("a")] })
  expect((await projectsOf("a").open(at("a"))).directory).toBe(at("a"))
  expect((await projectsOf("a").open(at("a/in/"))).directory).toBe(at("a/in"))
  await expect(projectsOf("local").open(at("a"))).rejects.toMatchObject(refused)
  await expect(projectsOf("local").open(at("."))).rejects.toMatchObject(refused)
})

test("a root cannot be left by .., links or similar names", async () => {
  const { settings, projectsOf, base, at } = await setUp()
  await settings.update("a", { roots: [at("a"), `${base}/a-long/`] })
  await settings.update("b", { roots: [at("to-b")] })
  expect(settings.get("b")?.roots).toEqual([at("b")])
  await symlink(at("b"), at("a/link"))
  await symlink(at("b/none"), at("a/dangling"))
  const ways = [
    "b",
    "to-b/in",
    "a/../b",
    "a/link",
    "a/link/in",
    "a/dangling",
    "b/none",
    "none",
    ".",
    "/",
    "data",
    "a-lon",
    "A-none",
  ]
  for (const way of ways) {
    const named = way === "/" ? way : `${base}/${way}`
    const opened = await projectsOf("a")
      .open(named)
      .then(
        () => "opened",
        (error) => error.code,
      )
    expect([way, opened]).toEqual([way, "directory_not_allowed"])
  }
  await expect(projectsOf("a").open(at("a/none"))).rejects.toMatchObject({ code: "project_directory_missing" })
})

test("a project is not found after its directory or root changes", async () => {
  const { settings, projectsOf, at } = await setUp()
  await settings.update("a", { roots: [at("a")] })
  await settings.update("b", { roots: [at("b")] })
  const projects = projectsOf("a")
  const { id } = await projects.open(at("a/in"))
  expect((await projects.get(id)).id).toBe(id)
  await rename(at("a/in"), at("a/was"))
  await symlink(at("b/in"), at("a/in"))
  await expect(projects.get(id)).rejects.toMatchObject(refused)
  await rm(at("a/in"))
  await rename(at("a/was"), at("a/in"))
  expect((await projects.get(id)).id).toBe(id)
  await settings.update("a", { roots: [at("a-long")] })
  await expect(projects.get(id)).rejects.toMatchObject(refused)
})

test("no directory belongs to two workspaces, the service's data to none", async () => {
  const { settings, at, reopen } = await setUp()
  await settings.update("a", { roots: [at("a/in"), at("a")] })
  expect(settings.get("a")?.roots).toEqual([at("a")])
  const roots = [at("a"), at("a/in"), at("."), "/", at("data"), at("data/workspaces/b"), at("none"), "a", "", "/a\0b"]
  for (const root of roots)
    await expect(settings.update("b", { roots: [root] }), root).rejects.toMatchObject({ code: "invalid_input" })
  await expect(settings.update("b", { roots: null })).rejects.toMatchObject({ code: "invalid_input" })
  const racing = await Promise.allSettled(["b", "local"].map((id) => settings.update(id, { roots: [at("b")] })))
  expect(racing.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  await settings.update("a", { visibility: "author", turns: 2 })
  expect((await reopen()).list()).toEqual(settings.list())
  expect(settings.get("a")).toMatchObject({ roots: [at("a")], visibility: "author", turns: 2 })
})

test("a workspace's id is unique and can name a directory", async () => {
  const { settings } = await setUp()
  for (const id of ["", "..", "a/b", "Local", "a", "local", "x".repeat(64)])
    await expect(settings.create(id), id).rejects.toMatchObject({ code: "invalid_input" })
  await expect(settings.update("none", {})).rejects.toMatchObject({ code: "tenant_not_found" })
})

test("the directory picker shows only paths to a root and its content", async () => {
  const { settings, projectsOf, base, at } = await setUp()
  await settings.update("a", { roots: [at("a")] })
  const projects = projectsOf("a")
  expect(await projects.directories()).toMatchObject({ path: at("a"), entries: [{ name: "in" }] })
  expect((await projects.directories(base)).entries.map(({ name }) => name)).toEqual(["a"])
  await expect(projects.directories(at("b"))).rejects.toMatchObject(refused)
  await expect(projects.directories(at("none"))).rejects.toMatchObject(refused)
  expect((await projectsOf("local").directories(base)).entries.map(({ name }) => name)).toEqual(["a-long", "b"])
})

test("below a ceiling no workspace names or opens an outside directory", async () => {
  const { settings, projectsOf, at, withCeiling } = await setUp()
  await settings.update("b", { roots: [at("b")] })
  const limited = await withCeiling([at("a")])
  await symlink(at("b"), at("a/link"))
  for (const root of [at("b"), at("none"), at("a/../b"), at("a/link"), at("a/link/none"), "/", "a"])
    await expect(limited.update("a", { roots: [root] }), root).rejects.toThrow(`open directories in: ${at("a")}.`)
  expect((await limited.update("a", { roots: [at("a/in")] })).roots).toEqual([at("a/in")])
  // Roots set before the ceiling no longer open anything outside it; the first workspace may open what no other has
  // below it.
  await expect(projectsOf("b", limited).open(at("b"))).rejects.toMatchObject(refused)
  await expect(projectsOf("local", limited).open(at("b-none"))).rejects.toMatchObject(refused)
  expect((await projectsOf("a", limited).open(at("a/in"))).directory).toBe(at("a/in"))
  await limited.update("a", { roots: [] })
  expect((await projectsOf("local", limited).open(at("a/in"))).directory).toBe(at("a/in"))
})

test("shared workspaces never open Docket's data or system directories", async () => {
  const { settings, projectsOf, at } = await setUp()
  await settings.update("a", { roots: ["/"] })
  const own = ["data", "data/workspaces/b", "."].map(at)
  for (const id of ["a", "local"])
    for (const directory of [...own, "/proc/self", "/proc", "/sys/kernel", "/dev", "/"])
      await expect(projectsOf(id).open(directory), `${id} ${directory}`).rejects.toMatchObject(refused)
  for (const root of ["/proc", "/proc/self", "/sys", "/dev"])
    await expect(settings.update("b", { roots: [root] })).rejects.toThrow("belongs to the system")
  await settings.update("a", { roots: [] })
  expect((await projectsOf("local").open(at("a"))).directory).toBe(at("a"))
  for (const directory of [...own, "/proc/self"])
    await expect(projectsOf("local").open(directory), directory).rejects.toMatchObject(refused)
  // When Docket is not shared, it may open whatever its user may.
  expect(settings.of("local", { isShared: false }).limits()).toEqual({ roots: null, others: [] })
})

test("the first workspace's directories cannot become another's root", async () => {
  const { at, withFirstProjects } = await setUp()
  const settings = await withFirstProjects(at("a/in"))
  for (const root of [at("a"), at("a/in"), "/"])
    await expect(settings.update("b", { roots: [root] })).rejects.toThrow("overlaps")
  await settings.update("b", { roots: [at("b")] })
  await settings.update("local", { roots: [at("a-long")] })
  expect((await settings.update("b", { roots: [at("a")] })).roots).toEqual([at("a")])
})

test("settings of one store are the same in two processes", async () => {
  const { at } = await setUp()
  const database = createInMemoryDatabase()
  const listeners = new Set<Parameters<Peers["listen"]>[0]>()
  const inOrder = createKeyedQueue()
  const open = async (name: string) => {
    const peers: Peers = {
      tell(news) {
        for (const listener of listeners) listener(news, name)
      },
      listen(listener) {
        const ofOthers: typeof listener = (news, from) => from === name || listener(news, from)
        listeners.add(ofOthers)
        return () => void listeners.delete(ofOthers)
      },
    }
    const onError = (error: unknown) => expect.fail(String(error))
    const others = { peers, inOrder, onError }
    return createWorkspaces({ ...deps, others })
  }
  const deps = { store: database.workspaces, firstID: "local", dataDirectory: at("data"), clock: () => 7 }
  const [here, there] = [await open("here"), await open("there")]
  const heard: (string[] | undefined)[] = []
  there.onChanged(() => heard.push(there.list().map(({ id }) => id)))
  await here.create("a")
  await expect.poll(() => heard).toEqual([["a", "local"]])
  await here.update("a", { roots: [at("a")] })
  await expect.poll(() => there.get("a")?.roots).toEqual([at("a")])
  await there.create("b")
  // Both look at the rows first: one of them is too late.
  const racing = await Promise.allSettled([
    here.update("b", { roots: [at("b")] }),
    there.update("local", { roots: [at("b")] }),
  ])
  expect(racing.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  await here.beginRemoval("a")
  await expect.poll(() => there.get("a")).toBeNull()
})
