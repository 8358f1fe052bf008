import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import type { FeedItem, Task, ToolPart } from "../../ground/schema/index.ts"
import {
  answer,
  lastUserText,
  type Script,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"

/** The last prompt that the session's own agent or user wrote, without texts that Docket adds. */
function promptText(options: Parameters<Script>[0]): string {
  const last = options.prompt.findLast((message) => message.role === "user")
  const texts = last?.role === "user" ? last.content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : []
  return texts
    .filter((text) => !text.startsWith("[DELEGATION CONTEXT]") && !text.startsWith("End with one JSON"))
    .join("\n")
}

const launch = (prompt: string, more: object = {}) => ({
  tool: "async_task",
  input: { agent: "explore", prompt, description: prompt, ...more },
})

async function calls(host: ScriptedRuntime): Promise<ToolPart[]> {
  const { items } = await host.messages()
  return items.flatMap((item) => item.parts.filter((part): part is ToolPart => part.type === "tool"))
}

function output(part: ToolPart | undefined): string {
  if (part?.state.status === "completed") return part.state.output
  return part?.state.status === "error" ? `ERROR ${part.state.error}` : ""
}

const idOf = (result: string | undefined) => /task_id: (ses_\w+)/.exec(result ?? "")?.[1] ?? ""

function stateChanges(events: FeedItem[], taskID: string): Task["state"][] {
  const states = events.flatMap((event) =>
    event.type === "task.updated" && event.properties.task.id === taskID ? [event.properties.task.state] : [],
  )
  return states.filter((state, index) => state !== states[index - 1])
}

test("async_task returns at once; three tasks run together and are gathered", async () => {
  let running = 0
  let most = 0
  const gate = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(async (options) => {
    const prompt = promptText(options)
    if (prompt.startsWith("dig")) {
      running += 1
      most = Math.max(most, running)
      if (running === 3) gate.resolve()
      await gate.promise
      running -= 1
      return answer(`found ${prompt}`)
    }
    const results = toolResults(options)
    if (results.length === 0) return answer("", launch("dig a"), launch("dig b"), launch("dig c", { agent: "general" }))
    if (results.length === 3) {
      return answer("", { tool: "async_task_gather", input: { task_ids: results.map(idOf) } })
    }
    return answer("All three answered.")
  })
  await host.prompt("Fan out")
  const parts = await calls(host)
  const first = (await host.runtime.task.list(host.session.id)).find((task) => task.description === "dig a")
  expect(output(parts[0])).toBe(
    `task_id: ${first?.sessionID}\nagent: explore\ndescription: dig a\nstatus: launched\n\nUse async_task_result with this task_id to retrieve the result when ready.`,
  )
  expect(most).toBe(3)
  expect(output(parts[3])).toContain("gathered: 3 of 3")
  expect(output(parts[3])).toContain("<task_result>\nfound dig b\n</task_result>")
  const tasks = await host.runtime.task.list(host.session.id)
  expect(tasks.map((task) => [task.number, task.state, task.delivered])).toEqual([
    [1, "completed", "poll"],
    [2, "completed", "poll"],
    [3, "completed", "poll"],
  ])
  for (const task of tasks) expect(stateChanges(host.events, task.id)).toEqual(["queued", "running", "completed"])
  expect(host.errors).toEqual([])
})

test("async_task_result answers for running, complete and unknown tasks", async () => {
  const gate = Promise.withResolvers<void>()
  let id = ""
  await using host = await scriptedRuntime(async (options) => {
    const prompt = promptText(options)
    if (prompt === "slow") {
      await gate.promise
      return answer("the slow answer")
    }
    const results = toolResults(options)
    const poll = (task_id: string, wait_ms?: number) =>
      answer("", { tool: "async_task_result", input: { task_id, wait_ms } })
    if (results.length === 0) return answer("", launch("slow"))
    if (results.length === 1) {
      id = idOf(results[0])
      return poll(id)
    }
    if (results.length === 2) {
      gate.resolve()
      return poll("#1", 5_000)
    }
    if (results.length === 3) return poll("ses_nowhere")
    return answer("done")
  })
  await host.prompt("Start")
  const parts = await calls(host)
  expect(output(parts[1])).toBe(`status: running\ntask_id: ${id}\n\nThe task is still in progress. Try again shortly.`)
  expect(output(parts[2])).toBe(`status: complete\ntask_id: ${id}\n\n<task_result>\nthe slow answer\n</task_result>`)
  expect(output(parts[3])).toBe(
    "status: error\ntask_id: ses_nowhere\n\nSession not found. The task_id may be invalid or the session was deleted.",
  )
})

test("an unknown or primary agent is refused with the list of agents", async () => {
  await using host = await scriptedRuntime((options) =>
    toolResults(options).length > 0
      ? answer("ok")
      : answer("", launch("x", { agent: "plan" }), launch("y", { agent: "nobody" })),
  )
  await host.prompt("Start")
  for (const part of await calls(host))
    expect(output(part)).toMatch(/There is no subagent ".*"\. Use one of: .*general.*explore/)
  expect(await host.runtime.task.list(host.session.id)).toEqual([])
})

test("a provider's refusal at launch is an error of the call", async () => {
  await using host = await scriptedRuntime((options) => {
    if (promptText(options) === "x") {
      const error = Object.assign(new Error("invalid x-api-key"), {
        name: "AI_APICallError",
        statusCode: 401,
        isRetryable: false,
      })
      return [{ type: "error", error }]
    }
    return toolResults(options).length > 0 ? answer("ok") : answer("", launch("x"))
  })
  await host.prompt("Start")
  const [part] = await calls(host)
  expect(part?.state.status).toBe("error")
  expect(output(part)).toContain("could not be started")
  const [task] = await host.runtime.task.list(host.session.id)
  expect(task).toMatchObject({ state: "failed", error: { type: "ProviderAuthError" }, delivered: "result" })
})

test("an end that nobody polled wakes the parent once", async () => {
  const gate = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(async (options) => {
    const prompt = lastUserText(options)
    if (promptText(options) === "later") {
      await gate.promise
      return answer("at last")
    }
    if (prompt.includes("background task has ended")) return answer(`Told: ${prompt.includes("at last")}`)
    return toolResults(options).length > 0 ? answer("Going on.") : answer("", launch("later"))
  })
  await host.prompt("Start")
  expect((await host.runtime.session.get(host.session.id)).status.type).toBe("idle")
  gate.resolve()
  await host.until(
    (event) =>
      event.type === "message.part.updated" &&
      event.properties.part.type === "text" &&
      event.properties.part.text === "Told: true",
  )
  await host.until(
    (event) =>
      event.type === "turn.updated" &&
      event.properties.turn.status === "completed" &&
      event.properties.turn.input.parts[0]?.type === "text" &&
      event.properties.turn.input.parts[0].synthetic === true,
  )
  const { items } = await host.messages()
  expect(items.filter((item) => item.info.role === "user")).toHaveLength(2)
  const [task] = await host.runtime.task.list(host.session.id)
  expect(task?.delivered).toBe("turn")
})

test("a blocking task sent to the background lets the parent go on", async () => {
  const gate = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(async (options) => {
    if (promptText(options) === "long") {
      await gate.promise
      return answer("long done")
    }
    if (lastUserText(options).includes("background task has ended")) return answer("Heard.")
    if (toolResults(options).length > 0) return answer("Went on.")
    return answer("", { tool: "task", input: { description: "long", prompt: "long", subagent_type: "explore" } })
  })
  const turn = host.prompt("Start")
  const running = await host.until(
    (event) => event.type === "task.updated" && event.properties.task.state === "running",
  )
  if (running.type !== "task.updated") throw new Error("no task")
  await host.runtime.task.background(running.properties.task.id)
  expect((await turn).status).toBe("completed")
  expect(output((await calls(host))[0])).toContain("sent to the background")
  gate.resolve()
  await host.until(
    (event) =>
      event.type === "message.part.updated" &&
      event.properties.part.type === "text" &&
      event.properties.part.text === "Heard.",
  )
  await expect(host.runtime.task.background(running.properties.task.id)).rejects.toMatchObject({ code: "task_ended" })
})

test("children over the limit wait and start in order", async () => {
  let running = 0
  let most = 0
  const twoRunning = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(
    async (options) => {
      const prompt = promptText(options)
      if (prompt.startsWith("n")) {
        running += 1
        most = Math.max(most, running)
        if (running === 2) twoRunning.resolve()
        await twoRunning.promise
        running -= 1
        return answer(`done ${prompt}`)
      }
      const results = toolResults(options)
      if (results.length === 0) return answer("", ...Array.from({ length: 6 }, (_, n) => launch(`n${n}`)))
      if (results.length === 6) return answer("", { tool: "async_task_gather", input: { task_ids: results.map(idOf) } })
      return answer("end")
    },
    { config: { delegation: { concurrency: 2 } } },
  )
  await host.prompt("Start")
  expect(most).toBe(2)
  const started = host.events.flatMap((event) =>
    event.type === "task.updated" && event.properties.task.state === "running" ? [event.properties.task.number] : [],
  )
  expect([...new Set(started)]).toEqual([1, 2, 3, 4, 5, 6])
})

test("limits end a child with its partial answer and the reason", async () => {
  const config = {
    delegation: { envelope: false },
    agent: { explore: { limits: { tool_calls: 2 } }, general: { limits: { timeout: 150 } } },
  }
  await using host = await scriptedRuntime(
    async (options) => {
      const prompt = promptText(options)
      const results = toolResults(options)
      if (prompt === "calls")
        return answer(`step ${results.length}`, { tool: "glob", input: { pattern: `*.${results.length}` } })
      if (prompt === "time") {
        await new Promise((resolve) => setTimeout(resolve, 60_000).unref())
        return answer("never")
      }
      if (results.length > 0) return answer("end")
      return answer(
        "",
        { tool: "task", input: { description: "calls", prompt: "calls", subagent_type: "explore" } },
        { tool: "task", input: { description: "time", prompt: "time", subagent_type: "general" } },
      )
    },
    { config },
  )
  await host.prompt("Start")
  const tasks = await host.runtime.task.list(host.session.id)
  const counted = tasks.find((task) => task.description === "calls")
  const timed = tasks.find((task) => task.description === "time")
  expect(counted).toMatchObject({
    state: "failed",
    error: { type: "limit_reached" },
    usage: { toolCalls: 2 },
    result: "step 1",
  })
  expect(timed).toMatchObject({
    state: "timed_out",
    error: { type: "limit_reached", message: expect.stringContaining("0.15 s") },
  })
  const parts = await calls(host)
  expect(output(parts[0])).toContain("limit of 2 tool calls")
  expect(output(parts[0])).toContain("<partial_result>\nstep 1\n</partial_result>")
})

test("an answer outside the schema gets two repairs, then an error", async () => {
  const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] }
  await using host = await scriptedRuntime((options) => {
    const prompt = promptText(options)
    if (prompt === "good") return answer('```json\n{"n": 1}\n```')
    if (prompt === "repaired") return answer('{"n": "one"}')
    if (prompt.startsWith("Your answer does not fit"))
      return answer(options.prompt.some((m) => JSON.stringify(m).includes("repaired")) ? '{"n": 2}' : "still wrong")
    if (prompt === "bad") return answer("no json at all")
    if (toolResults(options).length > 0) return answer("end")
    const task = (name: string) => ({
      tool: "task",
      input: { description: name, prompt: name, subagent_type: "explore", output_schema: schema },
    })
    return answer("", task("good"), task("repaired"), task("bad"))
  })
  await host.prompt("Start")
  const summaries = await host.runtime.task.list(host.session.id)
  const tasks = await Promise.all(summaries.map((task) => host.runtime.task.get(task.id)))
  const ends = Object.fromEntries(tasks.map((task) => [task.prompt, [task.state, task.output, task.error?.type]]))
  expect(ends).toEqual({
    good: ["completed", { n: 1 }, undefined],
    repaired: ["completed", { n: 2 }, undefined],
    bad: ["failed", null, "output_invalid"],
  })
  const turns = (await Promise.all(tasks.map(({ sessionID }) => host.messages(sessionID)))).map(({ items }) => items)
  expect(turns.map((items) => items.filter(({ info }) => info.role === "assistant").length)).toEqual([1, 2, 3])
})

