import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { FeedItem, Part, ToolPart } from "../ground/schema/index.ts"
import { answer, lastUserText, scriptedRuntime, toolResults, usage } from "../test/scripted-runtime.ts"

function toolParts(items: { parts: Part[] }[]): ToolPart[] {
  return items.flatMap((item) => item.parts.filter((part): part is ToolPart => part.type === "tool"))
}

test("a prompt is answered, stored and priced, and titles the session", async () => {
  await using host = await scriptedRuntime(() => answer("Hello there."))
  const turn = await host.prompt("Say hello")
  expect(turn).toMatchObject({ status: "completed", error: null, attempt: 1 })
  const { items } = await host.messages()
  expect(items.map((item) => item.info.role)).toEqual(["user", "assistant"])
  expect(items[1]?.parts.map((part) => part.type)).toEqual(["step-start", "text", "step-finish"])
  expect(items[1]?.parts[1]).toMatchObject({ text: "Hello there." })
  expect(items[1]?.info).toMatchObject({ finish: "stop", tokens: { input: 10, output: 5 }, cost: 0.00002 })
  await host.until((event) => event.type === "session.updated" && event.properties.info.title === "A fine title")
  // The title's call costs the same.
  expect(await host.runtime.session.get(host.session.id)).toMatchObject({ status: { type: "idle" }, cost: 0.00004 })
  expect(host.errors).toEqual([])
})

test("a session starts together with its prompt, or not at all", async () => {
  await using host = await scriptedRuntime(() => answer("Hello there."))
  const { session, prompt } = host.runtime
  const { projectID } = host.session
  const before = (await session.list({})).items.length
  const tooLarge = { projectID, parts: [{ type: "text" as const, text: "x".repeat(1_100_000) }] }
  await expect(session.start(tooLarge)).rejects.toMatchObject({ code: "prompt_too_large" })
  expect((await session.list({})).items).toHaveLength(before)

  const started = await session.start({ projectID, parts: [{ type: "text", text: "Say hello" }] })
  expect(await prompt.wait(started.turn.id)).toMatchObject({ sessionID: started.session.id, status: "completed" })
  expect((await session.list({})).items).toHaveLength(before + 1)
})

test("tool calls change real files, and the next step sees their results", async () => {
  await using host = await scriptedRuntime((options) => {
    const results = toolResults(options)
    if (results.length === 0)
      return answer("Writing.", { tool: "Write", input: { filePath: "note.txt", content: "one\n" } })
    if (results.length === 1)
      return answer("", { tool: "no_such_tool", input: {} }, { tool: "read", input: { path: 3 } })
    return answer(`Done after ${results.length} results.`)
  })
  await host.prompt("Write a note")
  expect(await readFile(join(host.directory, "note.txt"), "utf8")).toBe("one\n")
  const { items } = await host.messages()
  expect(toolParts(items).map((part) => [part.tool, part.state.status])).toEqual([
    ["write", "completed"],
    ["no_such_tool", "error"],
    ["read", "error"],
  ])
  expect(items.at(-1)?.parts.find((part) => part.type === "text")).toMatchObject({ text: "Done after 3 results." })
})

test("prompts to a busy session queue and run in order", async () => {
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(async (options) => {
    const text = lastUserText(options)
    if (text === "first") await gate.promise
    order.push(text)
    return answer(`answer to ${text}`)
  })
  const submit = (text: string) => host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text }] })
  const turns = [await submit("first"), await submit("second"), await submit("third")]
  const withdrawn = await submit("never")
  expect(await host.runtime.prompt.withdraw(withdrawn.id)).toBe(true)
  const tree = await host.runtime.session.tree(host.session.id)
  expect(tree.turns.map((turn) => turn.id)).toEqual(turns.map((turn) => turn.id))
  gate.resolve()
  await Promise.all(turns.map((turn) => host.runtime.prompt.wait(turn.id)))
  expect(order).toEqual(["first", "second", "third"])
  const { items } = await host.messages()
  expect(items.map((item) => item.info.role)).toEqual(["user", "assistant", "user", "assistant", "user", "assistant"])
})

