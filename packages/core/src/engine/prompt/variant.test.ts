import type { JSONObject } from "@ai-sdk/provider"
import { expect, it } from "vitest"
import { answer, type Script, scriptedRuntime } from "../../test/scripted-runtime.ts"

const variants = { low: { effort: "low" }, high: { effort: "high" } }

/** A runtime whose model has two variants, and the options of each of its calls. */
async function host(config: object = {}) {
  const seen: (JSONObject | undefined)[] = []
  const script: Script = (call) => {
    seen.push(call.providerOptions?.scripted)
    return answer("done")
  }
  const here = await scriptedRuntime(script, { config, variants })
  const ask = async (input: { variant?: string; agent?: string } = {}) => {
    const turn = await here.runtime.prompt.submit(here.session.id, { parts: [{ type: "text", text: "go" }], ...input })
    await here.runtime.prompt.wait(turn.id)
    return (await here.messages()).items.slice(-2).map(({ info }) => info)
  }
  return { here, ask, seen }
}

it("a prompt runs with its variant, which both messages store", async () => {
  const { here, ask, seen } = await host()
  await using _ = here
  const [question, reply] = await ask({ variant: "high" })
  expect(question).toMatchObject({ role: "user", variant: "high" })
  expect(reply).toMatchObject({ role: "assistant", variant: "high" })
  expect(seen).toEqual([{ effort: "high" }])
  // The next prompt names no variant.
  expect((await ask())[0]).not.toHaveProperty("variant")
  expect(seen.at(-1)).toBeUndefined()
})

it("an unknown variant is refused with the known ones, storing nothing", async () => {
  const { here, seen } = await host()
  await using _ = here
  const submit = here.runtime.prompt.submit(here.session.id, { parts: [{ type: "text", text: "go" }], variant: "hgih" })
  await expect(submit).rejects.toMatchObject({
    code: "variant_not_found",
    message: 'The model scripted/one has no variant "hgih". Did you mean "high"? It has low, high.',
  })
  await expect(here.runtime.session.update(here.session.id, { variant: "max" })).rejects.toThrow("It has low, high.")
  expect((await here.messages()).items).toEqual([])
  expect(seen).toEqual([])
})

it("a session keeps its variant until a model is chosen", async () => {
  const { here, ask, seen } = await host()
  await using _ = here
  const update = here.runtime.session.update.bind(null, here.session.id)
  await update({ variant: "high" })
  await ask()
  expect((await here.runtime.session.get(here.session.id)).variant).toBe("high")
  await ask({ variant: "low" })
  await update({ title: "Other words" })
  await ask()
  await update({ model: { providerID: "scripted", modelID: "one" } })
  await ask()
  expect(seen).toEqual([{ effort: "high" }, { effort: "low" }, { effort: "high" }, undefined])
})

it("the agent's variant is used unless session or prompt name another", async () => {
  const { here, ask, seen } = await host({ agent: { build: { variant: "low", tone: "dry" } } })
  await using _ = here
  expect((await ask())[0]).toMatchObject({ variant: "low" })
  await here.runtime.session.update(here.session.id, { variant: "high" })
  await ask()
  expect(seen).toEqual([
    { tone: "dry", effort: "low" },
    { tone: "dry", effort: "high" },
  ])
})

it("an agent's unsupported variant is ignored, or reported with the agent's model", async () => {
  const { here, ask, seen } = await host({
    agent: { build: { variant: "max" }, plan: { variant: "max", model: "scripted/one" } },
  })
  await using _ = here
  expect((await ask())[1]).toMatchObject({ error: null })
  const [, reply] = await ask({ agent: "plan" })
  expect(reply).toMatchObject({ error: { message: expect.stringContaining('no variant "max". It has low, high.') } })
  expect(seen).toEqual([undefined])
})
