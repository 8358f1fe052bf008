import { expect, test } from "vitest"
import type { PromptInput, Turn } from "../../ground/schema/index.ts"
import { answer, type Script, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

type Host = Awaited<ReturnType<typeof scriptedRuntime>>

/** A model that calls a tool once, waits before that answer, and then keeps what each request holds. */
async function working() {
  const release = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const requests: string[] = []
  const script: Script = async (options) => {
    requests.push(JSON.stringify(options.prompt))
    if (requests.length > 1 || toolResults(options).length > 0) return answer(`Answer ${requests.length}.`)
    begun.resolve()
    await release.promise
    return answer("", { tool: "todoread", input: {} })
  }
  const host = await scriptedRuntime(script)
  const first = await submit(host, { text: "Begin" })
  await begun.promise
  return { host, requests, first, go: release.resolve, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() }
}

function submit(host: Host, { text, ...more }: { text: string } & Partial<PromptInput>): Promise<Turn> {
  return host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text }], ...more })
}

/** The texts of the user, in the order of the transcript. */
async function said(host: Host): Promise<string[]> {
  const { items } = await host.messages()
  return items
    .filter(({ info }) => info.role === "user")
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
}

test("a running turn reads a steered prompt before its next step", async () => {
  await using work = await working()
  const queued = await submit(work.host, { text: "Later" })
  const steered = await submit(work.host, { text: "Use tabs", steer: true })
  work.go()
  const read = await work.host.runtime.prompt.wait(steered.id)
  expect(read).toMatchObject({ status: "completed", within: work.first.id, messageID: expect.any(String) })
  await work.host.runtime.prompt.wait(queued.id)
  expect(await said(work.host)).toEqual(["Begin", "Use tabs", "Later"])
  // The second step had it; a third request is the next prompt's.
  expect(work.requests.map((request) => request.includes("Use tabs"))).toEqual([false, true, true])
})

test("without a running turn a steered prompt is as any other", async () => {
  await using host = await scriptedRuntime(() => answer("Done."), { titles: false })
  const turn = await host.runtime.prompt.wait((await submit(host, { text: "Use tabs", steer: true })).id)
  expect([turn.status, turn.within]).toEqual(["completed", undefined])
})

test("a steered prompt that wants another agent has its own turn", async () => {
  await using work = await working()
  const steered = await submit(work.host, { text: "Plan it", steer: true, agent: "plan" })
  work.go()
  const turn = await work.host.runtime.prompt.wait(steered.id)
  expect([turn.status, turn.within]).toEqual(["completed", undefined])
})

test("one that is told to be read now leaves the queue", async () => {
  await using work = await working()
  const [second, third] = [await submit(work.host, { text: "Second" }), await submit(work.host, { text: "Third" })]
  expect(await work.host.runtime.prompt.change(third.id, { now: true })).toMatchObject({ input: { steer: true } })
  work.go()
  expect(await work.host.runtime.prompt.wait(third.id)).toMatchObject({ within: work.first.id })
  await work.host.runtime.prompt.wait(second.id)
  expect(await said(work.host)).toEqual(["Begin", "Third", "Second"])
})

test("queued prompts are moved, changed and taken back", async () => {
  await using work = await working()
  const { prompt } = work.host.runtime
  const [a, b, c, d] = [
    await submit(work.host, { text: "A" }),
    await submit(work.host, { text: "B" }),
    await submit(work.host, { text: "C" }),
    await submit(work.host, { text: "D" }),
  ]
  await prompt.change(c.id, { before: a.id })
  await prompt.change(a.id, { before: null, parts: [{ type: "text", text: "A2" }] })
  expect(await prompt.withdraw(b.id)).toBe(true)
  expect(await prompt.change(b.id, { before: null })).toBeNull()
  await expect(prompt.change(c.id, { before: b.id })).rejects.toMatchObject({ code: "turn_not_found" })
  await expect(prompt.change(c.id, { parts: [{ type: "text", text: " " }] })).rejects.toMatchObject({
    code: "invalid_input",
  })
  work.go()
  for (const { id } of [c, d, a]) expect((await prompt.wait(id)).status).toBe("completed")
  expect(await said(work.host)).toEqual(["Begin", "C", "D", "A2"])
  // What has run is changed no more.
  expect(await prompt.change(a.id, { now: true })).toBeNull()
})

test("two tabs that change one prompt at once lose neither change", async () => {
  await using work = await working()
  const { prompt } = work.host.runtime
  const [a, b] = [await submit(work.host, { text: "A" }), await submit(work.host, { text: "B" })]
  const changes = [
    prompt.change(b.id, { before: a.id }),
    prompt.change(b.id, { parts: [{ type: "text", text: "B2" }] }),
  ]
  const taken = prompt.withdraw(a.id)
  expect((await Promise.all(changes)).every((turn) => turn !== null)).toBe(true)
  work.go()
  await prompt.wait(b.id)
  expect(await said(work.host)).toEqual((await taken) ? ["Begin", "B2"] : ["Begin", "B2", "A"])
})

test("a queued prompt with another text works for who wrote that", async () => {
  await using work = await working()
  const { runtime, store } = work.host
  const queued = await submit(work.host, { text: "A" })
  const ada = { person: "ada", workspace: "default" }
  await store.write.commit([{ rootID: queued.rootID, mutations: [{ kind: "turn", value: { ...queued, cause: ada } }] }])
  expect((await runtime.prompt.change(queued.id, { now: true }))?.cause).toEqual(ada)
  const parts = [{ type: "text" as const, text: "Clean up every day" }]
  expect((await runtime.prompt.change(queued.id, { parts }))?.cause).toBeUndefined()
  work.go()
  await runtime.prompt.wait(queued.id)
})