test("an answer over 16 KB is stored in a file and shortened", async () => {
  const long = `START ${"x".repeat(40_000)} END`
  await using host = await scriptedRuntime((options) => {
    if (promptText(options) === "long") return answer(long)
    if (toolResults(options).length > 0) return answer("end")
    return answer("", { tool: "task", input: { description: "long", prompt: "long", subagent_type: "explore" } })
  })
  await host.prompt("Start")
  const [summary] = await host.runtime.task.list(host.session.id)
  const task = await host.runtime.task.get(summary?.id ?? "")
  expect(await readFile(task.resultPath ?? "", "utf8")).toBe(long)
  expect(task.result).toMatch(/^START x+\n\n\[… \d+ bytes left out; the whole answer is in .*\]\n\nx+ END$/s)
  expect(output((await calls(host))[0]).length).toBeLessThan(13_000)
})

test("a message reaches a running child before its next step", async () => {
  const gate = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(async (options) => {
    const prompt = promptText(options)
    if (prompt === "work") {
      if (toolResults(options).length === 0) return answer("", { tool: "glob", input: { pattern: "*" } })
      await gate.promise
      return answer("finished before I looked")
    }
    if (prompt.startsWith("Message from the user")) return answer(`heard: ${prompt.split("\n")[1]}`)
    if (toolResults(options).length > 0) return answer("end")
    return answer("", { tool: "task", input: { description: "work", prompt: "work", subagent_type: "explore" } })
  })
  const turn = host.prompt("Start")
  const running = await host.until(
    (event) => event.type === "task.updated" && event.properties.task.usage.toolCalls === 1,
  )
  if (running.type !== "task.updated") throw new Error("no task")
  await host.runtime.task.message(running.properties.task.id, "look at b.txt")
  gate.resolve()
  await turn
  expect(output((await calls(host))[0])).toContain("heard: look at b.txt")
  const told = (await host.messages(running.properties.task.sessionID)).items.flatMap(({ parts }) => parts)
  expect(told.flatMap((part) => (part.type === "text" && part.notice ? [part.notice] : []))).toEqual([
    { kind: "message", from: { kind: "person" }, text: "look at b.txt" },
  ])
})

