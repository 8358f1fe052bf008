import { expect, test } from "vitest"
import type { ToolPart } from "../../ground/schema/index.ts"
import {
  answer,
  lastUserText,
  type Script,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"
import { textOrNull } from "./delegation-context.ts"

const launch = (prompt: string, more: object = {}) => ({
  tool: "async_task",
  input: { agent: "explore", prompt, description: prompt, ...more },
})

const toolNames = (options: Parameters<Script>[0]) => (options.tools ?? []).map((tool) => tool.name)

async function toolParts(host: ScriptedRuntime): Promise<ToolPart[]> {
  const { items } = await host.messages()
  return items.flatMap((item) => item.parts.filter((part): part is ToolPart => part.type === "tool"))
}

/** The errors of the parent's calls. */
async function errors(host: ScriptedRuntime): Promise<string[]> {
  const parts = await toolParts(host)
  return parts.flatMap(({ state }) => (state.status === "error" ? [state.error] : []))
}

/** A parent that makes these calls, gathers the launched tasks and ends. Children answer at once. */
function parentScript(calls: { tool: string; input: unknown }[], child: Script = () => answer("ok")): Script {
  return (options) => {
    const results = toolResults(options)
    const told = lastUserText(options)
    if (told.startsWith("child")) return child(options)
    if (!/^Start|changed by others/.test(told) || results.length > calls.length) return answer("end")
    if (results.length === 0) return answer("", ...calls)
    const task_ids = results.flatMap((result) => /task_id: (ses_\w+)/.exec(result)?.[1] ?? [])
    return task_ids.length === 0 ? answer("end") : answer("", { tool: "async_task_gather", input: { task_ids } })
  }
}

test("an async child has its caller's directory and its task's title", async () => {
  await using host = await scriptedRuntime(parentScript([launch("child work", { description: "Dig here" })]))
  await host.prompt("Start")
  const [child] = await host.runtime.session.children(host.session.id)
  expect(child).toMatchObject({
    parentID: host.session.id,
    title: "Dig here (@explore subagent)",
    directory: host.session.directory,
    agent: "explore",
  })
})

test("a child's model is the call's, else its agent's, else its caller's", async () => {
  await using host = await scriptedRuntime(
    parentScript([
      launch("child a"),
      launch("child b", { agent: "general" }),
      launch("child c", { agent: "general", model: "scripted/three" }),
    ]),
    { config: { agent: { general: { model: "scripted/two" } } } },
  )
  await host.prompt("Start")
  const tasks = await host.runtime.task.list(host.session.id)
  expect(Object.fromEntries(tasks.map((task) => [task.description, task.model.modelID]))).toEqual({
    "child a": "one",
    "child b": "two",
    "child c": "three",
  })
})

test("an async child cannot delegate or ask; a blocking child may ask", async () => {
  const offered: Record<string, string[]> = {}
  await using host = await scriptedRuntime(
    parentScript(
      [
        launch("child async", { agent: "general" }),
        { tool: "task", input: { description: "b", prompt: "child blocking", subagent_type: "general" } },
      ],
      (options) => {
        offered[lastUserText(options)] = toolNames(options)
        return answer("ok")
      },
    ),
  )
  await host.prompt("Start")
  for (const names of Object.values(offered))
    expect(names.filter((name) => /^(todo|task|async_task)|^question$/.test(name))).toEqual([])
  expect(offered["child async"]).toContain("read")
  const children = await host.runtime.session.children(host.session.id)
  const denies = (title: string) =>
    children.find((child) => child.title.startsWith(title))?.permission.map((rule) => rule.permission)
  expect(denies("child async")).toEqual(expect.arrayContaining(["todoupdate", "task", "async_task", "question"]))
  expect(denies("b (")).not.toContain("question")
})

test("an async child may delegate when its agent's own rules allow task", async () => {
  let offered: string[] = []
  await using host = await scriptedRuntime(
    parentScript([launch("child lead", { agent: "general" })], (options) => {
      offered = toolNames(options)
      return answer("ok")
    }),
    { config: { agent: { general: { permission: { task: "allow" } } } } },
  )
  await host.prompt("Start")
  expect(offered).toContain("task")
})

test("the description of async_task lists the agents that it may start", async () => {
  let description = ""
  await using host = await scriptedRuntime(
    (options) => {
      const tool = options.tools?.find((one) => one.name === "async_task")
      description = (tool?.type === "function" && tool.description) || ""
      return answer("ok")
    },
    { config: { agent: { reviewer: { mode: "subagent", description: "Reads changes." } } } },
  )
  await host.prompt("Start")
  expect(description).toContain("- reviewer: Reads changes.")
  expect(description).toContain("- explore: ")
  expect(description).not.toMatch(/- (build|plan): /)
})

test("a rule that denies task for an agent refuses async_task", async () => {
  await using host = await scriptedRuntime(parentScript([launch("child work")]), {
    config: { permission: { task: { explore: "deny" } } },
  })
  await host.prompt("Start")
  expect(await errors(host)).toHaveLength(1)
  expect(await host.runtime.task.list(host.session.id)).toEqual([])
})

test("an invalid schema or unknown todo fails the call", async () => {
  await using host = await scriptedRuntime(
    parentScript([launch("child a", { output_schema: { type: "nonsense" } }), launch("child b", { todo: "#7" })]),
  )
  await host.prompt("Start")
  // In reverse alphabetical order, because the calls may fail in any order.
  const [schema, todo] = (await errors(host)).sort().reverse()
  expect(schema).toContain("output_schema is not a valid JSON Schema")
  expect(todo).toContain("There is no todo #7")
  expect(await host.runtime.task.list(host.session.id)).toEqual([])
})

test("a task cannot serve another session's todo", async () => {
  const by = { actor: { kind: "user", name: "Ada" } } as const
  let steps = 0
  await using host = await scriptedRuntime((options) => {
    if (lastUserText(options).startsWith("child")) return answer("ok")
    steps += 1
    if (steps > 1) return answer("end")
    return answer("", ...["#1", "2", "3"].map((todo) => launch(`child ${todo}`, { todo })))
  })
  const { runtime, session } = host
  const own = await runtime.todo.create({ sessionID: session.id, content: "own" }, by)
  const wide = await runtime.todo.create({ sessionID: null, content: "everybody's" }, by)
  const other = await runtime.session.create({ projectID: session.projectID })
  await runtime.todo.create({ sessionID: other.id, content: "another's" }, by)
  await host.prompt("Start")
  const tasks = await runtime.task.list(session.id)
  const full = await Promise.all(tasks.map((task) => runtime.task.get(task.id)))
  expect(full.map((task) => [task.description, task.todoID]).sort()).toEqual([
    ["child #1", own.id],
    ["child 2", wide.id],
  ])
  const [refused] = await errors(host)
  expect(refused).toContain("There is no todo 3")
  expect(refused).toContain("#1 [pending] own\n#2 [pending] everybody's (tenant-wide)")
  expect(host.errors).toEqual([])
})

test("async_task_gather gives a failed task's error and partial result", async () => {
  await using host = await scriptedRuntime(
    parentScript([launch("child work")], (options) =>
      toolResults(options).length === 0
        ? answer("half of it", { tool: "glob", input: { pattern: "*" } })
        : [{ type: "error", error: new Error("the model broke") }],
    ),
  )
  await host.prompt("Start")
  const [task] = await host.runtime.task.list(host.session.id)
  const gather = (await toolParts(host)).find((part) => part.tool === "async_task_gather")
  const output = gather?.state.status === "completed" ? gather.state.output : ""
  expect(output).toContain(`status: error\ntask_id: ${task?.sessionID}\nerror_type: UnknownError\n\n`)
  expect(output).toContain("<partial_result>\nhalf of it\n</partial_result>")
})

test("a child stopped by a person is an error for its caller", async () => {
  const started = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(
    parentScript([launch("child work")], ({ abortSignal }) => {
      started.resolve()
      return new Promise((_, reject) => abortSignal?.addEventListener("abort", () => reject(abortSignal.reason)))
    }),
  )
  const turn = host.prompt("Start")
  await started.promise
  const [child] = await host.runtime.session.children(host.session.id)
  await host.runtime.abort(child?.id ?? "")
  expect((await turn).status).toBe("completed")
  const [task] = await host.runtime.task.list(host.session.id)
  expect(task).toMatchObject({ state: "cancelled", error: { type: "cancelled" } })
  const gather = (await toolParts(host)).find((part) => part.tool === "async_task_gather")
  expect(gather?.state.status === "completed" && gather.state.output).toContain("error_type: cancelled")
})

test("the delegation context lists the caller's open todos as /todo list does", async () => {
  let seen = ""
  await using host = await scriptedRuntime(
    parentScript([launch("child work")], (options) => {
      seen = JSON.stringify(options.prompt)
      return answer("ok")
    }),
  )
  const by = { actor: { kind: "user", name: "Ada" } } as const
  const first = await host.runtime.todo.create({ sessionID: host.session.id, content: "ship it" }, by)
  await host.runtime.todo.update(first.number, { status: "in_progress" }, by)
  await host.runtime.todo.create({ sessionID: host.session.id, content: "write it down" }, by)
  await host.prompt("Start")
  expect(JSON.parse(`"${/\[DELEGATION CONTEXT\].*?\[END DELEGATION CONTEXT\]/.exec(seen)?.[0]}"`)).toBe(
    [
      "[DELEGATION CONTEXT]",
      "Original request: Start",
      "Delegated by: build",
      "Pipeline depth: 1/2",
      "Open todos (mark progress as you go — /todo start <id>, /todo done <id>):",
      "2 open (1 in progress, 1 pending):",
      "▶ #1 [in_progress] ship it",
      "#2 [pending] write it down",
      "[END DELEGATION CONTEXT]",
    ].join("\n"),
  )
})

test("a child started by an inline command gets the delegation context", async () => {
  const contexts: string[] = []
  await using host = await scriptedRuntime((options) => {
    const told = lastUserText(options)
    if (told.startsWith("child")) {
      contexts.push(JSON.stringify(options.prompt))
      return answer("ok")
    }
    if (told === "One") return answer("/agent explore child alone")
    return told === "Two"
      ? answer("/parallel\n/agent explore child a\n/agent general child b\n/endparallel")
      : answer("end")
  })
  const by = { actor: { kind: "user", name: "Ada" } } as const
  await host.runtime.todo.create({ sessionID: host.session.id, content: "ship it" }, by)
  // The model reads of the new todo in this prompt; in later ones the prompt itself is the last text.
  for (const text of ["Zero", "One", "Two"]) await host.prompt(text)
  expect(contexts).toHaveLength(3)
  for (const [index, context] of contexts.entries()) {
    expect(context).toMatch(/\[DELEGATION CONTEXT\].*#1 \[pending\] ship it.*END DELEGATION CONTEXT/)
    expect(context).toContain(`Original request: ${index === 0 ? "One" : "Two"}\\n`)
  }
})

test("the delegation context omits a block whose source fails or is empty", async () => {
  expect(await textOrNull(() => Promise.reject(new Error("locked")))).toBeNull()
  expect(await textOrNull(async () => "")).toBeNull()
  expect(await textOrNull(async () => "- one")).toBe("- one")
})
