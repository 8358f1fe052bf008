import { expect, test } from "vitest"
import { argumentAt } from "./server-prompt.ts"
import { everything } from "./test/everything.ts"
import { hostile, runServers } from "./test/run-servers.ts"

async function ready(mcp: Record<string, object>) {
  const fixture = await runServers({ mcp })
  await fixture.toolNames()
  await Promise.all(Object.keys(mcp).map((name) => fixture.untilState(name, ["ready"])))
  const { run, projectID } = fixture
  const complete = (text: string, signal: AbortSignal | null = null) =>
    run.runtime.extension.complete(projectID, text, signal)
  const texts = async (text: string) => (await complete(text))?.options.map((option) => option.text) ?? null
  return { ...fixture, complete, texts }
}

test("resources of a server are proposed, and values in their addresses", async () => {
  const { complete, texts } = await ready({ ev: await everything("stdio") })
  expect(await complete("@e")).toEqual({ from: 1, options: [{ text: "ev:", hint: "resources", isWhole: false }] })
  expect(await complete("@ev:demo://resource/static/document/arch")).toEqual({
    from: 4,
    options: [{ text: "demo://resource/static/document/architecture.md", hint: "architecture.md", isWhole: true }],
  })
  expect(await texts("@ev:demo://resource/dyn")).toEqual([
    "demo://resource/dynamic/text/",
    "demo://resource/dynamic/blob/",
  ])
  expect(await texts("@ev:demo://resource/dynamic/text/12")).toEqual(["demo://resource/dynamic/text/12"])
  expect(await texts("@other:demo://")).toBeNull()
})

test("values of a prompt's arguments are proposed, by those before", async () => {
  const { complete, texts } = await ready({ ev: await everything("stdio") })
  expect(await complete("/ev:completable-prompt Eng")).toEqual({
    from: 23,
    options: [{ text: "Engineering", hint: "department", isWhole: true }],
  })
  expect(await texts("/ev:completable-prompt Engineering ")).toEqual(["Alice", "Bob", "Charlie"])
  expect(await texts("/ev:completable-prompt name=A department=Sal")).toEqual(["Sales"])
  expect(await texts("/ev:completable-prompt Sales David more")).toBeNull()
  expect(await texts("/review x")).toBeNull()
})

test("what a server proposes is bounded, and hides nothing", async () => {
  const { texts } = await ready({ bad: hostile("completes") })
  expect(await texts("/bad:ask a")).toEqual(["fine", ...Array.from({ length: 19 }, (_, at) => `v${at}`)])
})

test("a server that proposes nothing is not asked for values", async () => {
  const { log, noted } = await runServers()
  const { texts } = await ready({ quiet: hostile("keeps", log) })
  expect(await texts("@quiet:item://")).toEqual(["item://one"])
  expect(await noted()).not.toContain("complete")
})

test("a completion that nobody waits for any more ends", async () => {
  const { complete } = await ready({ ev: await everything("stdio") })
  expect(await complete("@ev:demo://", AbortSignal.abort())).toBeNull()
})

test.each([
  ["", "a", ""],
  ["one", "a", "one"],
  ["one ", "b", ""],
  ['"one two" thr', "b", "thr"],
  ['"one tw', "a", "one tw"],
  ["b=x on", "a", "on"],
  ["b=x", "b", "x"],
])("the argument that is being typed is found: %s", (typed, name, value) => {
  const prompt = { name: "p", description: "", arguments: ["a", "b"].map((one) => ({ name: one, required: true })) }
  expect(argumentAt(prompt, typed)).toMatchObject({ name, typed: value })
})

test("values of several words are written in quotes", () => {
  const prompt = { name: "p", description: "", arguments: ["a", "b"].map((one) => ({ name: one, required: true })) }
  const write = argumentAt(prompt, "")?.write
  expect([write?.("x"), write?.("x y"), write?.(`x "y"`), write?.(`'x' "y"`)]).toEqual(["x", '"x y"', `'x "y"'`, null])
})
