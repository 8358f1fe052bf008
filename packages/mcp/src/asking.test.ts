import type { QuestionAnswer } from "@docket/core/schema"
import { expect, test } from "vitest"
import { everything } from "./test/everything.ts"
import { runServers } from "./test/run-servers.ts"

async function ready(mcp = {}, permission: object | string = "allow") {
  const fixture = await runServers({ mcp: { ev: { ...(await everything("stdio")), ...mcp } }, permission })
  await fixture.toolNames()
  // It tells of its further tools a moment after it has started.
  await expect
    .poll(async () => (await fixture.itemOf("ev"))?.tools.map(({ id }) => id))
    .toContain("ev_simulate-research-query")
  return fixture
}

const unanswered: QuestionAnswer = { choices: [], own: null }

/** Answers the questions of a request, by their headers. */
async function answer(
  { run }: Awaited<ReturnType<typeof ready>>,
  count: number,
  byHeader: Record<string, Partial<QuestionAnswer>>,
) {
  const asked = () => run.events.filter(({ type }) => type === "permission.asked")
  const event = await run.until((one) => one.type === "permission.asked" && asked().indexOf(one) === count)
  if (event.type !== "permission.asked") throw new Error("not asked")
  const { id, metadata } = event.properties.request
  if (metadata.kind !== "question") throw new Error("no question")
  const answers = metadata.questions.map(({ header }) => ({ ...unanswered, ...byHeader[header] }))
  await run.runtime.permission.answer(id, answers)
  return metadata.questions
}

test("a form is asked on a card, wrong values again", async () => {
  const fixture = await ready()
  const ending = fixture.call({ tool: "ev_trigger-elicitation-request", input: {} })
  const first = await answer(fixture, 0, {
    String: { own: "Ada" },
    Boolean: { choices: ["Yes"] },
    Integer: { own: "many" },
  })
  expect(first).toHaveLength(8)
  expect(first[0]?.question).toContain("The MCP server “ev” asks: Please provide inputs")
  await answer(fixture, 1, { "Titled Single Select Enum": { choices: ["Wonder Woman"] } })
  const again = await answer(fixture, 2, { Integer: { own: "7" } })
  expect(again.map(({ header }) => header)).toEqual(["Integer"])
  expect(again[0]?.question).toContain("a whole number is needed")
  await ending
  const [result = ""] = fixture.results
  for (const part of ["Ada", '"check": true', '"integer": 7', "hero-3", "It was a dark and stormy night."])
    expect(result).toContain(part)
})

test("a dismissed form is told to the server", async () => {
  const fixture = await ready()
  const ending = fixture.call({ tool: "ev_trigger-elicitation-request", input: {} })
  const asked = await fixture.run.until(({ type }) => type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("not asked")
  await fixture.run.runtime.permission.reply(asked.properties.request.id, "reject", { message: "Not now" })
  await ending
  expect(fixture.results[0]).toMatch(/decline/i)
})

test.each([false, true])("an address is shown whole and never fetched (by an error: %s)", async (errorPath) => {
  const fixture = await ready()
  const url = "https://sign-in.example/start?state=abc"
  const ending = fixture.call({ tool: "ev_trigger-url-elicitation", input: { url, errorPath, elicitationId: "e1" } })
  const questions = await answer(fixture, 0, { "Open an address": { choices: ["I have opened it"] } })
  expect(questions[0]?.question).toContain(errorPath ? "https://modelcontextprotocol.io" : url)
  // After the error the call is made again, and asks in the other way.
  if (errorPath) await answer(fixture, 1, { "Open an address": { choices: ["I have opened it"] } })
  await ending
  expect(fixture.results[0]).toMatch(/accept/i)
})

test("a server gets the model's answer once that is allowed", async () => {
  const fixture = await ready({}, { "ev_*": { "*": "allow", "model *": "ask" } })
  const ending = fixture.call({ tool: "ev_trigger-sampling-request", input: { prompt: "Say hello", maxTokens: 20 } })
  const asked = await fixture.run.until(({ type }) => type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("not asked")
  const { metadata, always } = asked.properties.request
  expect(metadata).toMatchObject({
    title: expect.stringContaining("Say hello"),
    input: {
      system: "You are a helpful test server.",
      messages: [{ role: "user", text: expect.stringContaining("Say hello") }],
    },
  })
  expect(always).toEqual([expect.stringMatching(/^model [0-9a-f]{12}$/)])
  const before = (await fixture.run.runtime.session.get(fixture.run.session.id)).tokens
  await fixture.run.runtime.permission.reply(asked.properties.request.id, "once")
  await ending
  expect(fixture.results[0]).toContain("Done.")
  expect(fixture.results[0]).toContain("scripted/one")
  expect((await fixture.run.runtime.session.get(fixture.run.session.id)).tokens).not.toEqual(before)
})

test("a tool that works as a task gives its result", async () => {
  const fixture = await ready()
  await fixture.call({ tool: "ev_simulate-research-query", input: { topic: "bees", ambiguous: false } })
  expect(fixture.results[0]).toContain("bees")
})
