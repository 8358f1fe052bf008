import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { answer, scriptedRuntime } from "../../test/scripted-runtime.ts"
import { createSavedOutputs } from "./saved-outputs.ts"

const day = 24 * 60 * 60_000

async function setUp() {
  const root = await mkdtemp(join(tmpdir(), "docket-outputs-"))
  const errors: unknown[] = []
  const now = Date.now()
  const create = () => createSavedOutputs({ root, clock: () => now, onError: (error) => errors.push(error) })
  const saved = create()
  const save = async (sessionID: string, name: string, age = 0) => {
    const file = join(await saved.directoryOf(sessionID), name)
    await writeFile(file, "long")
    await utimes(file, (now - age) / 1_000, (now - age) / 1_000)
  }
  const files = async () => (await readdir(root, { recursive: true })).sort()
  return { root, saved, create, save, files, errors, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) }
}

test("tool outputs and empty directories expire after a week, task answers stay", async () => {
  await using host = await setUp()
  await host.save("ses_old", "tool_1.txt", 8 * day)
  await host.save("ses_both", "tool_1.txt", 8 * day)
  await host.save("ses_both", "tool_2.txt", 6 * day)
  await host.save("ses_task", "result-tsk_1.md", 80 * day)
  const later = host.create()
  later.start()
  await later.stop()
  expect(await host.files()).toEqual(["ses_both", "ses_both/tool_2.txt", "ses_task", "ses_task/result-tsk_1.md"])
  expect(host.errors).toEqual([])
})

test("an active session keeps its directory, a removed one loses it", async () => {
  await using host = await setUp()
  await host.save("ses_1", "tool_1.txt", 8 * day)
  await host.save("ses_2", "result-tsk_1.md")
  host.saved.start()
  await host.saved.stop()
  expect(await host.files()).toEqual(["ses_1", "ses_2", "ses_2/result-tsk_1.md"])
  await host.saved.remove(["ses_2", "ses_none"])
  expect(await host.files()).toEqual(["ses_1"])
  await host.save("ses_2", "tool_3.txt")
  expect(await host.files()).toEqual(["ses_1", "ses_2", "ses_2/tool_3.txt"])
})

test("without saved outputs nothing is removed", async () => {
  await using host = await setUp()
  const none = createSavedOutputs({ root: join(host.root, "none"), clock: Date.now, onError: () => expect.fail() })
  none.start()
  await none.stop()
})

test("removing a session removes saved outputs of it and its children", async () => {
  const long = { tool: "bash", input: { command: "seq 1 5000", description: "Count" } }
  let calls = 0
  await using host = await scriptedRuntime(
    () => {
      calls += 1
      if (calls === 1) {
        const input = { subagent_type: "general", description: "count too", prompt: "Count" }
        return answer("", long, { tool: "task", input })
      }
      return calls === 2 ? answer("", long) : answer("Done.")
    },
    { config: { permission: "allow" } },
  )
  const other = await host.runtime.session.create({ projectID: host.session.projectID })
  const root = join(host.directory, ".data", "tool-output")
  await mkdir(join(root, other.id), { recursive: true })
  await host.prompt("Count")
  const ids = (await host.runtime.session.tree(host.session.id)).sessions.map(({ id }) => id)
  expect(ids).toHaveLength(2)
  expect((await readdir(root)).sort()).toEqual([...ids, other.id].sort())
  await host.runtime.session.remove(host.session.id)
  expect(await readdir(root)).toEqual([other.id])
})

test("a call's full output is read by part, or its absence explained", async () => {
  const run = (command: string) => ({ tool: "bash", input: { command, description: "Count" } })
  let calls = 0
  await using host = await scriptedRuntime(
    () => {
      calls += 1
      return calls === 1 ? answer("", run("seq 1 90000"), run("seq 1 9")) : answer("Done.")
    },
    { config: { permission: "allow" } },
  )
  await host.prompt("Count")
  const { items } = await host.runtime.session.messages({ sessionID: host.session.id })
  const [long, short] = items.flatMap(({ parts }) => parts.filter((part) => part.type === "tool"))
  const first = await host.runtime.session.output(long?.id ?? "")
  const second = await host.runtime.session.output(long?.id ?? "", first.next ?? 0)
  const numbers = Array.from({ length: 90_000 }, (_, index) => `${index + 1}\n`).join("")
  expect(first.text + second.text === numbers.slice(0, first.text.length + second.text.length)).toBe(true)
  expect(first.size).toBe(numbers.length)
  await expect(host.runtime.session.output(short?.id ?? "")).rejects.toMatchObject({ code: "output_not_found" })
  await expect(host.runtime.session.output("prt_none")).rejects.toMatchObject({ code: "message_not_found" })
})
