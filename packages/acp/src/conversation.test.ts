import { expect, test } from "vitest"
import { runAgent } from "./test/run-agent.ts"

/** Delegates twice to the same child. */
async function twice(able: string) {
  const started = await runAgent({ able })
  await started.delegate([{ say: "I looked at the tests." }])
  const { id } = await started.child()
  await started.delegate([{ say: "Second." }], { task_id: id })
  const programs = (await started.messages()).flatMap(({ info }) =>
    info.role === "assistant" && info.program ? [info.program] : [],
  )
  const prompts = (await started.noted()).flatMap(({ prompt }) =>
    prompt === undefined ? [] : [JSON.stringify(prompt)],
  )
  return { ...started, programs, prompts }
}

test.each(["resume", "load"])("an agent goes on with its conversation by %s", async (way) => {
  const { programs, prompts, noted, messages } = await twice(way)
  expect(programs.map(({ begun }) => begun)).toEqual(["new", "resumed"])
  expect(new Set(programs.map(({ conversation }) => conversation)).size).toBe(1)
  expect(await noted()).toContainEqual({ [way]: programs[0]?.conversation })
  expect(prompts[1]).not.toContain("I looked at the tests.")
  expect(JSON.stringify(await messages())).not.toContain("All of this was said before.")
})

test.each(["", "resume,forgets"])("an agent without its conversation (%s) is told the transcript", async (able) => {
  const { programs, prompts } = await twice(able)
  expect(programs.map(({ begun }) => begun)).toEqual(["new", "told"])
  expect(prompts[0]).not.toContain("earlier-conversation")
  expect(prompts[1]).toContain("I looked at the tests.")
})

test("the agent asks in its mode default, with its own model", async () => {
  const { delegate, noted } = await runAgent()
  await delegate([{ say: "Hello." }])
  const notes = await noted()
  expect(notes).toContainEqual({ mode: "default" })
  expect(notes.some((note) => "model" in note)).toBe(false)
})

test("mode and model of the entry are chosen", async () => {
  const { delegate, noted } = await runAgent({ acp: { mode: "plan", model: "large" } })
  await delegate([{ say: "Hello." }])
  expect(await noted()).toEqual(expect.arrayContaining([{ mode: "plan" }, { model: "large" }]))
})

test.each([
  [{ mode: "turbo" }, "It offers auto, default, plan."],
  [{ model: "huge" }, "It offers small, large."],
])("what the agent does not offer is named (%j)", async (acp, words) => {
  const { delegate, results } = await runAgent({ acp })
  await delegate([{ say: "Never." }])
  expect(results[0]).toContain(words)
})

test("an agent signs in by its key alone", async () => {
  const signedIn = await runAgent({ able: "sign-in", acp: { env: { AGENT_KEY: "key-for-tests" } } })
  await signedIn.delegate([{ say: "Hello." }])
  const notes = await signedIn.noted()
  expect(notes).toContainEqual({ authenticate: "scripted-api-key" })
  expect(notes).toContainEqual(expect.objectContaining({ env: "key-for-tests" }))

  const browserOnly = await runAgent({ able: "sign-in,no-key" })
  await browserOnly.delegate([{ say: "Never." }])
  expect(browserOnly.results[0]).toContain("It wants a sign-in (Sign in with a browser).")
})

test("a picture of a prompt reaches an agent that takes it", async () => {
  const { run, noted } = await runAgent({ agent: { mode: "all" } })
  const png =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
  const parts = [
    { type: "file", mime: "image/png", url: png, filename: "dot.png" },
    { type: "text", text: "What is it?" },
  ] as const
  const turn = await run.runtime.prompt.submit(run.session.id, { parts: [...parts], agent: "helper" })
  expect(await run.runtime.prompt.wait(turn.id)).toMatchObject({ status: "completed" })
  const [prompt] = (await noted()).flatMap(({ prompt }) => (Array.isArray(prompt) ? [prompt] : []))
  expect(prompt).toMatchObject([
    { type: "image", mimeType: "image/png" },
    { type: "text", text: "What is it?" },
  ])
})