test("cancelling a task or stopping its parent ends everything under it", async () => {
  const never = new Promise<never>(() => {})
  const script: Script = (options) => {
    const prompt = promptText(options)
    if (prompt.startsWith("hang")) return abortable(options.abortSignal, never)
    const results = toolResults(options)
    if (lastUserText(options).includes("has ended")) return answer("ok")
    if (results.length === 0) return answer("", launch("hang 1"), launch("hang 2"), launch("hang 3"))
    if (results.length === 3) return answer("", { tool: "async_task_cancel", input: { task_id: "1" } })
    return abortable(options.abortSignal, never)
  }
  await using host = await scriptedRuntime(script, { config: { delegation: { concurrency: 2 } } })
  const turn = host.prompt("Start")
  await host.until(
    (event) =>
      event.type === "task.updated" &&
      event.properties.task.number === 1 &&
      event.properties.task.state === "cancelled",
  )
  await host.until(
    (event) =>
      event.type === "task.updated" && event.properties.task.number === 3 && event.properties.task.state === "running",
  )
  await host.runtime.abort(host.session.id)
  await turn
  const tasks = await host.runtime.task.list(host.session.id)
  expect(tasks.map((task) => task.state)).toEqual(["cancelled", "cancelled", "cancelled"])
  for (const task of tasks)
    expect(stateChanges(host.events, task.id).filter((state) => state === "cancelled")).toHaveLength(1)
  const tree = await host.runtime.session.tree(host.session.id)
  expect(tree.sessions.every((session) => session.status.type === "idle")).toBe(true)
  expect(tree.turns).toEqual([])
})

