import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import type { FeedItem, ToolPart } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/port/index.ts"
import { localCaller } from "../test/as-local.ts"
import { echo, heldModel, submit, texts, turnIs } from "../test/held-model.ts"
import { answer, lastUserText, type Script, type ScriptedRuntime, toolResults } from "../test/scripted-runtime.ts"
import { type SeveralNodes, severalNodes } from "../test/several-nodes.ts"

/** Opens one empty database so many times. */
export type OpenStores = (count: number) => Promise<Store[]>

const isRunningCall = (item: FeedItem) =>
  item.type === "message.part.updated" &&
  item.properties.part.type === "tool" &&
  item.properties.part.state.status === "running"

/** Declares tests of a web node and workers on one store. */
export function nodesContract(name: string, openStores: OpenStores): void {
  const start = async (scripts: Script[], config: object = {}): Promise<SeveralNodes & { worker: ScriptedRuntime }> => {
    const nodes = await severalNodes(await openStores(scripts.length + 1), scripts, { config })
    onTestFinished(() => nodes[Symbol.asyncDispose]())
    const [worker] = nodes.workers
    if (worker === undefined) throw new Error("there is no worker")
    return { ...nodes, worker }
  }
  const noErrors = ({ web, workers }: SeveralNodes) =>
    expect([web, ...workers].flatMap(({ errors }) => errors)).toEqual([])

  describe(`nodes on one store: ${name}`, () => {
    test("a prompt at the web node runs at the worker", async () => {
      const nodes = await start([echo])
      const { id } = await submit(nodes.web, "Work")
      expect(await nodes.web.runtime.prompt.wait(id)).toMatchObject({
        ...{ status: "completed", attempt: 1, owner: { runner: "worker-1" } },
      })
      expect(await texts(nodes.web)).toEqual(["Work", "Answered: Work"])
      await nodes.web.until(turnIs(id, "completed"))
      noErrors(nodes)
    })

    test("prompts of both nodes run in their order, moved ones too", async () => {
      const model = heldModel()
      const first: Script = (options) => (lastUserText(options) === "first" ? model.script(options) : echo(options))
      const nodes = await start([first])
      const { web, worker } = nodes
      await submit(web, "first")
      await model.asked
      const [a, b, c] = [await submit(web, "a"), await submit(web, "b"), await submit(worker, "c")]
      expect(await web.runtime.prompt.change(b.id, { before: a.id })).not.toBeNull()
      expect(await web.runtime.prompt.change(a.id, { before: null })).not.toBeNull()
      const d = await submit(web, "d")
      expect(await web.runtime.prompt.withdraw(d.id)).toBe(true)
      model.release()
      const ended = await Promise.all([a, b, c].map(({ id }) => web.runtime.prompt.wait(id)))
      expect(ended.map(({ status }) => status)).toEqual(["completed", "completed", "completed"])
      expect((await texts(web)).filter((text) => text.length === 1)).toEqual(["b", "c", "a"])
      noErrors(nodes)
    })

    test("the running turn reads a prompt steered at the web node", async () => {
      const model = heldModel(() => answer("", { tool: "todoread", input: {} }))
      const script: Script = (options) => (toolResults(options).length > 0 ? answer("Done.") : model.script(options))
      const nodes = await start([script])
      const first = await submit(nodes.web, "first")
      await model.asked
      const parts = [{ type: "text" as const, text: "Use tabs" }]
      const { id } = await nodes.web.runtime.prompt.submit(nodes.web.session.id, { parts, steer: true })
      model.release()
      expect(await nodes.web.runtime.prompt.wait(id)).toMatchObject({ status: "completed", within: first.id })
      expect((await nodes.web.runtime.prompt.wait(first.id)).status).toBe("completed")
      noErrors(nodes)
    })

    test("a permission request is answered at the web node", async () => {
      const script: Script = (options) =>
        toolResults(options).length > 0
          ? answer(toolResults(options).join())
          : answer("", { tool: "bash", input: { command: "echo hello", description: "greets" } })
      const nodes = await start([script], { permission: { bash: "ask" } })
      const { id } = await submit(nodes.web, "Greet")
      const asked = await nodes.web.until((item) => item.type === "permission.asked")
      if (asked.type !== "permission.asked") throw new Error("no request")
      await nodes.web.runtime.permission.reply(asked.properties.request.id, "once")
      expect((await nodes.web.runtime.prompt.wait(id)).status).toBe("completed")
      expect((await texts(nodes.web)).at(-1)).toContain("hello")
      noErrors(nodes)
    })

    test("Stop at the web node ends children too, but nothing later", async () => {
      const child = heldModel()
      const script: Script = (options) => {
        const prompt = lastUserText(options)
        if (prompt === "dig") return child.script(options)
        return prompt === "Next" || toolResults(options).length > 0
          ? echo(options)
          : answer("", { tool: "task", input: { description: "dig", prompt: "dig", subagent_type: "explore" } })
      }
      const nodes = await start([script], { permission: "allow" })
      const { web } = nodes
      const first = await submit(web, "Work")
      const { abortSignal } = await child.asked
      const waiting = await submit(web, "Wait")
      await web.runtime.abort(web.session.id)
      expect(abortSignal?.aborted).toBe(true)
      const next = await submit(web, "Next")
      for (const { id } of [first, waiting]) expect((await web.runtime.prompt.wait(id)).status).toBe("aborted")
      expect((await web.runtime.prompt.wait(next.id)).status).toBe("completed")
      expect((await web.runtime.task.list(web.session.id)).map(({ state }) => state)).toEqual(["cancelled"])
      expect(await web.store.turn.open()).toEqual([])
      noErrors(nodes)
    })

    test("another worker goes on with a killed worker's turn, once", async () => {
      const command = { tool: "bash", input: { command: "sleep 600", description: "waits" } }
      const nodes = await start([() => answer("", command), echo], { permission: "allow" })
      const { web, workers } = nodes
      const { id } = await submit(web, "Work")
      await web.until(isRunningCall)
      const queued = await submit(web, "Next")
      workers[0]?.kill()
      expect((await web.runtime.prompt.wait(queued.id)).status).toBe("completed")
      const turn = await web.runtime.prompt.wait(id)
      expect(turn).toMatchObject({ status: "completed", attempt: 2, owner: { runner: "worker-2" } })
      const { items } = await web.messages()
      const calls = items.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
      expect(calls.map(({ state }) => state)).toEqual([
        expect.objectContaining({ status: "error", error: expect.stringContaining("Interrupted") }),
      ])
      expect((await texts(web)).filter((text) => text === "Work")).toHaveLength(1)
      expect([web, workers[1]].flatMap((node) => node?.errors)).toEqual([])
    })

    test("a killed worker's three children end once, and their parent ends", async () => {
      const asked: string[] = []
      const all = Promise.withResolvers<void>()
      const dying: Script = (options) => {
        const prompt = lastUserText(options)
        if (!prompt.startsWith("dig"))
          return answer(
            "",
            ...[1, 2, 3].map((n) => ({
              ...{ tool: "task", id: `call_${n}` },
              input: { description: `dig ${n}`, prompt: `dig ${n}`, subagent_type: "explore" },
            })),
          )
        asked.push(prompt)
        if (asked.length === 3) all.resolve()
        return new Promise(() => {})
      }
      const nodes = await start([dying, echo], { permission: "allow" })
      const { web, workers } = nodes
      const { id } = await submit(web, "Work")
      await all.promise
      workers[0]?.kill()
      expect(await web.runtime.prompt.wait(id)).toMatchObject({ status: "completed", attempt: 2 })
      const tasks = await web.runtime.task.list(web.session.id)
      expect(tasks.map(({ number, state }) => [number, state])).toEqual([1, 2, 3].map((n) => [n, "interrupted"]))
      expect(await web.store.turn.open()).toEqual([])
      expect([web, workers[1]].flatMap((node) => node?.errors)).toEqual([])
    })

    test("a directory is opened at the web node on the only host", async () => {
      const nodes = await start([echo])
      const { project } = nodes.web.runtime.as(localCaller)
      const [place] = await project.places()
      expect(await project.open({ directory: nodes.web.directory })).toMatchObject({ place: place?.place })
      const { entries } = await project.directories({ path: nodes.web.directory })
      expect(entries).toEqual([])
      expect(nodes.asked).toHaveLength(2)
      nodes.workers[0]?.kill()
      const opened = project.open({ directory: nodes.web.directory })
      await expect(opened).rejects.toMatchObject({ code: "host_away", message: expect.stringContaining("Start one") })
    })

    test("the web node asks the host for files, and for nothing else", async () => {
      const nodes = await start([echo])
      const { web, worker, asked } = nodes
      await writeFile(join(worker.directory, "notes.txt"), "Use tabs.")
      const uses = web.runtime.as(localCaller)
      const { id: sessionID, projectID } = web.session
      expect(await uses.project.files({ projectID, query: "notes.txt", limit: 1 })).toEqual(["notes.txt"])
      await expect(uses.project.content({ projectID, path: "gone.txt" })).rejects.toMatchObject({ name: "DocketError" })
      expect(asked).toHaveLength(2)
      expect((await uses.session.get({ sessionID })).id).toBe(sessionID)
      await uses.todo.replace({ sessionID, todos: [] })
      expect(asked).toHaveLength(2)
      noErrors(nodes)
    })

    test("a prompt waits for its host; what needs files is refused", async () => {
      const nodes = await start([echo])
      const { web, workers } = nodes
      const { id: sessionID, projectID } = web.session
      const uses = web.runtime.as(localCaller)
      expect(await uses.project.awaited()).toEqual([])
      const stop = new AbortController()
      onTestFinished(() => stop.abort())
      const feed = web.runtime.feed({ rootID: sessionID, since: 0, others: true }, stop.signal)
      const items = feed[Symbol.asyncIterator]()
      await items.next()
      workers[0]?.kill()
      while ((await items.next()).value?.type !== "project.hosts.changed");
      const [awaited, ...others] = await uses.project.awaited()
      expect([awaited?.projectID, awaited?.host.why, others]).toEqual([projectID, "gone", []])
      expect(await uses.session.working({})).toEqual([])
      const turn = await uses.session.promptAsync({ sessionID, parts: [{ type: "text", text: "Work" }] })
      expect(turn.status).toBe("queued")
      expect(await web.store.turn.open()).toMatchObject([{ id: turn.id, status: "queued" }])
      const working = { sessionID, rootID: sessionID, status: { type: "idle" }, queued: 1, waitsFor: awaited?.host }
      expect(await uses.session.working({})).toEqual([working])
      await expect(uses.project.files({ projectID, query: "", limit: 10 })).rejects.toMatchObject({ code: "host_away" })
    })

    test("what waits for a person goes on waiting at another worker", async () => {
      const script: Script = (options) =>
        toolResults(options).length > 0
          ? answer(toolResults(options).join())
          : answer("", { tool: "bash", input: { command: "echo hello", description: "greets" } })
      const nodes = await start([script, script], { permission: { bash: "ask" } })
      const { web, workers } = nodes
      const { id } = await submit(web, "Greet")
      const asked = await web.until((item) => item.type === "permission.asked")
      if (asked.type !== "permission.asked") throw new Error("no request")
      await workers[0]?.giveBack()
      await expect.poll(async () => (await web.store.turn.get(id))?.owner?.runner).toBe("worker-2")
      const requests = await web.runtime.permission.pending(web.session.id)
      expect(requests.map(({ status }) => status)).toEqual(["pending"])
      await web.runtime.permission.reply(requests[0]?.id ?? "", "once")
      expect((await web.runtime.prompt.wait(id)).status).toBe("completed")
      expect((await texts(web)).at(-1)).toContain("hello")
      noErrors(nodes)
    })

    test("a task held for review outlives its worker, and is approved", async () => {
      const script: Script = (options) =>
        lastUserText(options) !== "Start" || toolResults(options).length > 0
          ? echo(options)
          : answer("", { tool: "task", input: { description: "dig", prompt: "dig", subagent_type: "general" } })
      const nodes = await start([script, script], {
        ...{ permission: "allow", agent: { general: { review: "required" } }, delegation: { envelope: false } },
      })
      const { web, workers } = nodes
      const { id } = await submit(web, "Start")
      const tasks = async () => (await web.runtime.task.list(web.session.id)).map(({ state }) => state)
      await expect.poll(tasks).toEqual(["awaiting_review"])
      workers[0]?.kill()
      const isHeld = async () => (await web.store.task.held()).map(({ mode }) => mode)
      // Its parent is told to go on, and has the answer when the task is approved.
      await expect.poll(isHeld).toEqual(["background"])
      const [task] = await web.runtime.task.list(web.session.id)
      await web.runtime.as(localCaller).review.verdict.give({ taskID: task?.id ?? "", verdict: "approve" })
      await expect.poll(tasks).toEqual(["completed"])
      expect((await web.runtime.prompt.wait(id)).status).toBe("completed")
      await expect.poll(async () => (await web.store.task.undelivered()).length).toBe(0)
      expect([web, workers[1]].flatMap((node) => node?.errors)).toEqual([])
    })

    test("another worker goes on with what a worker gives back", async () => {
      const model = heldModel()
      const nodes = await start([model.script, echo])
      const { id } = await submit(nodes.web, "Work")
      await model.asked
      await nodes.workers[0]?.giveBack()
      expect(await nodes.web.runtime.prompt.wait(id)).toMatchObject({
        ...{ status: "completed", attempt: 2, owner: { runner: "worker-2" } },
      })
      expect(await texts(nodes.web)).toEqual(expect.arrayContaining(["Work", "Answered: Work"]))
      noErrors(nodes)
    })
  })
}
