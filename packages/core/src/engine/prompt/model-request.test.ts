import { expect, test } from "vitest"
import type { Part, ToolPart } from "../../ground/schema/index.ts"
import type { Reply } from "../../test/strict-provider/reply.ts"
import { type Asked, formats } from "../../test/strict-provider/start-strict-provider.ts"
import { type StrictRuntime, strictRuntime } from "../../test/strict-provider/strict-runtime.ts"

const look = { id: "call_1", tool: "glob", input: { pattern: "*" } }

/** Anthropic reasons only when it is enabled; OpenAI stores items unless that is disabled. */
const reasons = { anthropic: { options: { thinking: { type: "enabled", budgetTokens: 1_024 } } } }
const storesNothing = { ...reasons, openai: { options: { store: false } } }

/** The replies in order; the last one repeats. */
function inOrder(...replies: Reply[]) {
  return ({ count }: Asked) => replies[count] ?? replies.at(-1) ?? {}
}

async function toolParts({ host }: StrictRuntime): Promise<ToolPart[]> {
  const { items } = await host.messages()
  return items.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
}

async function partsOf({ host }: StrictRuntime, type: Part["type"]): Promise<Part[]> {
  return (await host.messages()).items.flatMap(({ parts }) => parts.filter((part) => part.type === type))
}

test.each(formats)("reasoning goes back to %s with the call that it led to", async (format) => {
  const replies = inOrder({ reasoning: "I look.", calls: [look] }, { reasoning: "Enough.", text: "Done." })
  await using strict = await strictRuntime(replies, { models: reasons })
  expect(await strict.ask(format, "Look")).toMatchObject({ status: "completed", error: null })
  expect(await strict.ask(format, "Again")).toMatchObject({ status: "completed", error: null })
  expect(strict.provider.refusals).toEqual([])
  expect(strict.provider.requests).toHaveLength(3)
})

test.each(formats)("hidden reasoning of %s goes back with the call that followed it", async (format) => {
  const replies = inOrder({ reasoning: null, calls: [look] }, { reasoning: null, text: "Done." })
  await using strict = await strictRuntime(replies, { models: storesNothing })
  expect(await strict.ask(format, "Look")).toMatchObject({ status: "completed", error: null })
  expect(await strict.ask(format, "Again")).toMatchObject({ status: "completed", error: null })
  expect(strict.provider.refusals).toEqual([])
})

test.each(formats)("an answer stopped while reasoning does not break the next at %s", async (format) => {
  const replies = inOrder({ reasoning: "Hm.", hangs: true }, { text: "Fine." })
  await using strict = await strictRuntime(replies, { models: reasons })
  const asked = strict.ask(format, "Think")
  await strict.provider.hanging
  await strict.host.until(
    (event) => event.type === "message.part.updated" && event.properties.part.type === "reasoning",
  )
  await strict.host.runtime.abort(strict.host.session.id)
  expect((await asked).status).toBe("aborted")
  expect(await strict.ask(format, "Go on")).toMatchObject({ status: "completed", error: null })
  expect(strict.provider.refusals).toEqual([])
})

test.each(formats)("an answer cut while reasoning does not break the next at %s", async (format) => {
  await using strict = await strictRuntime(inOrder({ reasoning: "Hm.", cut: true }, { text: "Fine." }), {
    models: reasons,
  })
  await strict.ask(format, "Think")
  expect(await strict.ask(format, "Shorter")).toMatchObject({ status: "completed", error: null })
  expect(strict.provider.refusals).toEqual([])
})

test.each(formats)("a retry sends %s nothing of the broken attempt", async (format) => {
  const replies = inOrder({ reasoning: null, breaks: true }, { reasoning: null, calls: [look] }, { text: "Done." })
  await using strict = await strictRuntime(replies, { models: reasons })
  expect(await strict.ask(format, "Look")).toMatchObject({ status: "completed", error: null })
  expect(strict.provider.refusals).toEqual([])
})

test.each(formats)("the last step lists the tools to %s but refuses calls", async (format) => {
  const replies = inOrder(
    { reasoning: "I look.", calls: [look] },
    { reasoning: "More.", calls: [{ ...look, id: "call_2" }] },
    { text: "Done." },
  )
  await using strict = await strictRuntime(replies, { models: reasons, config: { agent: { build: { steps: 2 } } } })
  expect(await strict.ask(format, "Look")).toMatchObject({ status: "completed", error: null })
  expect(await strict.ask(format, "Again")).toMatchObject({ status: "completed", error: null })
  expect(strict.provider.refusals).toEqual([])
  const states = (await toolParts(strict)).map(({ state }) => state)
  expect(states).toMatchObject([
    { status: "completed" },
    { status: "error", error: "Not run: this was the last step of the turn, in which no tools can be called." },
  ])
  expect(JSON.stringify(strict.provider.requests[1]?.body)).toMatch(
    /"tool_choice":(?:"none"|\{"type":"none"\})|"mode":"NONE"/,
  )
})