function abortable<T>(signal: AbortSignal | undefined, never: Promise<T>): Promise<T> {
  return Promise.race([
    never,
    new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true })),
  ])
}

test("a child's prompt begins with the delegation context unless turned off", async () => {
  const seen: string[] = []
  const script: Script = (options) => {
    const last = options.prompt.findLast((message) => message.role === "user")
    const texts = last?.role === "user" ? last.content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : []
    if (texts.includes("child work")) {
      seen.push(texts[0] ?? "")
      return answer("ok")
    }
    if (toolResults(options).length > 0) return answer("end")
    return answer("", { tool: "task", input: { description: "w", prompt: "child work", subagent_type: "explore" } })
  }
  {
    await using host = await scriptedRuntime(script)
    await host.prompt("Please find the bug")
  }
  {
    await using host = await scriptedRuntime(script, { config: { delegation: { envelope: false } } })
    await host.prompt("Please find the bug")
  }
  expect(seen[0]).toMatch(
    /^\[DELEGATION CONTEXT\]\nOriginal request: Please find the bug\nDelegated by: build\nPipeline depth: 1\/2\n/,
  )
  expect(seen[0]).toMatch(/\[END DELEGATION CONTEXT\]$/)
  expect(seen[1]).toBe("child work")
})

test("a person delegates with /agent, /parallel and @name", async () => {
  await using host = await scriptedRuntime((options) => {
    const prompt = promptText(options)
    if (prompt.startsWith("look")) return answer(`seen ${prompt}`)
    return answer(toolResults({ ...options, prompt: options.prompt.slice(0, -1) }).join(" | "))
  })
  await host.prompt("/agent explore look here")
  await host.prompt("/parallel\n/agent explore look left\n/agent general look right\n/endparallel")
  await host.prompt("@explore look up\nand down")
  const tasks = await host.runtime.task.list(host.session.id)
  expect(tasks.map((task) => `${task.agent} ${task.state}`).sort()).toEqual([
    "explore completed",
    "explore completed",
    "explore completed",
    "general completed",
  ])
  expect((await host.runtime.task.get(tasks[3]?.id ?? "")).prompt).toBe("look up\nand down")
  const submit = (text: string) => host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text }] })
  await expect(submit("/agent nobody do it")).rejects.toMatchObject({ code: "agent_not_found" })
  await expect(submit("/parallel\n/agent explore x")).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("/endparallel"),
  })
})

