import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import type { Blobs } from "../ground/blob/blobs.ts"
import { collectContents } from "../ground/blob/collect-contents.ts"
import { createFileBlobs } from "../ground/blob/file-blobs.ts"
import { toDataUrl } from "../ground/media/data-url.ts"
import { attachedHash, type ContentKind, SessionFile } from "../ground/schema/index.ts"
import { localCaller } from "../test/as-local.ts"
import { committedProject } from "../test/committed-project.ts"
import { submit } from "../test/held-model.ts"
import { pngOf } from "../test/pictures.ts"
import { answer, type Script, type ScriptedRuntime, toolResults } from "../test/scripted-runtime.ts"
import { type SeveralNodes, severalNodes } from "../test/several-nodes.ts"
import type { OpenStores } from "./nodes-contract.ts"

const day = 24 * 60 * 60_000
const picture = pngOf(20, 10)
const numbers = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join("")

/** Declares tests of hosts that keep contents for each other. */
export function contentsContract(name: string, openStores: OpenStores): void {
  const start = async (scripts: Script[], open = createFileBlobs) => {
    const root = await mkdtemp(join(tmpdir(), "docket-contents-"))
    const blobs = open(root)
    const env = { PATH: process.env.PATH ?? "" }
    const nodes = await severalNodes(await openStores(scripts.length + 1), scripts, {
      ...{ config: { permission: "allow" }, blobs, env, prepare: committedProject },
    })
    onTestFinished(async () => {
      await nodes[Symbol.asyncDispose]()
      await rm(root, { recursive: true })
    })
    const [worker] = nodes.workers
    if (worker === undefined) throw new Error("there is no worker")
    return { ...nodes, worker, blobs }
  }
  const noErrors = ({ web, workers }: SeveralNodes) =>
    expect([web, ...workers].flatMap(({ errors }) => errors)).toEqual([])
  const stored = ({ store }: ScriptedRuntime, kind: ContentKind, count = 1) =>
    expect.poll(async () => (await store.content.list({ kind })).filter(({ isStored }) => isStored).length).toBe(count)
  const asked = ({ runtime }: ScriptedRuntime) => runtime.as(localCaller)
  const callOf = async ({ runtime, session }: ScriptedRuntime) => {
    const { items } = await runtime.session.messages({ sessionID: session.id })
    const call = items.flatMap(({ parts }) => parts).find((part) => part.type === "tool")
    if (call === undefined) throw new Error("there is no call")
    return call.id
  }
  const bash = (command: string) => answer("", { tool: "bash", input: { command, description: "Works" } })
  const once =
    (command: string): Script =>
    (options) =>
      toolResults(options).length > 0 ? answer("Done.") : bash(command)
  const collect = ({ web, blobs }: { web: ScriptedRuntime; blobs: Blobs }, later: number) =>
    collectContents({ blobs, tenant: "local", store: web.store.content, clock: () => Date.now() + later })

  describe(`contents that hosts keep for each other: ${name}`, () => {
    test("a dead host's long output is read at the web node", async () => {
      const nodes = await start([once("seq 1 20000")])
      const { web, worker } = nodes
      await web.runtime.prompt.wait((await submit(web, "Count")).id)
      await stored(web, "output")
      worker.kill()
      const page = await asked(web).session.output({ partID: await callOf(web) })
      expect(page).toEqual({ text: numbers, next: null, size: numbers.length })
      noErrors(nodes)
    })

    test("a dead host's picture is read at the web node", async () => {
      const nodes = await start([() => answer("Seen.")])
      const { web, worker } = nodes
      const url = toDataUrl("image/png", picture)
      const parts = [{ type: "file" as const, mime: "image/png", filename: "a.png", url }]
      const turn = await web.runtime.prompt.submit(web.session.id, { parts })
      await web.runtime.prompt.wait(turn.id)
      await stored(web, "attachment")
      worker.kill()
      const { items } = await web.runtime.session.messages({ sessionID: web.session.id })
      const file = items.flatMap(({ parts }) => parts).find((part) => part.type === "file")
      const hash = attachedHash(file?.url ?? "") ?? ""
      const kept = await asked(web).attachment.read({ sessionID: web.session.id, hash })
      expect(Buffer.from(kept.bytes).equals(picture)).toBe(true)
      noErrors(nodes)
    })

    test("a content that is missing in the store is said by name", async () => {
      const nodes = await start([once("seq 1 20000")])
      const { web, worker, blobs } = nodes
      await web.runtime.prompt.wait((await submit(web, "Count")).id)
      await stored(web, "output")
      const [row] = await web.store.content.list({ kind: "output" })
      await blobs.removeTenant("local")
      const partID = await callOf(web)
      // The host still has it.
      expect(await asked(web).session.output({ partID })).toMatchObject({ size: numbers.length })
      worker.kill()
      await expect(asked(web).session.output({ partID })).rejects.toMatchObject({
        code: "content_missing",
        message: expect.stringContaining(`The output ${row?.name}`),
      })
    })

    test("no step waits for a store that does not answer", async () => {
      const goes = Promise.withResolvers<void>()
      const slow = (root: string): Blobs => {
        const blobs = createFileBlobs(root)
        return { ...blobs, put: async (...given) => goes.promise.then(() => blobs.put(...given)) }
      }
      const nodes = await start([once("seq 1 20000")], slow)
      const { web } = nodes
      const turn = await submit(web, "Count")
      expect(await web.runtime.prompt.wait(turn.id)).toMatchObject({ status: "completed" })
      expect((await web.store.content.list()).filter(({ isStored }) => isStored)).toEqual([])
      // Until then, the web node asks the host.
      const partID = await callOf(web)
      expect(await asked(web).session.output({ partID })).toMatchObject({ size: numbers.length })
      expect(nodes.asked).toHaveLength(1)
      goes.resolve()
      await stored(web, "output")
      expect(await asked(web).session.output({ partID })).toMatchObject({ size: numbers.length })
      expect(nodes.asked).toHaveLength(1)
      noErrors(nodes)
    })

    test("an export at the web node has what a dead host made", async () => {
      const nodes = await start([once("seq 1 20000")])
      const { web, worker } = nodes
      await web.runtime.prompt.wait((await submit(web, "Count")).id)
      await stored(web, "output")
      worker.kill()
      let text = ""
      const options = { sessionID: web.session.id, format: "json", sanitize: false } as const
      for await (const piece of await asked(web).transfer.pieces(options)) text += piece
      expect(SessionFile.parse(JSON.parse(text)).outputs).toMatchObject([{ text: numbers }])
      // What has to be removed from it is in the files of the project.
      await expect(asked(web).transfer.pieces({ ...options, sanitize: true })).rejects.toMatchObject({
        code: "host_away",
      })
    })

    test("a dead host's plan is read at the web node", async () => {
      const opened = Promise.withResolvers<ScriptedRuntime>()
      const script: Script = async () => {
        const { runtime, session, directory } = await opened.promise
        const { plan = "" } = await runtime.session.get(session.id)
        const filePath = join(directory, plan)
        const isWritten = existsSync(filePath) && plan !== ""
        return isWritten
          ? answer("Planned.")
          : answer("", { tool: "write", input: { filePath, content: "# The plan\n" } })
      }
      const nodes = await start([script])
      const { web, worker } = nodes
      opened.resolve(web)
      const parts = [{ type: "text" as const, text: "Plan" }]
      const turn = await web.runtime.prompt.submit(web.session.id, { parts, agent: "plan" })
      await web.runtime.prompt.wait(turn.id)
      await stored(web, "plan")
      const there = await asked(web).plan.get({ sessionID: web.session.id })
      expect(there?.text).toBe("# The plan\n")
      worker.kill()
      // Its directory went with the host.
      await rm(join(web.directory, there?.file ?? ""))
      expect(await asked(web).plan.get({ sessionID: web.session.id })).toEqual(there)
      noErrors(nodes)
    })

    test("a takeover keeps what the last step changed, and its undo", async () => {
      const begun = "echo changed > kept.txt; echo new > new.txt; touch begun; sleep 600"
      const nodes = await start([once(begun), () => answer("Went on.")])
      const { web, worker, workers } = nodes
      const file = (path: string) => readFile(join(web.directory, path), "utf8").catch(() => null)
      const turn = await submit(web, "Change")
      await expect.poll(() => file("begun")).not.toBeNull()
      await stored(web, "snapshot")
      worker.kill()
      expect(await web.runtime.prompt.wait(turn.id)).toMatchObject({ status: "completed", attempt: 2 })
      const { items } = await web.runtime.session.messages({ sessionID: web.session.id })
      const patch = items.flatMap(({ parts }) => parts).find((part) => part.type === "patch")
      expect(patch).toMatchObject({ files: ["begun", "kept.txt", "new.txt"] })
      const [prompt] = items
      await asked(web).session.revert({ sessionID: web.session.id, messageID: prompt?.info.id ?? "" })
      expect([await file("kept.txt"), await file("new.txt")]).toEqual(["as it was\n", null])
      expect(workers[1]?.errors).toEqual([])
    })

    test("changes of steps by a dead host are shown and undone elsewhere", async () => {
      const steps = ["echo one > kept.txt", "echo two > kept.txt; echo more > more.txt"]
      const first: Script = (options) => {
        const next = steps[toolResults(options).length]
        return next === undefined ? answer("Done.") : bash(next)
      }
      const nodes = await start([first, () => answer("Fine.")])
      const { web, worker } = nodes
      const file = (path: string) => readFile(join(web.directory, path), "utf8").catch(() => null)
      const turn = await submit(web, "Change twice")
      expect(await web.runtime.prompt.wait(turn.id)).toMatchObject({ status: "completed" })
      // Each state once: before, between, after.
      await stored(web, "snapshot", 3)
      worker.kill()
      const { items } = await web.runtime.session.messages({ sessionID: web.session.id })
      await asked(web).session.revert({ sessionID: web.session.id, messageID: items[0]?.info.id ?? "" })
      expect([await file("kept.txt"), await file("more.txt")]).toEqual(["as it was\n", null])
      await asked(web).session.unrevert({ sessionID: web.session.id })
      expect([await file("kept.txt"), await file("more.txt")]).toEqual(["two\n", "more\n"])
    })

    test("a removed session's contents go a day later, others stay", async () => {
      const nodes = await start([once("seq 1 20000")])
      const { web, blobs } = nodes
      await web.runtime.prompt.wait((await submit(web, "Count")).id)
      const fork = await asked(web).session.fork({ sessionID: web.session.id })
      await stored(web, "output")
      const hashes = async () => {
        const all: string[] = []
        for await (const { hash } of blobs.list("local")) all.push(hash)
        return all
      }
      expect(await collect(nodes, 2 * day)).toBe(0)
      await asked(web).session.remove({ sessionID: web.session.id })
      expect(await web.store.content.list()).toEqual([])
      expect(await collect(nodes, 0)).toBe(0)
      expect(await hashes()).toHaveLength(2)
      expect(await collect(nodes, 2 * day)).toBe(2)
      expect(await hashes()).toEqual([])
      expect((await web.runtime.session.get(fork.id)).id).toBe(fork.id)
      noErrors(nodes)
    })
  })
}
