import { existsSync, watch } from "node:fs"
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createWorkspaces, type Runtime } from "@docket/core"
import { createProgramRoom } from "@docket/core/program-room"
import type { TenantDatabase } from "@docket/core/store"
import { openSqliteDatabase } from "@docket/db"
import { createServerRoom } from "@docket/lsp/server-room"
import { expect, onTestFinished, test } from "vitest"
import { openRuntime } from "../open-runtime.ts"
import { fileVaults } from "../secrets/vaults.ts"
import { startServiceProcess } from "../test/service-process.ts"
import { createWorkspaceRuntimes } from "./create-workspace-runtimes.ts"

const by = { actor: { kind: "user", name: "user" } } as const

async function open(data: string) {
  const errors: unknown[] = []
  const opened = await openRuntime({
    data,
    config: [],
    report: () => undefined,
    onTaken: () => undefined,
    onError: (error) => errors.push(error),
  })
  return { ...opened, errors }
}

/** A data directory with a workspace that has rows and files. */
async function setUp() {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), "docket-removal-")))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const data = path.join(base, "data")
  await mkdir(data)
  const opened = await open(data)
  await opened.workspaces.create("acme")
  const runtime = await opened.workspaces.runtime("acme")
  await runtime?.as({ person: "ada", workspace: "acme" }).todo.create({ sessionID: null, content: "a todo" }, by)
  await opened.tenants.createToken({ tenantID: "acme", name: "robot" })
  await opened.runtime.close()
  const files = path.join(data, "workspaces", "acme")
  await writeFile(path.join(files, "a-file"), "words")
  return { base, data, files }
}

/** Databases that fail after one step of a removal, so that no later step is executed. */
const steps: Record<string, (real: TenantDatabase) => Partial<TenantDatabase>> = {
  "after the mark": ({ workspaces }) => ({
    workspaces: {
      ...workspaces,
      async put(workspace) {
        await workspaces.put(workspace)
        throw new Error("cut off")
      },
    },
  }),
  "after the files": ({ tenants }) => ({
    tenants: { ...tenants, remove: () => Promise.reject(new Error("cut off")) },
  }),
  "after the rows": ({ tenants }) => ({
    tenants: {
      ...tenants,
      async remove(id) {
        await tenants.remove(id)
        throw new Error("cut off")
      },
    },
  }),
}

test("a removal interrupted at any step is finished at the next start", async () => {
  for (const [step, dying] of Object.entries(steps)) {
    const { data, files } = await setUp()
    const real = await openSqliteDatabase({ file: path.join(data, "docket.db"), clock: Date.now })
    const database = { ...real, ...dying(real) }
    const settings = await createWorkspaces({
      store: database.workspaces,
      firstID: "local",
      dataDirectory: data,
      clock: Date.now,
    })
    const nothing = () => undefined
    const workspaces = createWorkspaceRuntimes({
      serverRoom: createServerRoom(),
      mcpRoom: createProgramRoom({ most: 1, names: "MCP servers" }),
      pluginRoom: createProgramRoom({ most: 1, names: "plugin processes" }),
      data,
      database,
      vaults: fileVaults(data),
      settings,
      config: [],
      clock: Date.now,
      watchStore: nothing,
      onError: nothing,
      createID: () => {
        throw new Error("nothing is made here")
      },
      // The first workspace is not used.
      first: { id: "local", runtime: {} as Runtime },
    })
    await expect(workspaces.remove("acme"), step).rejects.toThrow("cut off")
    await real.close()
    const restarted = await open(data)
    expect([step, restarted.workspaces.list().map(({ id }) => id)]).toEqual([step, ["local"]])
    expect([step, existsSync(files), (await restarted.tenants.list()).map(({ id }) => id)]).toEqual([step, false, []])
    expect([step, await restarted.workspaces.runtime("acme"), restarted.errors]).toEqual([step, null, []])
    await restarted.runtime.close()
  }
})

test("a workspace removal interrupted by a kill completes after the next start", async () => {
  const { base, data, files } = await setUp()
  await writeFile(path.join(data, "team.json"), JSON.stringify({ url: "http://127.0.0.1:9" }))
  const outputs = path.join(files, "outputs")
  await mkdir(outputs, { recursive: true })
  for (let from = 0; from < 20_000; from += 1_000)
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => writeFile(path.join(outputs, `${from + n}`), "")))
  const project = path.join(base, "project")
  await mkdir(project)
  const place = { home: base, data, project }
  const service = await startServiceProcess(place)
  onTestFinished(service.kill)
  const begun = new Promise<void>((resolve) => {
    const watching = watch(outputs, () => {
      watching.close()
      resolve()
    })
  })
  const removal = service.mutate("workspace.removeAny", { workspace: "acme", name: "acme" }).catch(() => "no answer")
  await begun
  await service.kill()
  expect(await removal).toBe("no answer")
  expect((await readdir(outputs)).length).toBeGreaterThan(0)
  const restarted = await startServiceProcess(place)
  onTestFinished(restarted.kill)
  expect(await restarted.query("workspace.all")).toMatchObject([{ id: "local" }])
  expect(existsSync(files)).toBe(false)
})
