import { expect, test } from "vitest"
import type { FeedItem, Task } from "../../ground/schema/index.ts"
import { createInMemoryStore, type Mutation, type Store } from "../../ground/store/index.ts"
import { jumpTime } from "../../test/jump-time.ts"
import { answer, lastUserText, type Script, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

const config = { delegation: { envelope: false }, permission: "allow" }
const delegate = (prompt: string, more: object = {}) => ({
  tool: "task",
  input: { subagent_type: "explore", prompt, description: prompt, ...more },
})
const launch = (prompt: string, more: object = {}) => ({
  tool: "async_task",
  input: { agent: "explore", prompt, description: prompt, ...more },
})

/** A store that calls `before` with each mutation before it is written. */
function watchedStore(before: (mutation: Mutation) => void): Store {
  const store = createInMemoryStore()
  const commit: Store["write"]["commit"] = (batches) => {
    for (const { mutations } of batches) for (const mutation of mutations) before(mutation)
    return store.write.commit(batches)
  }
  return { ...store, write: { ...store.write, commit } }
}

/** The end states that a task's events reported, without repetitions. */
function endsOf(events: FeedItem[], taskID: string): Task["state"][] {
  const states = events.flatMap((event) =>
    event.type === "task.updated" && event.properties.task.id === taskID ? [event.properties.task.state] : [],
  )
  return states.filter((state, n) => state !== states[n - 1] && state !== "queued" && state !== "running")
}

/** A parent that makes these calls, which start children, and answers with their results. */
const parent =
  (child: Script, ...calls: Parameters<typeof answer>[1][]): Script =>
  (options) => {
    if (lastUserText(options) !== "Start") return child(options)
    const results = toolResults(options)
    return results.length > 0 ? answer(results.join("\n")) : answer("", ...calls)
  }

test("a message after the last step is answered before the task ends", async () => {
  let told: Promise<unknown> | null = null
  const store = watchedStore((mutation) => {
    if (mutation.kind !== "turn" || mutation.value.status !== "completed" || told !== null) return
    if (mutation.value.sessionID === host.session.id) return
    told = host.runtime.task.list(host.session.id).then(([task]) => host.runtime.task.message(task?.id ?? "", "and b?"))
  })
  await using host = await scriptedRuntime(
    parent((options) => answer(lastUserText(options).includes("and b?") ? "b as well" : "a is there"), delegate("dig")),
    { store, config },
  )
  await host.prompt("Start")
  await told
  const [task] = await host.runtime.task.list(host.session.id)
  expect(task).toMatchObject({ state: "completed", result: "b as well" })
})

test("a message after a task's end is refused and never read", async () => {
  const refused: unknown[] = []
  const read: string[] = []
  const store = watchedStore((mutation) => {
    if (mutation.kind !== "task" || mutation.value.state !== "completed") return
    host.runtime.task.message(mutation.value.id, "too late").catch((error) => refused.push(error))
  })
  await using host = await scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      if (!text.startsWith("Start")) {
        read.push(text)
        return answer("done")
      }
      const results = toolResults(options)
      if (text === "Start" && results.length === 0) return answer("", delegate("dig"))
      const task_id = /session_id: (ses_\w+)/.exec(JSON.stringify(options.prompt))?.[1]
      return results.length === 0 ? answer("", delegate("dig more", { task_id })) : answer("end")
    },
    { store, config },
  )
  await host.prompt("Start")
  await host.prompt("Start again")
  expect(refused.length).toBeGreaterThan(0)
  for (const error of refused) expect(error).toMatchObject({ code: "task_ended" })
  expect(read).toEqual(["dig", "dig more"])
})

test("a cancel at completion comes too late; the task ends once", async () => {
  const cancelled: Promise<Task>[] = []
  const store = watchedStore((mutation) => {
    if (mutation.kind === "task" && mutation.value.state === "completed" && cancelled.length === 0)
      cancelled.push(host.runtime.task.cancel(mutation.value.id), host.runtime.task.cancel(mutation.value.id))
  })
  await using host = await scriptedRuntime(
    parent(() => answer("found"), delegate("dig")),
    { store, config },
  )
  await host.prompt("Start")
  for (const task of await Promise.all(cancelled)) expect(task).toMatchObject({ state: "completed", result: "found" })
  const [task] = await host.runtime.task.list(host.session.id)
  expect(endsOf(host.events, task?.id ?? "")).toEqual(["completed"])
  expect(task?.delivered).toBe("result")
  expect(host.errors).toEqual([])
})