test("a stop returns the session's waiting prompts with their files", async () => {
  await using host = await scriptedRuntime((options) => {
    if (lastUserText(options) !== "wait")
      return answer("", { tool: "task", input: { description: "wait", prompt: "wait", subagent_type: "general" } })
    return new ReadableStream({
      start: (controller) => options.abortSignal?.addEventListener("abort", () => controller.error(new Error("cut"))),
    })
  })
  const file = { type: "file", mime: "text/plain", url: "data:text/plain;base64,aGk=", filename: "a.txt" } as const
  const turn = host.prompt("Start")
  await host.until((event) => event.type === "session.updated" && event.properties.info.parentID !== null)
  await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "next" }, file] })
  const withdrawn = await host.runtime.abort(host.session.id)
  expect(withdrawn.map(({ input }) => input.parts)).toEqual([[{ type: "text", text: "next" }, file]])
  expect(await turn).toMatchObject({ status: "aborted" })
  expect(await host.runtime.abort(host.session.id)).toEqual([])
})

test("two tasks of one answer run in parallel; the parent shows progress", async () => {
  const both = Promise.withResolvers<void>()
  let running = 0
  await using host = await scriptedRuntime(async (options) => {
    const text = lastUserText(options)
    const results = toolResults(options)
    if (text.startsWith("look")) {
      if (results.length > 0) return answer(`found ${text.slice(5)}`)
      running += 1
      if (running === 2) both.resolve()
      await both.promise
      return answer("", { tool: "glob", input: { pattern: "*.txt" } })
    }
    if (results.length > 0) return answer(results.join("\n---\n"))
    return answer(
      "Delegating.",
      { tool: "task", input: { description: "look left", prompt: "look left", subagent_type: "explore" } },
      { tool: "task", input: { description: "look right", prompt: "look right", subagent_type: "explore" } },
    )
  })
  await host.prompt("Find things")
  const children = await host.runtime.session.children(host.session.id)
  expect(children.map((child) => [child.title, child.depth, child.agent])).toEqual([
    ["look left (@explore subagent)", 1, "explore"],
    ["look right (@explore subagent)", 1, "explore"],
  ])
  const { items } = await host.messages()
  const tasks = toolParts(items)
  expect(tasks.map((part) => part.state.status)).toEqual(["completed", "completed"])
  for (const [n, part] of tasks.entries()) {
    if (part.state.status !== "completed") throw new Error("not completed")
    expect(part.state.metadata).toMatchObject({
      sessionId: children[n]?.id,
      state: "completed",
      toolCount: 1,
      tokens: 30,
    })
    expect(part.state.metadata.summary).toMatchObject([{ tool: "glob", status: "completed" }])
    expect(part.state.output).toContain(`<task_metadata>\nsession_id: ${children[n]?.id}\n</task_metadata>`)
  }
  const starts = host.events.findIndex((event) => isCallOf(event, children[1]?.id, "running"))
  const ends = host.events.findIndex((event) => isTaskEnd(event))
  expect(starts).toBeGreaterThan(-1)
  expect(starts).toBeLessThan(ends)
  expect(await host.messages(children[0]?.id).then((page) => page.items[0]?.parts.at(-1))).toMatchObject({
    text: "look left",
  })
})

function isCallOf(event: FeedItem, sessionID: string | undefined, status: string): boolean {
  if (event.type !== "message.part.updated") return false
  const { part } = event.properties
  return part.type === "tool" && part.sessionID === sessionID && part.state.status === status
}

function isTaskEnd(event: FeedItem): boolean {
  if (event.type !== "message.part.updated") return false
  const { part } = event.properties
  return part.type === "tool" && part.tool === "task" && part.state.status === "completed"
}

test("a failing child is an error of its call; the parent continues", async () => {
  await using host = await scriptedRuntime((options) => {
    if (lastUserText(options) === "fail") {
      return [{ type: "error", error: new Error("the model broke") }]
    }
    const results = toolResults(options)
    if (results.length > 0) return answer("Went on.")
    return answer("", { tool: "task", input: { description: "fail", prompt: "fail", subagent_type: "general" } })
  })
  const turn = await host.prompt("Try it")
  expect(turn.status).toBe("completed")
  const [task] = toolParts((await host.messages()).items)
  expect(task?.state).toMatchObject({ status: "error", metadata: { state: "failed" } })
})

