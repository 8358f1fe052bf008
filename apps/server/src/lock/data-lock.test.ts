import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, expect, it } from "vitest"
import { findOwner, lockDataDirectory, lockFileName } from "./data-lock.ts"
import { processStart } from "./process-start.ts"

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "docket-lock-"))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const lockModule = fileURLToPath(new URL("./data-lock.ts", import.meta.url))
const holdLock = `
  import { lockDataDirectory } from ${JSON.stringify(lockModule)}
  try {
    lockDataDirectory(process.argv[1]).publish("http://127.0.0.1:9")
    process.stdout.write("held")
    setInterval(() => {}, 1000)
  } catch (error) {
    process.stdout.write(error.code)
  }`

function startHolder() {
  const child = spawn(process.execPath, ["--input-type=module", "-e", holdLock, directory], { stdio: "pipe" })
  return { child, answer: once(child.stdout, "data").then(([chunk]) => String(chunk)) }
}

it("names the live owner and where it answers, and is free after a kill", async () => {
  const { child, answer } = startHolder()
  expect(await answer).toBe("held")
  expect(findOwner(directory)).toMatchObject({ pid: child.pid, url: "http://127.0.0.1:9" })
  expect(() => lockDataDirectory(directory)).toThrow(
    expect.objectContaining({
      code: "data_directory_locked",
      message: expect.stringContaining(`process ${child.pid} and answers on http://127.0.0.1:9`),
    }),
  )
  child.kill("SIGKILL")
  await once(child, "exit")
  expect(findOwner(directory)).toBeNull()
  lockDataDirectory(directory).release()
  expect(await readdir(directory)).toEqual([])
})

it("goes to exactly one of many that start at once after a crash", async () => {
  await writeFile(path.join(directory, lockFileName), JSON.stringify({ pid: 999_999_999, start: "1", url: null }))
  const holders = Array.from({ length: 6 }, startHolder)
  const answers = await Promise.all(holders.map((it) => it.answer))
  for (const { child } of holders) child.kill("SIGKILL")
  expect(answers.filter((it) => it === "held")).toHaveLength(1)
  expect(answers.filter((it) => it === "data_directory_locked")).toHaveLength(5)
})

it("does not take another process with a reused id for its owner", async () => {
  const parent = process.ppid
  await writeFile(path.join(directory, lockFileName), JSON.stringify({ pid: parent, start: "another", url: null }))
  expect(processStart(parent)).not.toBe("another")
  lockDataDirectory(directory).release()
})

it("takes an unreadable lock over", async () => {
  await writeFile(path.join(directory, lockFileName), "{")
  lockDataDirectory(directory).release()
})