test.each(formats)("calls with the same id are all run and answered at %s", async (format) => {
  const twice = { reasoning: "I look.", calls: [look, { ...look, input: { pattern: "*.ts" } }] }
  await using strict = await strictRuntime(inOrder(twice, twice, { text: "Done." }), { models: reasons })
  expect(await strict.ask(format, "Look")).toMatchObject({ status: "completed", error: null })
  expect(strict.provider.refusals).toEqual([])
  const calls = await toolParts(strict)
  expect(calls.map(({ state }) => state.status)).toEqual(Array(4).fill("completed"))
  expect(calls.map(({ state }) => state.input)).toEqual([0, 1].flatMap(() => twice.calls.map(({ input }) => input)))
})

test.each(formats)("invalid names, ids, arguments and texts are cleaned before they reach %s", async (format) => {
  const odd = {
    reasoning: "I look.",
    calls: [
      { id: "functions.read:0", tool: "my tool!", input: {} },
      { id: "b".repeat(90), tool: "1st", input: { text: "half a pair \ud83d and \0" } },
      { id: "c", tool: "grep", input: ["no", "object"] },
    ],
  }
  // Google allows only objects as arguments.
  if (format === "google") odd.calls.pop()
  await using strict = await strictRuntime(inOrder(odd, { reasoning: "So.", text: " \n" }, { text: "Done." }), {
    models: reasons,
  })
  expect(await strict.ask(format, "Look \ud800 at \0 this")).toMatchObject({ status: "completed", error: null })
  expect(await strict.ask(format, "Again")).toMatchObject({ status: "completed", error: null })
  expect(strict.provider.refusals).toEqual([])
})

test("a session can switch to another provider's model at any time", async () => {
  const script = ({ count }: Asked): Reply =>
    count % 2 === 0 ? { reasoning: "I look.", text: "Looking.", calls: [look] } : { reasoning: "So.", text: "Done." }
  await using strict = await strictRuntime(script, { models: reasons })
  for (const format of [...formats, ...formats.toReversed()]) {
    expect(await strict.ask(format, `Look with ${format}`)).toMatchObject({ status: "completed", error: null })
  }
  expect(strict.provider.refusals).toEqual([])
})

test.each(formats)("a prompt's system text goes to %s only with that prompt", async (format) => {
  await using strict = await strictRuntime(inOrder({ text: "Done." }))
  await strict.ask(format, { parts: [{ type: "text", text: "Hello" }], system: "Speak like a pirate." })
  await strict.ask(format, "And now")
  const [first, second] = strict.provider.requests.map(({ body }) => JSON.stringify(body).split("pirate").length - 1)
  expect([first, second]).toEqual([1, 0])
})

test("system text of a prompt stays for all steps of its turn", async () => {
  const calls = [{ id: "t", tool: "task", input: { description: "d", prompt: "p", subagent_type: "explore" } }]
  await using strict = await strictRuntime(inOrder({ calls }, { text: "Found." }, { text: "Done." }))
  const { ask, provider } = strict
  await ask("anthropic", { parts: [{ type: "text", text: "@explore look around" }], system: "Speak like a pirate." })
  const ofRoot = provider.requests.filter(({ body }) => !JSON.stringify(body).includes("DELEGATION CONTEXT]"))
  expect(ofRoot.length).toBeGreaterThan(0)
  for (const { body } of ofRoot) expect(JSON.stringify(body).split("pirate")).toHaveLength(2)
})

test("another model's answer keeps its text and loses its reasoning", async () => {
  await using strict = await strictRuntime(inOrder({ reasoning: "Secret.", text: "Said." }, { text: "Done." }), {
    models: reasons,
  })
  await strict.ask("anthropic", "Hello")
  await strict.ask("openai", "And you?")
  const sent = JSON.stringify(strict.provider.requests[1]?.body)
  expect(sent).toContain("Said.")
  expect(sent).not.toContain("Secret.")
  expect(await partsOf(strict, "reasoning")).toHaveLength(1)
})

test.each(formats)("a conversation with calls is summarised and goes on at %s", async (format) => {
  const replies = inOrder(
    { reasoning: "I look.", text: "Looking. ".repeat(500), calls: [look], inputTokens: 99_000 },
    { text: "The summary." },
    { reasoning: "So.", text: "Done." },
  )
  await using strict = await strictRuntime(replies, { models: reasons })
  expect(await strict.ask(format, "Look")).toMatchObject({ status: "completed", error: null })
  expect(await strict.ask(format, "Again")).toMatchObject({ status: "completed", error: null })
  expect(strict.provider.refusals).toEqual([])
  const { items } = await strict.host.messages()
  expect(items.filter(({ info }) => info.role === "assistant" && info.summary)).toHaveLength(1)
})