test("two cancels during the turn's end end the task only once", async () => {
  const cancels: Promise<Task>[] = []
  const store = watchedStore((mutation) => {
    if (mutation.kind !== "turn" || mutation.value.status !== "completed") return
    if (mutation.value.sessionID === host.session.id || cancels.length > 0) return
    for (let n = 0; n < 2; n++) {
      cancels.push(host.runtime.task.list(host.session.id).then(([task]) => host.runtime.task.cancel(task?.id ?? "")))
    }
  })
  await using host = await scriptedRuntime(
    parent(() => answer("found"), launch("dig")),
    { store, config },
  )
  await host.prompt("Start")
  const ends = await Promise.all(cancels)
  expect(new Set(ends.map((task) => task.state)).size).toBe(1)
  const [task] = await host.runtime.task.list(host.session.id)
  expect(endsOf(host.events, task?.id ?? "")).toEqual([task?.state])
  expect(task?.result).toBe("found")
})

test("of two calls that resume one child, one is refused", async () => {
  const gate = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(
    async (options) => {
      const text = lastUserText(options)
      if (text === "first") return answer("one")
      if (text.startsWith("more")) {
        await gate.promise
        return answer(`answer to ${text}`)
      }
      const results = toolResults(options)
      if (text === "Start" && results.length === 0) return answer("", delegate("first"))
      if (text === "Again" && results.length === 0) {
        const task_id = /session_id: (ses_\w+)/.exec(JSON.stringify(options.prompt))?.[1]
        return answer("", delegate("more a", { task_id }), delegate("more b", { task_id }))
      }
      return answer("end")
    },
    { config },
  )
  await host.prompt("Start")
  const again = host.prompt("Again")
  await host.until(
    (event) =>
      event.type === "message.part.updated" &&
      event.properties.part.type === "tool" &&
      event.properties.part.state.status === "error",
  )
  gate.resolve()
  await again
  const { items } = await host.messages()
  const outputs = items.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type !== "tool" ? [] : [part.state.status === "error" ? part.state.error : part.state.status],
    ),
  )
  expect(outputs.sort()).toEqual([
    expect.stringMatching(/^Task #2 still works in this session\. .*task_message/),
    "completed",
    "completed",
  ])
  expect(await host.runtime.session.children(host.session.id)).toHaveLength(1)
})

test("a task that ended just before a stop wakes no session", async () => {
  const gate = Promise.withResolvers<void>()
  const asked: string[] = []
  await using host = await scriptedRuntime(
    async (options) => {
      const text = lastUserText(options)
      if (text === "dig") {
        await gate.promise
        return answer("dug")
      }
      asked.push(text)
      if (text === "Start" && toolResults(options).length === 0) return answer("", launch("dig"))
      if (text !== "Start") return answer("All right.")
      return new Promise((_, reject) =>
        options.abortSignal?.addEventListener("abort", () => reject(options.abortSignal?.reason)),
      )
    },
    { config },
  )
  const turn = host.prompt("Start")
  await host.until(
    (event) =>
      event.type === "message.part.updated" &&
      event.properties.part.type === "tool" &&
      event.properties.part.state.status === "completed",
  )
  gate.resolve()
  await host.until((event) => event.type === "task.updated" && event.properties.task.state === "completed")
  await host.runtime.abort(host.session.id)
  expect((await turn).status).toBe("aborted")
  await host.prompt("Carry on")
  await expect.poll(() => asked.filter((text) => text.includes("task has ended"))).toHaveLength(1)
  // The parent is told of the ended task only after the user's own prompt.
  expect(asked.findIndex((text) => text.includes("task has ended"))).toBeGreaterThan(asked.indexOf("Carry on"))
})

test("a task retried after a stop notifies the stopped parent", async () => {
  let runs = 0
  const works = Promise.withResolvers<void>()
  const told: string[] = []
  await using host = await scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      if (text === "dig") {
        runs += 1
        works.resolve()
        if (runs > 1) return answer("dug")
      } else if (text !== "Start") {
        told.push(text)
        return answer("heard")
      } else if (toolResults(options).length === 0) return answer("", launch("dig"))
      return new Promise((_, reject) =>
        options.abortSignal?.addEventListener("abort", () => reject(options.abortSignal?.reason)),
      )
    },
    { config },
  )
  const turn = host.prompt("Start")
  await works.promise
  await host.runtime.abort(host.session.id)
  await turn
  const [task] = await host.runtime.task.list(host.session.id)
  await host.runtime.task.retry(task?.id ?? "")
  await expect.poll(() => told).toHaveLength(1)
  expect(told[0]).toContain("<task_result>\ndug\n</task_result>")
  const tasks = await host.runtime.task.list(host.session.id)
  expect(tasks.map((each) => [each.state, each.delivered])).toEqual([
    ["cancelled", "result"],
    ["completed", "turn"],
  ])
})