test("task_id continues the same child and refuses any other session", async () => {
  let child = ""
  await using host = await scriptedRuntime((options) => {
    const text = lastUserText(options)
    const task = (prompt: string, task_id?: string) =>
      answer("", { tool: "task", input: { description: "work", prompt, subagent_type: "explore", task_id } })
    if (text === "part one") return answer("one done")
    if (text === "part two")
      return answer(`two done, ${options.prompt.filter((message) => message.role === "user").length} prompts`)
    const results = toolResults(options)
    if (results.length === 0) return task("part one")
    if (results.length === 1) {
      child = /session_id: (ses_\w+)/.exec(results[0] ?? "")?.[1] ?? ""
      return task("part two", child)
    }
    if (results.length === 2) return task("part three", host.session.id)
    return answer("end")
  })
  await host.prompt("Start")
  const calls = toolParts((await host.messages()).items)
  expect(calls.map((call) => call.state.status)).toEqual(["completed", "completed", "error"])
  expect(calls[1]?.state.status === "completed" && calls[1].state.output).toContain("two done, 2 prompts")
  expect(await host.runtime.session.children(host.session.id)).toHaveLength(1)
})

test("a grandchild's request is answered at the root; `always` covers the tree", async () => {
  const config = {
    permission: { bash: "ask" },
    agent: { general: { permission: { task: "allow" } } },
  }
  await using host = await scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      const results = toolResults(options)
      const delegate = (prompt: string) =>
        answer("", { tool: "task", input: { description: prompt, prompt, subagent_type: "general" } })
      if (results.length > 0) return answer(results.join(" "))
      if (text === "grandchild")
        return answer("", { tool: "bash", input: { command: "echo from below", description: "say it" } })
      return delegate(text === "child" ? "grandchild" : "child")
    },
    { config },
  )
  const turn = host.prompt("Go down")
  const asked = await host.until((event) => event.type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("no request")
  const { request } = asked.properties
  expect(request.rootID).toBe(host.session.id)
  expect(request.sessionID).not.toBe(host.session.id)
  expect((await host.runtime.session.get(request.sessionID)).depth).toBe(2)
  expect(await host.runtime.permission.pending(host.session.id)).toHaveLength(1)
  await host.runtime.permission.reply(request.id, "always")
  await expect(host.runtime.permission.reply(request.id, "once")).rejects.toMatchObject({
    code: "permission_request_answered",
    message: expect.stringContaining("This was allowed for good by you elsewhere before your answer came."),
  })
  expect((await turn).status).toBe("completed")
  expect(
    (await host.messages()).items
      .at(-1)
      ?.parts.some((part) => part.type === "text" && part.text.includes("from below")),
  ).toBe(true)
  expect((await host.prompt("Go down")).status).toBe("completed")
  expect(host.events.filter((event) => event.type === "permission.asked")).toHaveLength(1)
})

test("a rejection stops the turn, but with a message the turn continues", async () => {
  const config = { permission: { edit: "ask" } }
  await using host = await scriptedRuntime(
    (options) => {
      const results = toolResults(options)
      if (results.length > 0) return answer(`I heard: ${results[0]}`)
      return answer("", { tool: "write", input: { filePath: "a.txt", content: "x" } })
    },
    { config },
  )
  const reply = async (message?: string) => {
    const known = host.events.length
    const turn = host.prompt("Write")
    const event = await host.until((item) => host.events.indexOf(item) >= known && item.type === "permission.asked")
    if (event.type !== "permission.asked") throw new Error("no request")
    await host.runtime.permission.reply(event.properties.request.id, "reject", { message })
    return turn
  }
  expect(await reply()).toMatchObject({ status: "aborted", error: { name: "RejectedError" } })
  expect((await host.messages()).items).toHaveLength(2)
  expect((await host.runtime.session.get(host.session.id)).ended?.how).toBe("stopped")
  expect((await reply("use b.txt")).status).toBe("completed")
  const { items } = await host.messages()
  expect(items.at(-1)?.parts.find((part) => part.type === "text")).toMatchObject({
    text: expect.stringContaining("use b.txt"),
  })
})

