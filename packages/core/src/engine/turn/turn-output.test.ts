import { expect, test } from "vitest"
import type { PromptInput } from "../../ground/schema/index.ts"
import { answer, lastUserText, type Script, scriptedRuntime } from "../../test/scripted-runtime.ts"

const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] }

/** A runtime whose model gives these answers in turn, and what it read last before each. */
async function answering(...texts: string[]) {
  const read: string[] = []
  const script: Script = (options) => {
    read.push(lastUserText(options))
    return answer(texts[read.length - 1] ?? expect.fail("one answer too many is asked for"))
  }
  const host = await scriptedRuntime(script)
  const prompt = async (more: Partial<PromptInput> = {}) => {
    const input = { parts: [{ type: "text" as const, text: "Count" }], outputSchema, ...more }
    const { id } = await host.runtime.prompt.submit(host.session.id, input)
    return host.runtime.prompt.wait(id)
  }
  return { host, read, prompt, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() }
}

test("an answer that fits the schema is the turn's output", async () => {
  await using work = await answering('Done.\n```json\n{"n": 3}\n```')
  expect(await work.prompt()).toMatchObject({ status: "completed", error: null, output: { n: 3 } })
  expect(work.read).toEqual([expect.stringContaining('"required":["n"]')])
})

test("the model is told what does not fit and answers again", async () => {
  await using work = await answering("Three.", '{"n": "three"}', '{"n": 3}')
  expect(await work.prompt()).toMatchObject({ status: "completed", output: { n: 3 } })
  expect(work.read).toHaveLength(3)
  expect(work.read[1]).toContain("The answer holds no JSON.")
  expect(work.read[2]).toContain("/n: must be number")
})

test("after two repairs that do not fit the turn fails clearly", async () => {
  await using work = await answering("One", "Two", '{"n": "three"}')
  const turn = await work.prompt()
  expect(turn).toMatchObject({ status: "failed", error: { name: "OutputSchemaError" } })
  expect(turn.error?.message).toContain("/n: must be number")
  expect(turn).not.toHaveProperty("output")
  const { items } = await work.host.messages()
  expect(items.at(-1)?.info).toMatchObject({ role: "assistant", error: { name: "OutputSchemaError" } })
})

test("the schema holds for its own prompt alone", async () => {
  await using work = await answering('{"n": 3}', "Four.")
  await work.prompt()
  const next = await work.host.prompt("Next")
  expect([next.status, "output" in next]).toEqual(["completed", false])
})

test.each([
  [{ outputSchema: { type: "nonsense" } }, "not a valid JSON Schema"],
  [{ parts: [{ type: "command", name: "compact", arguments: "" }] }, "/compact gets no answer"],
  [{ noReply: true }, "noReply only adds a message"],
] satisfies [Partial<PromptInput>, string][])("%j is refused before anything is stored", async (more, words) => {
  await using work = await answering()
  await expect(work.prompt(more)).rejects.toMatchObject({ code: "invalid_input" })
  await expect(work.prompt(more)).rejects.toThrow(words)
  expect((await work.host.messages()).items).toEqual([])
})

test("a prompt with noReply is read with the next one", async () => {
  const asked: string[] = []
  await using host = await scriptedRuntime((options) => {
    asked.push(JSON.stringify(options.prompt))
    return answer("Done.")
  })
  const parts = [{ type: "text" as const, text: "The build is red." }]
  const { id } = await host.runtime.prompt.submit(host.session.id, { parts, noReply: true })
  const turn = await host.runtime.prompt.wait(id)
  expect([turn.status, asked.length]).toEqual(["completed", 0])
  const { items } = await host.messages()
  expect(items.map(({ info }) => [info.role, info.id])).toEqual([["user", turn.messageID]])
  // It is neither named by it nor shown as ended.
  expect(await host.runtime.session.get(host.session.id)).toMatchObject({ title: host.session.title })
  expect((await host.runtime.session.get(host.session.id)).ended ?? null).toBeNull()
  await host.prompt("Go")
  expect(asked[0]).toContain("The build is red.")
})
