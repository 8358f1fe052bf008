import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import type { FeedItem, Presence } from "../ground/schema/index.ts"
import { localCaller } from "../test/as-local.ts"
import { echo, submit, turnIs } from "../test/held-model.ts"
import { answer, type Script, type ScriptedRuntime, toolResults, usage } from "../test/scripted-runtime.ts"
import { type SeveralNodes, severalNodes } from "../test/several-nodes.ts"
import type { OpenStores } from "./nodes-contract.ts"

const ann = { person: "ann", workspace: "local", name: "Ann" }
const bo = { person: "bo", workspace: "local", name: "Bo" }

/** A model that says one word after the other, each when the test says so. */
function spokenModel() {
  let speak: ReadableStreamDefaultController | undefined
  const asked = Promise.withResolvers<void>()
  const script: Script = (options) => {
    // The first call with tools is the turn; others name the session.
    if (speak !== undefined || (options.tools ?? []).length === 0) return answer("A title")
    return new ReadableStream({
      start(controller) {
        speak = controller
        controller.enqueue({ type: "stream-start", warnings: [] })
        controller.enqueue({ type: "text-start", id: "0" })
        asked.resolve()
      },
    })
  }
  return {
    ...{ script, asked: asked.promise },
    say: (delta: string) => speak?.enqueue({ type: "text-delta", id: "0", delta }),
    end() {
      speak?.enqueue({ type: "text-end", id: "0" })
      speak?.enqueue({ type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } })
      speak?.close()
    },
  }
}

/** Reads a feed of a runtime; `until` resolves with the first item that matches. */
function reader({ servicesOf }: ScriptedRuntime, query: object, caller = localCaller) {
  const stop = new AbortController()
  const items: FeedItem[] = []
  const read = async () => {
    for await (const item of servicesOf(caller).feed({ others: false, ...query }, stop.signal)) items.push(item)
  }
  const reading = read()
  onTestFinished(async () => {
    stop.abort()
    await reading
  })
  const until = (matches: (item: FeedItem) => boolean) => expect.poll(() => items.some(matches)).toBe(true)
  return { items, until, stop: () => stop.abort() }
}

const deltas = (items: readonly FeedItem[]) =>
  items.flatMap((item) => (item.type === "message.part.delta" ? [item.properties.text] : [])).join("")