test("stopping ends the whole tree, keeps text and leaves the session usable", async () => {
  await using host = await scriptedRuntime((options) => {
    const text = lastUserText(options)
    if (text === "again") return answer("Still here.")
    if (text === "wait")
      return new ReadableStream({
        start(controller) {
          controller.enqueue({ type: "text-start", id: "0" })
          controller.enqueue({ type: "text-delta", id: "0", delta: "thinking" })
          options.abortSignal?.addEventListener("abort", () => controller.error(new Error("cut")))
        },
      })
    return answer("", { tool: "task", input: { description: "wait", prompt: "wait", subagent_type: "general" } })
  })
  const turn = host.prompt("Start")
  await host.until((event) => event.type === "message.part.delta")
  await host.runtime.abort(host.session.id)
  expect(await turn).toMatchObject({ status: "aborted", error: { name: "AbortedError" } })
  const tree = await host.runtime.session.tree(host.session.id)
  expect(tree.sessions.map((session) => session.status.type)).toEqual(["idle", "idle"])
  expect(tree.turns).toEqual([])
  const child = tree.sessions[1]
  if (child === undefined) throw new Error("no child")
  const page = await host.messages(child.id)
  expect(page.items[1]?.parts[1]).toMatchObject({ type: "text", text: "thinking" })
  expect(page.items[1]?.info).toMatchObject({ error: { name: "AbortedError" } })
  expect(toolParts((await host.messages()).items)[0]?.state.status).toBe("error")
  expect((await host.prompt("again")).status).toBe("completed")
})

test("a failing provider is asked again, and the failure is shown", async () => {
  let calls = 0
  await using host = await scriptedRuntime(() => {
    calls += 1
    if (calls > 1) return answer("Recovered.")
    const error = Object.assign(new Error("overloaded"), {
      name: "AI_APICallError",
      statusCode: 503,
      isRetryable: true,
      responseHeaders: { "retry-after-ms": "5" },
    })
    return [{ type: "error", error }]
  })
  expect((await host.prompt("Hello")).status).toBe("completed")
  expect(
    host.events.some((event) => event.type === "session.updated" && event.properties.info.status.type === "retry"),
  ).toBe(true)
  const { items } = await host.messages()
  expect(items).toHaveLength(2)
  expect(items[1]?.parts.map((part) => part.type)).toEqual(["step-start", "retry", "text", "step-finish"])
})

test("after a crash no part stays running and the session continues", async () => {
  const stuck = Promise.withResolvers<never>()
  const first = await scriptedRuntime((options) => {
    if (toolResults(options).length > 0) return stuck.promise
    return answer(
      "",
      { tool: "glob", input: { pattern: "*" } },
      { tool: "bash", input: { command: "sleep 30", description: "wait" } },
    )
  })
  await writeFile(join(first.directory, "a.txt"), "a")
  void first.runtime.prompt.submit(first.session.id, { parts: [{ type: "text", text: "Work" }] })
  await first.until(
    (event) =>
      isCallOf(event, first.session.id, "running") &&
      event.type === "message.part.updated" &&
      event.properties.part.type === "tool" &&
      event.properties.part.tool === "bash",
  )
  // The process dies here: a second runtime opens the same rows while the first is stuck.
  await using second = await scriptedRuntime((options) => answer(`Went on: ${lastUserText(options)}`), {
    store: first.store,
    directory: first.directory,
  })
  const [turn] = (await second.runtime.session.tree(first.session.id)).turns
  if (turn !== undefined) await second.runtime.prompt.wait(turn.id)
  const { items } = await second.messages(first.session.id)
  const calls = toolParts(items)
  expect(calls.map((call) => call.state.status)).toEqual(["completed", "error"])
  expect(items.at(-1)?.parts.find((part) => part.type === "text")).toMatchObject({
    text: expect.stringContaining("restarted"),
  })
  expect(await second.runtime.session.get(first.session.id)).toMatchObject({ status: { type: "idle" } })
  await first[Symbol.asyncDispose]()
})

