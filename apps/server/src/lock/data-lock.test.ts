import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, expect, it } from "vitest"
import { lockDataDirectory } from "./data-lock.ts"

let directory: string
const children = new Set<ChildProcess>()
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "docket-lock-"))
})
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL")
  children.clear()
  await rm(directory, { recursive: true, force: true })
})

const lockModule = fileURLToPath(new URL("./data-lock.ts", import.meta.url))
const holdLock = `
  import { lockDataDirectory } from ${JSON.stringify(lockModule)}
  try {
    const lock = lockDataDirectory(process.argv[1])
    lock.publish("http://127.0.0.1:9")
    process.stdout.write("held by " + process.pid)
    setInterval(() => lock, 1000)
  } catch (error) {
    process.stdout.write(error.code + " " + error.message)
  }`

/** A process that takes and keeps the lock; `wrapper` is a command that runs it. */
function startHolder(...wrapper: string[]) {
  const [program = "", ...args] = [...wrapper, process.execPath, "--input-type=module", "-e", holdLock, directory]
  const child = spawn(program, args, { stdio: "pipe" })
  children.add(child)
  return { child, answer: once(child.stdout, "data").then(([chunk]) => String(chunk)) }
}

it("the lock names owner and address and is free after a kill", async () => {
  const { child, answer } = startHolder()
  expect(await answer).toBe(`held by ${child.pid}`)
  expect(() => lockDataDirectory(directory)).toThrow(
    expect.objectContaining({
      code: "data_directory_locked",
      message: expect.stringContaining(`process ${child.pid}, which answers on http://127.0.0.1:9`),
    }),
  )
  child.kill("SIGKILL")
  await once(child, "exit")
  lockDataDirectory(directory).release()
})

it("the lock names the process that started its owner", () => {
  const lock = lockDataDirectory(directory, 4711)
  expect(() => lockDataDirectory(directory)).toThrow("process 4711. Wait until it is done")
  lock.release()
})

it("the lock goes to exactly one of several simultaneous starts", async () => {
  const holders = Array.from({ length: 4 }, () => startHolder())
  const answers = await Promise.all(holders.map(({ answer }) => answer))
  expect(answers.filter((answer) => answer.startsWith("held"))).toHaveLength(1)
  expect(answers.filter((answer) => answer.startsWith("data_directory_locked"))).toHaveLength(3)
})

it("the lock holds within one process until it is released", () => {
  const first = lockDataDirectory(directory)
  expect(() => lockDataDirectory(directory)).toThrow(
    expect.objectContaining({
      code: "data_directory_locked",
      message: `a docket command, or a Docket that is starting, works on ${directory}: process ${process.pid}. Wait until it is done, stop it, or choose another directory with --data.`,
    }),
  )
  first.release()
  lockDataDirectory(directory).release()
})

it("the lock ignores the lock file that a dead process left", async () => {
  await writeFile(path.join(directory, "lock.json"), JSON.stringify({ pid: process.pid, url: "http://127.0.0.1:9" }))
  lockDataDirectory(directory).release()
  await writeFile(path.join(directory, "lock.json"), "{")
  const lock = lockDataDirectory(directory)
  expect((await stat(path.join(directory, "lock.db"))).mode & 0o777).toBe(0o600)
  lock.release()
})

const ownNamespace = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
const noNamespaces = whyNoNamespaces()
if (noNamespaces !== null) console.warn(`The test of pid namespaces is skipped: ${noNamespaces}`)

it.skipIf(noNamespaces !== null)("the lock holds between containers, whose processes have the same ids", async () => {
  const first = startHolder(...ownNamespace)
  expect(await first.answer).toBe("held by 1")
  const second = startHolder(...ownNamespace)
  expect(await second.answer).toContain("data_directory_locked")
  expect(await second.answer).toContain("process 1, which answers on http://127.0.0.1:9")
  first.child.kill("SIGKILL")
  await once(first.child, "exit")
  expect(await startHolder(...ownNamespace).answer).toBe("held by 1")
})

/** Why no process can have its own pid namespace; null when it can. */
function whyNoNamespaces(): string | null {
  const [program = "", ...args] = ownNamespace
  try {
    execFileSync(program, [...args, "true"], { stdio: "pipe" })
    return null
  } catch (error) {
    return String(error)
  }
}