/** Declares tests of what readers at one node see of what happens at another. */
export function peersContract(name: string, openStores: OpenStores): void {
  const start = async (script: Script, config: object = {}): Promise<SeveralNodes & { worker: ScriptedRuntime }> => {
    const nodes = await severalNodes(await openStores(2), [script], { config })
    onTestFinished(() => nodes[Symbol.asyncDispose]())
    const [worker] = nodes.workers
    if (worker === undefined) throw new Error("there is no worker")
    return { ...nodes, worker }
  }
  const noErrors = ({ web, workers }: SeveralNodes) =>
    expect([web, ...workers].flatMap(({ errors }) => errors)).toEqual([])

  describe(`readers at several nodes: ${name}`, () => {
    test("a reader at the web node sees text while it is written", async () => {
      const model = spokenModel()
      const nodes = await start(model.script)
      const { web } = nodes
      const { id } = await submit(web, "Speak")
      await model.asked
      for (const word of ["One ", "two ", "three."]) {
        model.say(word)
        await expect.poll(() => deltas(web.events)).toContain(word)
      }
      expect(deltas(web.events)).toBe("One two three.")
      model.end()
      await web.until(turnIs(id, "completed"))
      noErrors(nodes)
    })

    test("text of a tree that nobody reads elsewhere is not told", async () => {
      const model = spokenModel()
      const nodes = await start(model.script)
      const { web, worker, told } = nodes
      const { id: sessionID } = await worker.runtime.session.create({ projectID: worker.session.projectID })
      const alone = reader(worker, { rootID: sessionID })
      await worker.runtime.prompt.submit(sessionID, { parts: [{ type: "text", text: "Speak" }] })
      await model.asked
      model.say("Alone ")
      await expect.poll(() => deltas(alone.items)).toBe("Alone ")
      const countTold = () => told.filter(({ kind }) => kind === "events").length
      expect(countTold()).toBe(0)
      const other = reader(web, { rootID: sessionID })
      await expect
        .poll(() => told.some((news) => news.kind === "state" && news.entries[0]?.[0] === sessionID))
        .toBe(true)
      model.say("no more.")
      await expect.poll(() => deltas(other.items)).toBe("no more.")
      other.stop()
      model.end()
      noErrors(nodes)
    })

    test("lists at the web node show what changes at the worker", async () => {
      const script: Script = (options) =>
        toolResults(options).length > 0
          ? answer("Done.")
          : answer("", { tool: "bash", input: { command: "echo hello", description: "greets" } })
      const nodes = await start(script, { permission: { bash: "ask" } })
      const { web, worker } = nodes
      const lists = reader(web, { others: true })
      const { id: sessionID } = await worker.runtime.session.create({ projectID: worker.session.projectID })
      await lists.until((item) => item.type === "session.listed" && item.properties.item.session.id === sessionID)
      await worker.runtime.prompt.submit(sessionID, { parts: [{ type: "text", text: "Greet" }] })
      await lists.until((item) => item.type === "permission.asked" && item.rootID === sessionID)
      const [request] = await web.runtime.permission.pending(sessionID)
      await web.runtime.permission.reply(request?.id ?? "", "once")
      await lists.until((item) => item.type === "permission.replied" && item.rootID === sessionID)
      await web.runtime.memory.create({ type: "user", title: "Tabs", content: "Use tabs." })
      const atWorker = reader(worker, { others: true })
      await web.runtime.memory.create({ type: "user", title: "Spaces", content: "No spaces." })
      await atWorker.until((item) => item.type === "memory.updated")
      // Transcripts of other trees are no business of lists.
      expect(lists.items.filter(({ type }) => type.startsWith("message."))).toEqual([])
      noErrors(nodes)
    })

    test("who asks for everything gets other trees whole", async () => {
      const nodes = await start(echo)
      const { web, worker } = nodes
      const all = reader(web, { whole: true })
      const { id: sessionID } = await worker.runtime.session.create({ projectID: worker.session.projectID })
      const parts = [{ type: "text" as const, text: "Work" }]
      const { id } = await worker.runtime.prompt.submit(sessionID, { parts })
      await all.until(turnIs(id, "completed"))
      const texts = all.items.flatMap((item) =>
        item.type === "message.part.updated" && item.properties.part.type === "text" ? [item.properties.part.text] : [],
      )
      expect(texts).toContain("Answered: Work")
      noErrors(nodes)
    })

    test("readers of all nodes see each other, and where they are", async () => {
      const nodes = await start(echo)
      const { web, worker } = nodes
      const { id: sessionID } = web.session
      const place = { sessionID, view: "session" as const }
      reader(web, { rootID: sessionID, viewer: { id: "tab-of-ann", place } }, ann)
      const atWorker = reader(worker, { rootID: sessionID, viewer: { id: "tab-of-bo", place } }, bo)
      const people = ({ viewers }: Presence) => viewers.map(({ person }) => person).toSorted()
      for (const node of [web, worker])
        await expect.poll(async () => people(await node.runtime.presence.of(sessionID))).toEqual(["ann", "bo"])
      await atWorker.until((item) => item.type === "presence.updated" && people(item.properties.presence).length === 2)
      // A load balancer sends the call to any node.
      const review = { sessionID, view: "review" as const }
      expect(await worker.servicesOf(ann).presence.at({ id: "tab-of-ann", place: review })).toBe(true)
      expect(await worker.servicesOf(ann).presence.at({ id: "tab-of-bo", place: review })).toBe(false)
      const annIsAt = async () =>
        (await worker.runtime.presence.of(sessionID)).viewers.find((it) => it.person === "ann")
      await expect.poll(annIsAt).toMatchObject({ places: [review] })
      noErrors(nodes)
    })

    test("an editor at the web node is asked for its unsaved text", async () => {
      const script: Script = (options) =>
        toolResults(options).length > 0
          ? answer(toolResults(options).join())
          : answer("", { tool: "read", input: { filePath: "notes.txt" } })
      const nodes = await start(script, { permission: "allow" })
      const { web, worker, told } = nodes
      await writeFile(join(worker.directory, "notes.txt"), "Use tabs.")
      const { id: rootID } = web.session
      const editor = reader(web, { rootID, editor: { id: "editor-of-ann", hasTerminal: false } })
      await expect
        .poll(() => told.some((news) => news.kind === "state" && news.name === "editors" && news.entries.length > 0))
        .toBe(true)
      const { id } = await submit(web, "Read it")
      await editor.until((item) => item.type === "editor.asked")
      const asked = editor.items.find((item) => item.type === "editor.asked")
      if (asked?.type !== "editor.asked") throw new Error("nothing was asked")
      const { askID } = asked.properties
      await web.runtime.editor.answer(rootID, askID, { kind: "text", text: "Use spaces." })
      await web.runtime.prompt.wait(id)
      await expect.poll(async () => JSON.stringify((await web.messages()).items)).toContain("Use spaces.")
      noErrors(nodes)
    })

    test("a link at the web node hides the project's secrets", async () => {
      const secret = "correct-horse-battery-staple-9317"
      const script: Script = (options) => answer(`The password is ${secret}. ${toolResults(options).join()}`)
      const nodes = await start(script)
      const { web, worker } = nodes
      await writeFile(join(worker.directory, ".env"), `DATABASE_PASSWORD=${secret}\n`)
      const uses = web.runtime.as(localCaller)
      const share = await uses.share.create({ rootID: web.session.id, mode: "live" })
      const { links } = web.runtime.as(localCaller)
      const stop = new AbortController()
      const seen: string[] = []
      const read = async () => {
        for await (const batch of links.copy.follow(share.id, undefined, stop.signal))
          for (const { json } of batch) seen.push(json)
      }
      const reading = read()
      onTestFinished(async () => {
        stop.abort()
        await reading
      })
      await expect.poll(() => links.copy.readers(share.id)).toBe(1)
      const { id } = await submit(web, "Say it")
      await web.until(turnIs(id, "completed"))
      await expect.poll(() => seen.join()).toContain("The password is")
      const { items } = await links.copy.messages(share.id, { sessionID: web.session.id })
      expect(items.flatMap(({ parts }) => parts.map(({ type }) => type))).toContain("text")
      expect(JSON.stringify([seen, items])).not.toContain(secret)
      expect((await links.copy.frame(share.id)).embedSites).toEqual([])
      noErrors(nodes)
    })
  })
}