test("a transcript beyond the context is summarised and the turn continues", async () => {
  let steps = 0
  await using host = await scriptedRuntime(
    (options) => {
      const system = options.prompt.find((message) => message.role === "system")
      if (system?.role === "system" && system.content.startsWith("You condense")) return answer("The summary.")
      steps += 1
      if (steps === 1) {
        const parts = answer("Long.", { tool: "glob", input: { pattern: "*" } })
        const big = { ...usage, inputTokens: { total: 9_000, noCache: 9_000, cacheRead: 0, cacheWrite: 0 } }
        return parts.map((part) => (part.type === "finish" ? { ...part, usage: big } : part))
      }
      return answer(`Continued with ${options.prompt.filter((message) => message.role !== "system").length} messages.`)
    },
    { context: 10_000 },
  )
  expect((await host.prompt("Work on")).status).toBe("completed")
  const { items } = await host.messages()
  expect(items.some((item) => item.info.role === "assistant" && item.info.summary)).toBe(true)
  expect(items.at(-1)?.parts.find((part) => part.type === "text")).toMatchObject({ text: "Continued with 2 messages." })
})

test("the third identical call in a row needs the user's leave", async () => {
  await using host = await scriptedRuntime((options) => {
    if (toolResults(options).length >= 4) return answer("Enough.")
    return answer("", { tool: "glob", input: { pattern: "*.none" } })
  })
  const turn = host.prompt("Loop")
  const asked = await host.until((event) => event.type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("no request")
  expect(asked.properties.request.permission).toBe("doom_loop")
  await host.runtime.permission.reply(asked.properties.request.id, "always")
  expect((await turn).status).toBe("completed")
})

test("of two simultaneous removals, one fails because the session is gone", async () => {
  await using host = await scriptedRuntime(() => answer("Hello"))
  await host.prompt("Say hello")
  const { remove } = host.runtime.session
  const settled = await Promise.allSettled([remove(host.session.id), remove(host.session.id)])
  const refused = settled.flatMap((outcome) => (outcome.status === "rejected" ? [String(outcome.reason)] : []))
  expect(refused).toEqual([expect.stringContaining(`There is no session ${host.session.id} that you can see.`)])
})

test("a prompt without a project directory is kept and fails with reason", async () => {
  await using host = await scriptedRuntime(() => answer("never"))
  await rm(host.directory, { recursive: true })
  const turn = await host.prompt("Keep these words")
  expect(turn).toMatchObject({ status: "failed", error: { message: expect.stringContaining("There is no directory") } })
  const { items } = await host.messages()
  expect(items[0]?.parts[0]).toMatchObject({ text: "Keep these words" })
  expect(items[1]?.info).toMatchObject({
    role: "assistant",
    error: { message: expect.stringContaining(host.directory) },
  })
})

test("unknown agents and empty or overlong prompts are refused and not stored", async () => {
  await using host = await scriptedRuntime(() => answer("never"))
  const submit = (input: object) =>
    host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "x" }], ...input })
  await expect(submit({ agent: "biuld" })).rejects.toMatchObject({
    code: "agent_not_found",
    message: expect.stringContaining("build"),
  })
  const long = { parts: [{ type: "text" as const, text: "ü".repeat(524_289) }] }
  await expect(submit(long)).rejects.toMatchObject({ code: "prompt_too_large" })
  const blank = { parts: [{ type: "text" as const, text: " \n" }] }
  await expect(submit(blank)).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("empty"),
  })
  expect((await host.messages()).items).toEqual([])
})

test("a command-only session is named by its first command until a prompt", async () => {
  await using host = await scriptedRuntime(() => answer("Found it."))
  const named = (title: string) =>
    host.until((event) => event.type === "session.updated" && event.properties.info.title === title)
  await host.prompt("/todo add review the canary\n\n/todo start 1")
  await named("/todo add review the canary")
  await host.prompt("/todo list")
  await host.prompt("Find the slow query")
  await named("A fine title")
  const titles = host.events.flatMap((event) => (event.type === "session.updated" ? event.properties.info.title : []))
  expect([...new Set(titles)].slice(-2)).toEqual(["/todo add review the canary", "A fine title"])
  expect(host.errors).toEqual([])
})

test("a session without a model title is named by its prompt", async () => {
  await using host = await scriptedRuntime(() => [{ type: "error", error: new Error("the model broke") }], {
    titles: false,
  })
  await host.prompt("Find the slow query\nand explain it")
  await host.until((event) => event.type === "session.updated" && event.properties.info.title === "Find the slow query")
})
