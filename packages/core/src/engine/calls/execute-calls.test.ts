import { execFileSync } from "node:child_process"
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { callStatus } from "../../ground/message/call-status.ts"
import type { ToolPart } from "../../ground/schema/index.ts"
import {
  answer,
  lastUserText,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"

const task = (prompt: string, subagent_type = "explore") => ({
  tool: "task",
  input: { subagent_type, prompt, description: prompt },
})
const bash = (command: string) => ({ tool: "bash", input: { command } })
const todos = (content: string) => ({
  tool: "todowrite",
  input: { todos: [{ content, status: "pending", priority: "medium" }] },
})

async function calls(host: ScriptedRuntime): Promise<ToolPart[]> {
  const { items } = await host.messages()
  return items.flatMap((item) => item.parts.filter((part): part is ToolPart => part.type === "tool"))
}

const outcome = ({ tool, state }: ToolPart) =>
  `${tool} ${state.status === "error" ? state.error : state.status === "completed" ? state.output.split("\n")[0] : ""}`

/** The calls that ended, in the order in which they ended. */
function ends(host: ScriptedRuntime): string[] {
  const ended = host.events.flatMap((event) => {
    if (event.type !== "message.part.updated" || event.properties.part.type !== "tool") return []
    const { sessionID, callID, tool, state } = event.properties.part
    return sessionID === host.session.id && (state.status === "completed" || state.status === "error")
      ? [`${callID} ${tool}`]
      : []
  })
  // A part may be published several times after its end.
  return [...new Set(ended)].map((call) => call.split(" ")[1] ?? "")
}

test("tasks of one answer run in parallel and report in call order", async () => {
  let running = 0
  const all = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(
    async (options) => {
      const prompt = lastUserText(options)
      if (prompt !== "Start") {
        running += 1
        if (running === 4) all.resolve()
        await all.promise
        return answer(`found ${prompt}`)
      }
      if (toolResults(options).length > 0) return answer(toolResults(options).join("|"))
      return answer("", task("a"), todos("x"), task("b"), bash("echo one"), task("c"), bash("echo two"), task("d"))
    },
    { config: { permission: "allow", delegation: { envelope: false } } },
  )
  await host.prompt("Start")
  expect((await calls(host)).map(outcome)).toEqual([
    "task found a",
    "todowrite [",
    "task found b",
    "bash one",
    "task found c",
    "bash two",
    "task found d",
  ])
  expect(ends(host).slice(0, 3)).toEqual(["todowrite", "bash", "bash"])
  const tasks = await host.runtime.task.list(host.session.id)
  expect(tasks.map(({ number, description }) => `${number} ${description}`)).toEqual(["1 a", "2 b", "3 c", "4 d"])
  expect(host.errors).toEqual([])
})

test("calls that change things keep their order around tasks", async () => {
  await using host = await scriptedRuntime(
    (options) => {
      if (lastUserText(options) !== "Start") return answer("found")
      if (toolResults(options).length > 0) return answer("end")
      return answer(
        "",
        todos("first"),
        bash("sleep 0.1; echo 1 >> order.txt"),
        task("a"),
        todos("second"),
        bash("echo 2 >> order.txt"),
        task("b"),
        todos("last"),
        { tool: "write", input: { filePath: "seen.txt", content: "x" } },
        bash("cat seen.txt order.txt > all.txt"),
      )
    },
    { config: { permission: "allow" } },
  )
  await host.prompt("Start")
  expect((await host.runtime.todo.list(host.session.id)).map(({ content }) => content)).toEqual(["last"])
  expect(await readFile(join(host.directory, "all.txt"), "utf8")).toBe("x1\n2\n")
})

test("a call waiting for a running task delays the command behind it", async () => {
  await using host = await scriptedRuntime(
    (options) => {
      if (lastUserText(options) !== "Start") return answer("found")
      const results = toolResults(options)
      if (results.length === 0)
        return answer("", { tool: "async_task", input: { agent: "explore", prompt: "a", description: "a" } })
      if (results.length === 1)
        return answer("", { tool: "async_task_gather", input: { task_ids: [1] } }, bash("echo after"))
      return answer("end")
    },
    { config: { permission: "allow", delegation: { envelope: false } } },
  )
  await host.prompt("Start")
  expect(ends(host)).toEqual(["async_task", "async_task_gather", "bash"])
})

test("rejecting a task skips the calls behind it; started calls keep results", async () => {
  const gate = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(
    async (options) => {
      if (lastUserText(options) === "a") {
        await gate.promise
        return answer("found a")
      }
      return answer("", task("a"), bash("touch before.txt"), task("b", "general"), bash("touch behind.txt"), task("c"))
    },
    { config: { permission: { "*": "allow", task: { general: "ask" } }, delegation: { envelope: false } } },
  )
  const turn = host.prompt("Start")
  const asked = await host.until((event) => event.type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("nothing was asked")
  expect((await calls(host)).map(({ state }) => state.status)).toEqual([
    "running",
    "completed",
    "running",
    "pending",
    "pending",
  ])
  await host.runtime.permission.reply(asked.properties.request.id, "reject")
  gate.resolve()
  expect((await turn).status).toBe("aborted")
  expect((await calls(host)).map(callStatus)).toEqual(["done", "done", "stopped", "stopped", "stopped"])
  expect((await calls(host)).map(outcome)).toEqual([
    "task found a",
    "bash (no output)",
    "task The user rejected this tool call.",
    "bash Not run: the user rejected a call before it.",
    "task Not run: the user rejected a call before it.",
  ])
  expect(await host.runtime.task.list(host.session.id)).toHaveLength(1)
})

test("undo reverts changes of a command and a parallel task, redo restores", async () => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-beside-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  execFileSync("git", ["init", "-q"], { cwd: directory })
  const during = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(
    async (options) => {
      const results = toolResults(options)
      if (lastUserText(options) === "child") {
        if (results.length === 0) return answer("", bash("echo child > child.txt; echo child >> both.txt"))
        if (results.length > 1) return answer("done")
        await during.promise
        return answer("", bash("echo later > later.txt; echo later >> both.txt"))
      }
      return results.length > 0
        ? answer("end")
        : answer("", task("child", "general"), bash("echo parent > parent.txt"), todos("x"))
    },
    { directory, config: { permission: "allow", delegation: { envelope: false } } },
  )
  const turn = host.prompt("Start")
  await host.until(
    (event) =>
      event.type === "message.part.updated" &&
      event.properties.part.type === "tool" &&
      event.properties.part.tool === "todowrite" &&
      event.properties.part.state.status === "completed",
  )
  during.resolve()
  await turn
  const read = () =>
    Promise.all(
      ["parent.txt", "child.txt", "later.txt", "both.txt"].map((name) =>
        readFile(join(directory, name), "utf8").catch(() => null),
      ),
    )
  const done = ["parent\n", "child\n", "later\n", "child\nlater\n"]
  expect(await read()).toEqual(done)
  const { items } = await host.messages()
  const undone = await host.runtime.session.revert(host.session.id, items[0]?.info.id ?? "")
  expect(undone.revert?.files.left).toEqual([])
  expect(await read()).toEqual([null, null, null, null])
  expect((await host.runtime.session.unrevert(host.session.id)).left).toEqual([])
  expect(await read()).toEqual(done)
})
