import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { startPostgres } from "@docket/db/start-postgres"
import { afterAll, expect, it, onTestFinished } from "vitest"
import { openRuntime } from "../open-runtime.ts"
import { startService } from "../start-service.ts"
import { backUp } from "./back-up.ts"
import { restore } from "./restore.ts"
import { openStaging } from "./staging.ts"
import { filesIn, filledData, newDirectory, removeDirectories, sumsOf } from "./test/filled-data.ts"
import { startOperation } from "./test/operator-process.ts"

afterAll(removeDirectories)

const quiet = () => undefined
const plain = { database: null, withKeys: true, replace: false, toFile: false }

/** Like `filledData`, with enough files after the rows that a process can be killed before the end. */
async function largeData(): Promise<string> {
  const data = await filledData()
  for (let part = 0; part < 40; part++) {
    const file = path.join(data, "tool-output", `part-${part}`)
    await writeFile(file, Buffer.alloc(4_000_000, `${part} of many, `))
  }
  return data
}

it("a killed backup leaves no target; the next one cleans up", async () => {
  const data = await largeData()
  const directory = await newDirectory()
  const file = path.join(directory, "b")
  const killed = startOperation({ kind: "backup", file, data, withKeys: true, json: false })
  await killed.said(/\d+ sessions?/)
  killed.child.kill("SIGKILL")
  expect((await killed.exit).code).toBeNull()
  expect(existsSync(file)).toBe(false)
  const { code, stdout } = await startOperation({ kind: "backup", file, data, withKeys: true, json: true }).exit
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, file })
  expect(await readdir(directory)).toEqual(["b"])
})

it("a killed restore changes nothing and can be repeated", async () => {
  const data = await largeData()
  const file = path.join(await newDirectory(), "b")
  await backUp({ ...plain, file, data }, quiet)
  const to = path.join(await newDirectory(), "to")
  const killed = startOperation({ kind: "restore", file, data: to, replace: false, toFile: false, json: false })
  await expect
    .poll(() => existsSync(path.join(to, ".restoring/files/tool-output/part-1")), { timeout: 30_000 })
    .toBe(true)
  killed.child.kill("SIGKILL")
  await killed.exit
  const left = (await readdir(to)).filter((name) => !name.startsWith("lock."))
  expect(left).toEqual([".restoring"])
  const { code, stderr } = await startOperation({
    kind: "restore",
    file,
    data: to,
    replace: false,
    toFile: false,
    json: false,
  }).exit
  expect([code, stderr]).toEqual([0, expect.stringMatching(/\d+ sessions/)])
  expect(await sumsOf(to)).toEqual(await sumsOf(data))
  expect(await readdir(to)).not.toContain(".restoring")
})

it("a killed move leaves PostgreSQL empty and the file unchanged", async ({ skip }) => {
  const server = await startPostgres()
  if (typeof server === "string") return skip(server)
  onTestFinished(server.stop)
  const data = await filledData()
  const before = await sumsOf(data)
  const killed = startOperation({ kind: "to-postgres", url: server.url, data, json: false })
  await killed.said(/\d+ parts? of (?:a )?messages?/)
  killed.child.kill("SIGKILL")
  await killed.exit
  const tables = `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_docket_claims'`
  await expect.poll(() => server.execute(tables), { timeout: 20_000 }).toEqual([])
  expect(await sumsOf(data)).toEqual(before)
  const again = await startOperation({ kind: "to-postgres", url: server.url, data, json: false }).exit
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("DATABASE_URL")])
  expect(await sumsOf(data, server.url)).toEqual(before)
  const third = await startOperation({ kind: "to-postgres", url: server.url, data, json: false }).exit
  expect([third.code, third.stderr]).toEqual([2, expect.stringContaining("are in PostgreSQL already")])
})

it("a second concurrent move to one PostgreSQL waits, then reports the cause", async ({ skip }) => {
  const server = await startPostgres()
  if (typeof server === "string") return skip(server)
  onTestFinished(server.stop)
  const [data, other] = [await filledData(), await filledData()]
  const first = startOperation({ kind: "to-postgres", url: server.url, data, json: false })
  await first.said(/\d+ parts? of (?:a )?messages?/)
  first.child.kill("SIGSTOP")
  const second = await startOperation({ kind: "to-postgres", url: server.url, data: other, json: false }).exit
  expect([second.code, second.stderr]).toEqual([
    2,
    expect.stringContaining("another docket command works on this PostgreSQL database. Wait until it has ended"),
  ])
  const third = startOperation({ kind: "to-postgres", url: server.url, data: other, json: false })
  first.child.kill("SIGCONT")
  expect((await first.exit).code).toBe(0)
  // The third process gets the lock after the first, and finds the rows of the first.
  expect((await third.exit).stderr).toContain("is not empty")
  expect(await sumsOf(data, server.url)).toEqual(await sumsOf(data))
})

it("the service refuses a half-finished restore; the next restore completes it", async () => {
  const data = await filledData()
  const file = path.join(await newDirectory(), "b")
  await backUp({ ...plain, file, data }, quiet)
  const old = await filesIn(data)
  // Like a restore that was killed between two files: some are in place, some are not.
  const staging = openStaging(data)
  await writeFile(path.join(staging.files, "docket.db"), "new rows")
  await mkdir(path.join(staging.files, "plans"))
  await writeFile(path.join(staging.files, "plans/new"), "new")
  await writeFile(path.join(data, ".restoring/state.json"), JSON.stringify({ phase: "moving", keepIn: "before-x" }))
  const options = { projects: [], port: 0, host: "127.0.0.1", data, web: false, trust: false }
  const service = startService(options, { openRuntime, report: quiet, log: quiet })
  await expect(service).rejects.toThrow("was broken off")
  expect((await restore({ ...plain, file, data }, quiet)).facts).toEqual({ finished: true })
  expect(await filesIn(data)).toEqual({
    "plans/new": Buffer.from("new").toString("base64"),
    ...Object.fromEntries(Object.entries(old).map(([name, content]) => [`before-x/${name}`, content])),
  })
  expect(await readdir(data)).not.toContain(".restoring")
})

it("a full disk is reported and no file stays", async ({ skip }) => {
  const data = await filledData()
  // Random data, which cannot be compressed.
  for (let part = 0; part < 12; part++) {
    await writeFile(path.join(data, "tool-output", `noise-${part}`), randomBytes(600_000))
  }
  const disk = path.join(await newDirectory(), "disk")
  await mkdir(disk)
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2600k", "tmpfs", disk], { stdio: "pipe" })
  } catch {
    return skip("a small disk cannot be mounted here")
  }
  onTestFinished(() => void execFileSync("umount", [disk]))
  await writeFile(path.join(disk, "filler"), Buffer.alloc(500_000))
  const file = path.join(disk, "b")
  const { code, stderr } = await startOperation({ kind: "backup", file, data, withKeys: true, json: false }).exit
  expect([code, stderr]).toEqual([expect.any(Number), expect.stringMatching(/disk is full|bytes left/)])
  expect(code).not.toBe(0)
  expect(await readdir(disk)).toEqual(["filler"])
})