test("an ended child's background tasks notify the root once", async () => {
  const gate = Promise.withResolvers<void>()
  const told: string[] = []
  await using host = await scriptedRuntime(
    async (options) => {
      const text = lastUserText(options)
      const results = toolResults(options)
      if (text === "middle")
        return results.length === 0 ? answer("", launch("quick leaf"), launch("slow leaf")) : answer("launched")
      if (text === "quick leaf") return answer("quick")
      if (text === "slow leaf") {
        await gate.promise
        return answer("slow")
      }
      if (text !== "Start") {
        told.push(text)
        return answer("heard")
      }
      return results.length > 0 ? answer("end") : answer("", delegate("middle", { subagent_type: "general" }))
    },
    {
      config: {
        delegation: { envelope: false },
        agent: { general: { permission: { "*": "allow", task: "allow", async_task: "allow" } } },
      },
    },
  )
  await host.prompt("Start")
  gate.resolve()
  await expect
    .poll(async () => (await host.runtime.task.list(host.session.id)).map((task) => task.delivered))
    .toEqual(["result", "turn", "turn"])
  await expect.poll(async () => (await host.runtime.session.tree(host.session.id)).turns).toEqual([])
  // Each is told exactly once.
  for (const leaf of ["quick", "slow"]) expect(told.join("\n").split(`"${leaf} leaf"`)).toHaveLength(2)
  const [middle] = await host.runtime.session.children(host.session.id)
  const { items } = await host.messages(middle?.id)
  expect(items.filter((item) => item.info.role === "user")).toHaveLength(1)
})

test("a timeout while an answer is repaired is the task's outcome", async () => {
  const pass = jumpTime()
  const output_schema = { type: "object", required: ["n"] }
  await using host = await scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      if (text === "Start")
        return toolResults(options).length > 0 ? answer("end") : answer("", delegate("dig", { output_schema }))
      if (!text.startsWith("Your answer does not fit")) return answer("no JSON")
      const stopped = new Promise<never>((_, reject) =>
        options.abortSignal?.addEventListener("abort", () => reject(options.abortSignal?.reason)),
      )
      pass(90_000)
      return stopped
    },
    { config: { delegation: { envelope: false, timeout: 90_000 } } },
  )
  await host.prompt("Start")
  const [task] = await host.runtime.task.list(host.session.id)
  expect(task).toMatchObject({ state: "timed_out", error: { type: "limit_reached" }, result: "no JSON" })
})

test("an extremely long timeout counts as none, not as passed", async () => {
  await using host = await scriptedRuntime(
    parent(() => answer("found"), launch("dig", { timeout: 1e13 })),
    { config },
  )
  await host.prompt("Start")
  const [task] = await host.runtime.task.list(host.session.id)
  expect(task?.state).not.toBe("timed_out")
})

test("a task's end that cannot be stored is stored later and delivered", async () => {
  let failures = 3
  const store = watchedStore((mutation) => {
    if (mutation.kind === "task" && mutation.value.time.ended !== null && failures-- > 0) throw new Error("disk full")
  })
  await using host = await scriptedRuntime(
    parent(() => answer("found"), delegate("dig")),
    { store, config },
  )
  await host.prompt("Start")
  const { items } = await host.messages()
  expect(JSON.stringify(items.at(-1)?.parts)).toContain("found")
  expect(await host.runtime.task.list(host.session.id)).toMatchObject([{ state: "completed" }])
  expect(host.errors).toMatchObject([{ cause: new Error("disk full") }])
})

test("Stop keeps nobody waiting for a task whose end cannot be stored", async () => {
  const failed = Promise.withResolvers<void>()
  let isFull = true
  const store = watchedStore((mutation) => {
    if (mutation.kind !== "task" || mutation.value.time.ended === null || !isFull) return
    failed.resolve()
    throw new Error("disk full")
  })
  await using host = await scriptedRuntime(
    parent(() => answer("found"), delegate("dig")),
    { store, config },
  )
  const turn = host.prompt("Start")
  await failed.promise
  await expect(host.runtime.abort(host.session.id)).rejects.toThrow("disk full")
  isFull = false
  expect((await turn).status).toBe("aborted")
  await expect.poll(async () => (await host.runtime.task.list(host.session.id))[0]?.state).toBe("completed")
  await host.runtime.abort(host.session.id)
})

test("a task that could not be stored takes no number", async () => {
  // The same task each time: mutations that were written together with others are tried again alone.
  let refused: string | null = null
  const store = watchedStore((mutation) => {
    if (mutation.kind !== "task.new") return
    refused ??= mutation.value.id
    if (mutation.value.id === refused) throw new Error("not now")
  })
  await using host = await scriptedRuntime(
    (options) => {
      const results = toolResults(options)
      return results.length < 2 ? answer("", delegate("dig")) : answer(results.join("\n"))
    },
    { store, config },
  )
  await host.prompt("Start")
  expect(await host.runtime.task.list(host.session.id)).toMatchObject([{ number: 1 }])
})