test("a model delegates by inline commands; a failure spares the siblings", async () => {
  const seen: string[] = []
  await using host = await scriptedRuntime((options) => {
    const prompt = promptText(options)
    if (prompt === "look left") return answer("left is clear")
    if (prompt === "look right") return [{ type: "error", error: new Error("the model broke") }]
    if (prompt.includes("[/parallel 2 children]")) {
      seen.push(prompt)
      return answer("Both are back.")
    }
    return answer("I ask two.\n/parallel\n/agent explore look left\n/agent general look right\n/endparallel\n")
  })
  await host.prompt("Look around")
  expect(seen[0]).toContain("[child 1/2 — /agent explore]\nleft is clear\n[END CHILD 1]")
  expect(seen[0]).toMatch(/\[child 2\/2 — \/agent general\]\nERR: [\s\S]*UPSTREAM FAILED/)
  expect(seen[0]).toContain("[END PARALLEL]\n[END TOOL RESULTS]")
})

test("a crash interrupts each open task once and notifies the parent once", async () => {
  const never = new Promise<never>(() => {})
  const first = await scriptedRuntime(
    (options) => {
      if (promptText(options).startsWith("hang")) return abortable(options.abortSignal, never)
      if (toolResults(options).length > 0) return answer("Waiting.")
      return answer("", launch("hang 1"), launch("hang 2"), launch("hang 3"))
    },
    { config: { delegation: { concurrency: 2 } } },
  )
  await first.prompt("Start")
  expect((await first.runtime.task.list(first.session.id)).map((task) => task.state)).toEqual([
    "running",
    "running",
    "queued",
  ])
  // The process dies here: a second runtime opens the same rows.
  const notices: string[] = []
  await using second = await scriptedRuntime(
    (options) => {
      notices.push(lastUserText(options))
      return answer("Understood.")
    },
    { store: first.store, directory: first.directory },
  )
  const { turns } = await second.runtime.session.tree(first.session.id)
  for (const turn of turns) await second.runtime.prompt.wait(turn.id)
  const tasks = await second.runtime.task.list(first.session.id)
  expect(tasks.map((task) => [task.state, task.delivered])).toEqual([
    ["interrupted", "turn"],
    ["interrupted", "turn"],
    ["interrupted", "turn"],
  ])
  expect(notices.filter((notice) => notice.includes("Background tasks have ended"))).toHaveLength(1)
  expect(await second.runtime.session.children(first.session.id)).toHaveLength(3)
  await using third = await scriptedRuntime(() => answer("never"), { store: first.store, directory: first.directory })
  expect((await third.runtime.session.tree(first.session.id)).turns).toEqual([])
  await first[Symbol.asyncDispose]()
})
