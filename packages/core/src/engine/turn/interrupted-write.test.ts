import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { points } from "@docket/config/sampling"
import { expect, inject, onTestFinished, test } from "vitest"
import { dyingStore } from "../../contract/dying-store.ts"
import type { ToolPart } from "../../ground/schema/index.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { answer, type Script, type ScriptedRuntime, scriptedRuntime } from "../../test/scripted-runtime.ts"
import { silentGit } from "../../test/silent-git.ts"

const edit = { tool: "edit", input: { filePath: "a.txt", oldString: "old", newString: "new" } }
const write = { tool: "write", input: { filePath: "b/c.txt", content: "made\n" } }

/** Reads a file, changes it and creates another one; repeats each call until a result reports success. */
const script: Script = ({ prompt }) => {
  const told = JSON.stringify(prompt)
  if (!/"toolName":"read","output":\{"type":"text"/.test(told))
    return answer("", { tool: "read", input: { filePath: "a.txt" } })
  if (told.split('"toolName":"edit"').length > 8) return answer("I give up.")
  const calls = [...(told.includes("Edited a.txt") ? [] : [edit]), ...(told.includes("Created b/c.txt") ? [] : [write])]
  return answer(calls.length > 0 ? "" : "Done.", ...calls)
}

async function project(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "docket-interrupted-")))
  // Late writes of the dead process must not fail the test.
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 3 }))
  const directory = join(root, "project")
  await mkdir(directory)
  execFileSync("git", ["init", "-q"], { cwd: directory })
  await writeFile(join(directory, "a.txt"), "old\n")
  return directory
}

const textOf = (directory: string, name: string) => readFile(join(directory, name), "utf8").catch(() => null)
const config = { permission: "allow" }

async function changingCalls(host: ScriptedRuntime): Promise<ToolPart[]> {
  const { items } = await host.messages()
  const calls = items.flatMap(({ parts }) => parts).filter((part) => part.type === "tool")
  return calls.filter(({ tool }) => tool === "edit" || tool === "write")
}

/**
 * Kills the process this many writes after the first answer and continues in another one. Returns whether the turn had
 * ended.
 */
async function dieAndGoOn(writes: number, seen: Set<string>, silent: string): Promise<boolean> {
  const directory = await project()
  const real = createInMemoryStore()
  const { store, dieAfter, dead } = dyingStore(real, () => {})
  const dying: Script = (options) => {
    if (!JSON.stringify(options.prompt).includes('"toolName":"read"')) dieAfter(writes)
    return script(options)
  }
  const env = { PATH: process.env.PATH ?? "" }
  const host = await scriptedRuntime(dying, { store, directory, config, env, titles: false })
  const { session } = host
  const ended = host.prompt("work").then(() => true)
  const hasEnded = await Promise.race([ended, dead.then(() => false)])
  if (hasEnded) await host.runtime.close()
  // Hides git from the dead process: with a failing git its work would continue without a snapshot.
  env.PATH = silent
  const running = await real.transcript.openToolParts(session.id)
  await using next = await scriptedRuntime(script, { store: real, directory, session, config, titles: false })
  await expect.poll(async () => (await next.runtime.session.tree(session.id)).turns).toEqual([])
  const calls = await changingCalls(next)
  const interrupted = new Set(running.map(({ id }) => id))
  for (const { id, state } of calls) if (interrupted.has(id)) seen.add(state.status)
  for (const { state } of calls) if (state.status === "error") expect(state.error).not.toContain("unknown")
  // Completed changes are not repeated.
  expect(
    calls
      .filter(({ state }) => state.status === "completed")
      .map(({ tool }) => tool)
      .sort(),
  ).toEqual(["edit", "write"])
  expect([await textOf(directory, "a.txt"), await textOf(directory, "b/c.txt")]).toEqual(["new\n", "made\n"])
  const { items } = await next.messages()
  await next.runtime.session.revert(session.id, items[0]?.info.id ?? "")
  expect([await textOf(directory, "a.txt"), await textOf(directory, "b/c.txt")]).toEqual(["old\n", null])
  expect((await readdir(directory)).filter((name) => name.endsWith(".tmp"))).toEqual([])
  return hasEnded
}

test("after a crash at any write, calls match the files; undo works", async () => {
  const seen = new Set<string>()
  const silent = await silentGit()
  for (const writes of points(3)) if (await dieAndGoOn(writes, seen, silent)) break
  // A sample may consist of points at which no call has begun.
  if (inject("full")) expect([...seen].sort()).toEqual(["completed", "error"])
})
