import { once } from "node:events"
import { expect, test } from "vitest"
import { completion, lab, labPlugin, labProvider, ownPlugin } from "./test/lab.ts"

const models = (text: string) => `provider: { id: "lab", models: async (provider, { auth }) => (${text}) },`

test("models that a plugin names are added and changed", async () => {
  const provider = await labProvider()
  const text = `{
    one: { ...provider.models.one, name: "One of " + (auth?.type ?? "nobody") },
    two: { id: "two", name: "Two", limit: { context: 5_000, output: 500 }, capabilities: { toolcall: true, input: { image: true } } },
    three: { id: "three", limit: { context: "much" } },
  }`
  const files = { [ownPlugin]: labPlugin(provider.url, { hooks: models(text) }) }
  const { host, provided, list, begin, finish } = await lab(provider.url, { files })
  await using _ = host
  expect((await provided())?.models).toMatchObject([
    { id: "one", name: "One of nobody", cost: { input: 3, output: 5 } },
    { id: "two", name: "Two", limit: { context: 5_000, output: 500 }, inputs: ["image"], cost: null },
  ])
  expect((await list())[0]?.error).toBe("Models left out, as they are not of the right form: three.")
  await begin()
  await finish("the-code")
  expect((await provided())?.models[0]?.name).toBe("One of oauth")
})

test("models of a provider that no configuration has are there", async () => {
  const provider = await labProvider()
  const text = `{ two: { id: "two", name: "Two", limit: { context: 5_000, output: 500 } } }`
  const hooks = models(text).replaceAll('"lab"', '"annex"')
  const methods = `[{ type: "api", label: "With a key" }]`
  const plugin = labPlugin(provider.url, { hooks, methods }).replace('provider: "lab"', 'provider: "annex"')
  const { host, begin, providers, ownConfig, list } = await lab(provider.url, { files: { [ownPlugin]: plugin } })
  await using _ = host
  const annex = async () => (await providers.list(await ownConfig())).find(({ id }) => id === "annex")
  expect(await annex()).toMatchObject({ connected: false, models: [{ id: "two" }] })
  expect(await list()).toMatchObject([{ signIn: { provider: "annex", state: "out" } }])
  await begin(0, { key: "annex-key" })
  expect(await annex()).toMatchObject({ connected: true, source: "plugin" })
})

test.each([
  ["hangs", "await new Promise(() => {})", "It did not answer within 1.5 seconds."],
  ["throws", '(() => { throw new Error("no luck") })()', "no luck"],
  ["is no list", '"models"', "are not of the right form"],
])("a plugin is named whose list of models %s", async (_what, text, said) => {
  const provider = await labProvider()
  const files = { [ownPlugin]: labPlugin(provider.url, { hooks: models(text) }) }
  const { host, provided, list } = await lab(provider.url, { files, times: { ask: 1_500 } })
  await using _ = host
  expect((await provided())?.models.map(({ id }) => id)).toEqual(["one"])
  expect((await list())[0]?.error).toContain(said)
})

/** A lab whose plugin is signed in. */
async function signedIn(
  provider: Awaited<ReturnType<typeof labProvider>>,
  ...given: Parameters<typeof labPlugin>[1][]
) {
  const made = await lab(provider.url, {
    files: { [ownPlugin]: labPlugin(provider.url, given[0]) },
    times: { ask: 20_000, answer: 1_500, pong: 1_500 },
  })
  await made.begin()
  await made.finish("the-code")
  return made
}

test("no more is read of an answer than is used", async () => {
  let written = 0
  const provider = await labProvider({
    "/v1/chat/completions"(_, __, response) {
      response.writeHead(200)
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) written += 64 * 1024
        response.once("drain", write)
      }
      write()
    },
  })
  const { host, plugged, account } = await signedIn(provider)
  await using _ = host
  const of = await account()
  if (of === null) throw new Error("nobody is signed in")
  const answer = await plugged.send(of, `${provider.url}/v1/chat/completions`, { method: "POST", body: "{}" })
  const reader = answer.body?.getReader()
  const read = await reader?.read()
  expect(read?.value?.length).toBeGreaterThan(0)
  // Everything between has taken what it takes once another whole answer has gone through the same process.
  expect((await plugged.send(of, `${provider.url}/none`)).status).toBe(404)
  const held = written
  expect((await plugged.send(of, `${provider.url}/none`)).status).toBe(404)
  expect(written).toBe(held)
  expect(held).toBeLessThan(32 * 1024 * 1024)
  await reader?.cancel()
})

test("an answer that is not wanted any more ends the request", async () => {
  const ended = Promise.withResolvers<void>()
  const provider = await labProvider({
    "/v1/chat/completions"(_, __, response) {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(completion("Slow")[0])
      void once(response, "close").then(() => ended.resolve())
    },
  })
  const { host, plugged, account } = await signedIn(provider)
  await using _ = host
  const of = await account()
  if (of === null) throw new Error("nobody is signed in")
  const stop = new AbortController()
  const sent = { method: "POST", body: "{}", signal: stop.signal }
  const answer = await plugged.send(of, `${provider.url}/v1/chat/completions`, sent)
  const text = answer.text()
  stop.abort(new Error("stopped by a person"))
  await expect(text).rejects.toThrow("stopped by a person")
  await ended.promise
})

/** Each bad fetch, and what a turn says of it. */
const bad: [what: string, fetches: string, said: string][] = [
  ["throws", 'throw new Error("no luck")', "could not call lab: no luck Sign in with the plugin"],
  [
    "answers with a redirect",
    'return Response.redirect(base + "/elsewhere", 302)',
    "a redirect, which is not followed",
  ],
  ["returns nothing", "return undefined", "could not call lab: "],
  ["hangs", "return new Promise(() => {})", "It did not answer within 1.5 seconds."],
  [
    "hangs in the middle",
    "return new Response(new ReadableStream({ start(c) { c.enqueue(new Uint8Array(9)) } }))",
    "1.5 seconds",
  ],
  ["loops", "for (;;);", "kept its process busy"],
  ["ends its process", 'process.kill(process.pid, "SIGKILL")', "ended (SIGKILL)"],
  [
    "never stops",
    "return new Response(new ReadableStream({ pull(c) { c.enqueue(new Uint8Array(1024 * 1024)) } }))",
    "The answer of the plugin is longer than 64 MiB.",
  ],
  [
    "sends what nobody asked for",
    'for (let n = 1; n < 50; n++) for (let i = 0; i < 9; i++) require("node:fs").writeSync(1, JSON.stringify({ piece: n, bytes: "" }) + "\\n"); return new Promise(() => {})',
    "sent more of an answer than it was asked for",
  ],
]

test.each(bad)("a plugin whose fetch %s is named", async (_what, fetches, said) => {
  const provider = await labProvider()
  const before = 'const require = (await import("node:module")).createRequire(import.meta.url)'
  const { host, request, list } = await signedIn(provider, { fetches, before })
  await using _ = host
  await expect(request()).rejects.toThrow(said)
  const [item] = await list()
  expect(item?.use).toMatchObject({ calls: 1, failures: 1 })
})
