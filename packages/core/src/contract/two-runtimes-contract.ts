import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import { describe, expect, onTestFinished, test } from "vitest"
import type { FeedItem, ToolPart } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/port/index.ts"
import { echo, heldModel, submit, texts, turnIs } from "../test/held-model.ts"
import { answer, lastUserText, type Script, type ScriptedRuntime, toolResults } from "../test/scripted-runtime.ts"
import { type TwoRuntimes, twoRuntimes } from "../test/two-runtimes.ts"
import { sentAgainContract } from "./sent-again-contract.ts"
import { turnQueueContract } from "./turn-queue-contract.ts"

/** Opens one empty database twice. */
export type MakeShared = () => Promise<{ one: Store; other: Store; dispose: () => Promise<void> }>

async function askedOf(host: ScriptedRuntime): Promise<string> {
  const event = await host.until((item) => item.type === "permission.asked")
  if (event.type !== "permission.asked") throw new Error("no request")
  return event.properties.request.id
}

/** Declares tests of two runtimes on one store. */
export function twoRuntimesContract(name: string, makeShared: MakeShared): void {
  const start = async (
    scripts: { one: Script; other: Script },
    config?: object,
    leaseMs?: number,
  ): Promise<TwoRuntimes> => {
    const two = await twoRuntimes(await openShared(), scripts, config, leaseMs)
    onTestFinished(() => two[Symbol.asyncDispose]())
    return two
  }
  const openShared = async () => {
    const { dispose, ...stores } = await makeShared()
    onTestFinished(dispose)
    return stores
  }
  describe(`queue of turns of two runtimes: ${name}`, () => turnQueueContract(openShared))
  describe(`requests sent again: ${name}`, () => sentAgainContract(() => start({ one: echo, other: echo })))
  describe(`two runtimes on one store: ${name}`, () => {
    test("a turn running at one is visible and stoppable at the other", async () => {
      const model = heldModel()
      const { one, other } = await start({ one: model.script, other: echo })
      const { id } = await submit(one, "Work")
      const { abortSignal } = await model.asked
      await other.until(turnIs(id, "running"))
      await other.runtime.abort(one.session.id)
      expect(abortSignal?.aborted).toBe(true)
      expect((await one.runtime.prompt.wait(id)).status).toBe("aborted")
      await other.until(turnIs(id, "aborted"))
      expect((await other.runtime.session.get(one.session.id)).status.type).toBe("idle")
      expect([...one.errors, ...other.errors]).toEqual([])
    })

    test.each(["once", "always", "reject"] as const)(
      "a permission request of one is answered through the other: %s",
      async (reply) => {
        const script: Script = (options) =>
          toolResults(options).length > 0
            ? answer(toolResults(options).join())
            : answer("", { tool: "bash", input: { command: "echo hello", description: "greets" } })
        const { one, other } = await start({ one: script, other: echo }, { permission: { bash: "ask" } })
        const { id } = await submit(one, "Greet")
        const requestID = await askedOf(other)
        await other.runtime.permission.reply(
          requestID,
          reply,
          reply === "reject" ? { message: "Say it yourself." } : {},
        )
        expect((await one.runtime.prompt.wait(id)).status).toBe("completed")
        expect((await texts(other)).at(-1)).toContain(reply === "reject" ? "Say it yourself." : "hello")
        await expect(one.runtime.permission.reply(requestID, "once")).rejects.toThrow("before your answer came")
      },
    )

    test("a project grant at one releases a waiting call at the other", async () => {
      const greet: Script = (options) =>
        toolResults(options).length > 0
          ? answer(toolResults(options).join())
          : answer("", { tool: "bash", input: { command: "echo hello", description: "greets" } })
      const { one, other } = await start({ one: greet, other: greet }, { permission: { bash: "ask" } })
      const first = await submit(one, "Greet")
      await askedOf(other)
      const { projectID } = other.session
      const tree = await other.runtime.session.create({ projectID })
      const second = await other.runtime.prompt.submit(tree.id, { parts: [{ type: "text", text: "Greet" }] })
      await expect.poll(async () => (await other.runtime.permission.pending(tree.id)).length).toBe(1)
      const [request] = await other.runtime.permission.pending(tree.id)
      const remember = { patterns: ["echo *"], within: "project" } as const
      await other.runtime.permission.reply(request?.id ?? "", "always", { remember })
      expect((await one.runtime.prompt.wait(first.id)).status).toBe("completed")
      expect((await other.runtime.prompt.wait(second.id)).status).toBe("completed")
      expect(await other.runtime.permission.pending()).toEqual([])
      expect([...one.errors, ...other.errors]).toEqual([])
    })

    test("prompts at the other run in the order set at one", async () => {
      const model = heldModel()
      const first: Script = (options) => (lastUserText(options) === "first" ? model.script(options) : echo(options))
      const { one, other } = await start({ one: first, other: echo })
      await submit(one, "first")
      await model.asked
      const [a, b, c] = [await submit(other, "a"), await submit(other, "b"), await submit(one, "c")]
      expect(await one.runtime.prompt.change(b.id, { before: a.id })).not.toBeNull()
      expect(await one.runtime.prompt.change(a.id, { before: null })).not.toBeNull()
      model.release()
      const ended = await Promise.all([a, b, c].map(({ id }) => other.runtime.prompt.wait(id)))
      expect(ended.map(({ status }) => status)).toEqual(["completed", "completed", "completed"])
      expect((await texts(one)).filter((text) => text.length === 1)).toEqual(["b", "c", "a"])
      expect([...one.errors, ...other.errors]).toEqual([])
    })

    test("the turn of one reads a steered prompt of the other", async () => {
      const model = heldModel()
      const calls: Script = async (options) => {
        if (toolResults(options).length > 0) return answer("Done.")
        await model.script(options)
        return answer("", { tool: "todoread", input: {} })
      }
      const { one, other } = await start({ one: calls, other: echo })
      const first = await submit(one, "first")
      await model.asked
      const parts = [{ type: "text" as const, text: "Use tabs" }]
      const { id } = await other.runtime.prompt.submit(one.session.id, { parts, steer: true })
      model.release()
      expect(await other.runtime.prompt.wait(id)).toMatchObject({ status: "completed", within: first.id })
      expect((await one.runtime.prompt.wait(first.id)).status).toBe("completed")
      expect(await texts(other)).toEqual(expect.arrayContaining(["first", "Use tabs", "Done."]))
      expect([...one.errors, ...other.errors]).toEqual([])
    })

    test("prompts queued at the other run in order and can be withdrawn", async () => {
      const model = heldModel()
      let answers = 0
      const counted: Script = (options) => {
        answers += 1
        return echo(options)
      }
      const first: Script = (options) => (lastUserText(options) === "first" ? model.script(options) : counted(options))
      const { one, other } = await start({ one: first, other: counted })
      await submit(one, "first")
      await model.asked
      const second = await submit(other, "second")
      const third = await submit(one, "third")
      const fourth = await submit(one, "fourth")
      expect(await other.runtime.prompt.withdraw(third.id)).toBe(true)
      model.release()
      expect((await other.runtime.prompt.wait(second.id)).status).toBe("completed")
      expect((await other.runtime.prompt.wait(fourth.id)).status).toBe("completed")
      expect(await texts(one)).toEqual(["first", "second", "fourth"].flatMap((text) => [text, `Answered: ${text}`]))
      expect(answers).toBe(2)
      expect([...one.errors, ...other.errors]).toEqual([])
    })

    test("Stop at one ends current work at both, but nothing later", async () => {
      const model = heldModel()
      const { one, other } = await start({ one: model.script, other: echo })
      const running = await submit(one, "Work")
      await model.asked
      const waiting = [await submit(one, "here"), await submit(other, "there")]
      await other.runtime.abort(one.session.id)
      const next = await submit(other, "Next")
      for (const { id } of [running, ...waiting]) expect((await one.runtime.prompt.wait(id)).status).toBe("aborted")
      expect((await one.runtime.prompt.wait(next.id)).status).toBe("completed")
      expect(await texts(one)).toEqual(["Work", "Next", "Answered: Next"])
      expect([...one.errors, ...other.errors]).toEqual([])
    })

    test("tasks started in one tree by both get unique numbers", async () => {
      const script: Script = (options) =>
        lastUserText(options) !== "Start" || toolResults(options).length > 0
          ? answer("Found.")
          : answer("", { tool: "task", input: { description: "dig", prompt: "dig", subagent_type: "explore" } })
      const { one, other } = await start({ one: script, other: script })
      await one.prompt("Start")
      const [task] = await one.runtime.task.list(one.session.id)
      if (task === undefined) throw new Error("no task")
      const launches = [one, other, one, other].map(({ runtime }) => runtime.task.retry(task.id))
      const numbers = (await Promise.all(launches)).map(({ number }) => number)
      expect(numbers.sort()).toEqual([2, 3, 4, 5])
      expect([...one.errors, ...other.errors]).toEqual([])
    })

    test("a task's end reaches its parent at the other runtime once", async () => {
      const child = heldModel()
      const meanwhile = heldModel()
      const isNotice = (options: LanguageModelV4CallOptions) => lastUserText(options).includes("Found it.")
      const script: Script = (options) => {
        const prompt = lastUserText(options)
        if (prompt === "dig") return child.script(options).then(() => answer("Found it."))
        if (prompt === "Meanwhile") return meanwhile.script(options)
        return prompt !== "Start" || toolResults(options).length > 0
          ? answer("Noted.")
          : answer("", { tool: "async_task", input: { description: "dig", prompt: "dig", agent: "explore" } })
      }
      const notices: string[] = []
      const heard: Script = (options) => {
        if (isNotice(options)) notices.push(lastUserText(options))
        return script(options)
      }
      const stores = await openShared()
      // Resolves when the first runtime looks whether the parent is busy, which it does before it delivers the notice.
      const looked = Promise.withResolvers<void>()
      let waitsFor: string | null = null
      const open: Store["turn"]["open"] = (scope) => {
        if (scope?.sessionID === waitsFor) looked.resolve()
        return stores.one.turn.open(scope)
      }
      const one = { ...stores.one, turn: { ...stores.one.turn, open } }
      const two = await twoRuntimes({ ...stores, one }, { one: heard, other: heard }, { permission: "allow" })
      onTestFinished(() => two[Symbol.asyncDispose]())
      await two.one.prompt("Start")
      await child.asked
      const turn = await submit(two.other, "Meanwhile")
      await meanwhile.asked
      waitsFor = two.one.session.id
      child.release()
      await looked.promise
      expect(notices).toEqual([])
      expect(await stores.other.turn.open({ rootID: two.one.session.id })).toMatchObject([{ id: turn.id }])
      meanwhile.release()
      await two.other.runtime.prompt.wait(turn.id)
      await expect.poll(() => notices).toHaveLength(1)
      await expect.poll(() => stores.one.turn.open()).toEqual([])
      expect(await stores.one.task.undelivered()).toEqual([])
      expect(notices).toHaveLength(1)
    })

    test("a message sent through the other reaches the running child", async () => {
      const child = heldModel()
      const script: Script = (options) => {
        const prompt = lastUserText(options)
        if (prompt === "dig" || prompt.includes("deeper")) {
          return prompt === "dig" ? child.script(options) : new Promise(() => {})
        }
        return toolResults(options).length > 0
          ? answer(toolResults(options).join())
          : answer("", { tool: "task", input: { description: "dig", prompt: "dig", subagent_type: "explore" } })
      }
      const { one, other } = await start({ one: script, other: echo })
      const { id } = await submit(one, "Start")
      await child.asked
      const [task] = await other.runtime.task.list(one.session.id)
      if (task === undefined) throw new Error("no task")
      await other.runtime.task.message(task.id, "Dig deeper.")
      child.release()
      const said = async () => {
        const { items } = await other.runtime.session.messages({ sessionID: task.sessionID })
        const texts = items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
        return texts.filter((text) => text.includes("Dig deeper."))
      }
      await expect.poll(said).toHaveLength(1)
      const ended = await other.runtime.task.cancel(task.id)
      expect(ended.state).toBe("cancelled")
      expect((await one.runtime.prompt.wait(id)).status).toBe("completed")
    })

    test("a runtime with a cached transcript sees what the other wrote", async () => {
      const prompts = new Map<string, string>()
      const remembering: Script = (options) => {
        prompts.set(lastUserText(options), JSON.stringify(options.prompt))
        return echo(options)
      }
      const { one, other } = await start({ one: remembering, other: remembering })
      const texts = ["first", "second", "third", "fourth"]
      for (const [index, text] of texts.entries()) await (index % 2 === 0 ? one : other).prompt(text)
      for (const [index, text] of texts.entries()) {
        for (const before of texts.slice(0, index)) expect(prompts.get(text)).toContain(`Answered: ${before}`)
      }
    })

    test("when one dies, the other takes over its turn once", async () => {
      const command = { tool: "bash", input: { command: "sleep 600", description: "waits" } }
      const leaseMs = 900
      const two = await start({ one: () => answer("", command), other: echo }, { permission: "allow" }, leaseMs)
      const { id } = await submit(two.one, "Work")
      const isRunning = (item: FeedItem) =>
        item.type === "message.part.updated" &&
        item.properties.part.type === "tool" &&
        item.properties.part.state.status === "running"
      await two.other.until(isRunning)
      const queued = await submit(two.other, "Next")
      two.kill()
      expect((await two.other.runtime.prompt.wait(queued.id)).status).toBe("completed")
      const turn = await two.other.runtime.prompt.wait(id)
      expect(turn).toMatchObject({ status: "completed", attempt: 2, owner: { runner: "other" } })
      const { items } = await two.other.messages()
      const calls = items.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
      expect(calls.map(({ state }) => state)).toEqual([
        expect.objectContaining({ status: "error", error: expect.stringContaining("Interrupted") }),
      ])
      expect((await texts(two.other)).filter((text) => text === "Work")).toHaveLength(1)
      expect(two.other.errors).toEqual([])
    })
  })
}
