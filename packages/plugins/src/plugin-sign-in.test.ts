import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { lab, labPlugin, labProvider, ownPlugin } from "./test/lab.ts"

test("a turn is answered through the plugin that signed in", async () => {
  const provider = await labProvider()
  const { host, begin, finish, ask, state } = await lab(provider.url, {
    files: { [ownPlugin]: labPlugin(provider.url) },
  })
  await using _ = host
  expect(await begin()).toMatchObject({
    address: `${provider.url}/authorize`,
    givesCode: true,
    note: "Paste the code.",
  })
  expect(await state()).toMatchObject({ provider: "lab", state: "pending" })
  await finish(" the-code ")
  expect(await state()).toMatchObject({ state: "in", failure: null })
  expect(await ask()).toBe("Hello from the lab.")
  expect(provider.granted).toEqual([{ code: "the-code" }])
  expect(provider.asked[0]?.authorization).toBe("Bearer access-token-1")
})

test("a sign-in without a code ends by itself", async () => {
  const provider = await labProvider()
  const begins =
    '{ url: base + "/device", instructions: "Enter AB-12", method: "auto", callback: () => token("device") }'
  const { host, begin, ask, until } = await lab(provider.url, {
    files: { [ownPlugin]: labPlugin(provider.url, { begins }) },
  })
  await using _ = host
  expect(await begin()).toMatchObject({ note: "Enter AB-12", givesCode: false, isRedirected: false })
  await until("in")
  expect(await ask()).toBe("Hello from the lab.")
})

test("a way that only takes a key keeps it", async () => {
  const provider = await labProvider()
  const { host, begin, ask, state } = await lab(provider.url, { files: { [ownPlugin]: labPlugin(provider.url) } })
  await using _ = host
  await begin(1, { key: "lab-key" })
  expect((await state())?.state).toBe("in")
  expect(await ask()).toBe("Hello from the lab.")
  expect(provider.asked[0]?.authorization).toBe("Bearer lab-key")
})

const prompts = `[{
  type: "oauth",
  label: "Anywhere",
  prompts: [
    { type: "select", key: "where", message: "Where is it?", options: [{ label: "Here", value: "here" }, { label: "There", value: "there" }] },
    { type: "text", key: "address", message: "Its address", when: { key: "where", op: "eq", value: "there" } },
  ],
  authorize: async (inputs) => ({ url: base + "/" + JSON.stringify(inputs), method: "code", callback: token }),
}]`

test("what a way asks for reaches the plugin where it applies", async () => {
  const provider = await labProvider()
  const files = { [ownPlugin]: labPlugin(provider.url, { methods: prompts }) }
  const { host, begin, state } = await lab(provider.url, { files })
  await using _ = host
  const asked = async (inputs: Record<string, string>) =>
    decodeURIComponent((await begin(0, inputs))?.address.split("/").at(-1) ?? "")
  expect(await asked({ where: "here", address: "x", other: "y" })).toBe('{"where":"here"}')
  expect(await asked({ where: "there", address: "lab.example" })).toBe('{"where":"there","address":"lab.example"}')
  expect((await state())?.ways[0]?.prompts[1]?.when).toEqual({ key: "where", op: "eq", value: "there" })
  await expect(begin(0, { where: "nowhere" })).rejects.toThrow('"nowhere" is not one of here, there.')
  await expect(begin(0)).rejects.toThrow("Say what it asks for: Where is it?")
  await expect(begin(3)).rejects.toThrow("The plugin has 1 ways to sign in")
})

test("an old sign-in is renewed once for requests at the same time", async () => {
  const provider = await labProvider()
  const { host, begin, finish, request } = await lab(provider.url, {
    files: { [ownPlugin]: labPlugin(provider.url, { lasts: -1 }) },
  })
  await using _ = host
  await begin()
  await finish("the-code")
  expect(await Promise.all([request(), request(), request()])).toEqual([200, 200, 200])
  expect(provider.granted).toEqual([{ code: "the-code" }, { refresh: "refresh-token-1" }])
  expect(new Set(provider.asked.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer access-token-2"]))
})

test("a renewal that is refused says how to sign in again", async () => {
  const provider = await labProvider()
  const { host, begin, finish, ask } = await lab(provider.url, {
    files: { [ownPlugin]: labPlugin(provider.url, { lasts: -1 }) },
  })
  await using _ = host
  await begin()
  await finish("the-code")
  provider.refuseTokens()
  const said = await ask()
  expect(said).toContain("could not call lab: Token refresh failed: 400")
  expect(said).toContain(`docket plugin login ${ownPlugin}`)
})

test("a sign-in that the provider refuses says how to sign in again", async () => {
  const provider = await labProvider({ "/v1/chat/completions": (_, __, response) => response.writeHead(401).end("{}") })
  const { host, begin, finish, ask } = await lab(provider.url, {
    files: { [ownPlugin]: labPlugin(provider.url) },
  })
  await using _ = host
  await begin()
  await finish("the-code")
  expect(await ask()).toContain(`lab refused the sign-in of the plugin ${ownPlugin}. Sign in with the plugin`)
})

test("another sign-in takes the place of the last one", async () => {
  const provider = await labProvider()
  const { host, begin, finish, ask } = await lab(provider.url, {
    files: { [ownPlugin]: labPlugin(provider.url) },
  })
  await using _ = host
  for (const n of [1, 2]) {
    await begin()
    await finish(`code-${n}`)
    expect(await ask()).toBe("Hello from the lab.")
    expect(provider.asked.at(-1)?.authorization).toBe(`Bearer access-token-${n}`)
  }
})

test("nobody is signed in after signing out, and held models neither", async () => {
  const provider = await labProvider()
  const { host, begin, finish, signOut, ask, state, request, account, directory } = await lab(provider.url, {
    files: { [ownPlugin]: labPlugin(provider.url) },
    config: { provider: { lab: { options: { baseURL: `${provider.url}/v1` }, models: { one: {} } } } },
  })
  await using _ = host
  await begin()
  await finish("the-code")
  expect(await ask()).toBe("Hello from the lab.")
  const before = await account()
  const secrets = () => readdirSync(join(directory, ".data/secrets")).filter((name) => name.endsWith(".secret")).length
  const kept = secrets()
  await signOut()
  expect(secrets()).toBe(kept - 1)
  expect((await state())?.state).toBe("out")
  await expect(request(before)).rejects.toThrow("You are signed out of lab.")
  expect(await account()).toBeNull()
})

test("a plugin that is uninstalled leaves no sign-in", async () => {
  const provider = await labProvider()
  const files = { "tools/lab.js": labPlugin(provider.url) }
  // The path is from the docket.json that names it.
  const { host, projectID, begin, list, directory } = await lab(provider.url, {
    ...{ files, config: { plugin: ["../../../tools/lab.js"] } },
  })
  await using _ = host
  const name = (await list())[0]?.ref.name ?? ""
  const secrets = () => readdirSync(join(directory, ".data/secrets")).filter((one) => one.endsWith(".secret")).length
  await begin(1, { key: "lab-key" }, name)
  const kept = secrets()
  await host.runtime.extension.uninstall(projectID, { kind: "plugin", name })
  expect([secrets(), await list()]).toEqual([kept - 1, []])
})

test("a provider counts as connected while somebody is signed in", async () => {
  const provider = await labProvider()
  const config = { provider: { lab: { npm: "@ai-sdk/openai", models: { one: {} } } }, model: "lab/one" }
  const files = { [ownPlugin]: labPlugin(provider.url, { options: 'baseURL: base + "/v1",' }) }
  const { host, begin, finish, signOut, provided } = await lab(provider.url, { files, config })
  await using _ = host
  expect(await provided()).toMatchObject({ connected: false, problem: expect.stringContaining("docket plugin login") })
  await begin()
  await finish("the-code")
  expect(await provided()).toMatchObject({ connected: true, source: "plugin", problem: null })
  await signOut()
  expect(await provided()).toMatchObject({ connected: false })
})

test("models that a plugin makes free of charge cost nothing", async () => {
  const provider = await labProvider()
  const { host, begin, finish, providers, ownConfig } = await lab(provider.url, {
    files: { [ownPlugin]: labPlugin(provider.url) },
  })
  await using _ = host
  const cost = async () => (await providers.resolve({ providerID: "lab", modelID: "one" }, await ownConfig())).info.cost
  expect(await cost()).toMatchObject({ input: 3, output: 5 })
  await begin()
  await finish("the-code")
  expect(await cost()).toMatchObject({ input: 0, output: 0 })
})

test("no token stands in logs, lists, the transcript or files", async () => {
  const provider = await labProvider()
  const fetches =
    'console.log("I have", auth.access, auth.refresh); throw new Error("no luck with " + auth.access + " of " + auth.refresh)'
  const { host, begin, finish, ask, list, directory } = await lab(provider.url, {
    files: { [ownPlugin]: labPlugin(provider.url, { fetches }) },
  })
  await using _ = host
  await begin()
  await finish("the-code")
  expect(await ask()).toContain("no luck with [key] of [key]")
  const [item] = await list()
  expect(item?.log.join("\n")).toContain("I have [key] [key]")
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const texts = [JSON.stringify(item), JSON.stringify(await host.messages()), ...files.map((file) => read(file))]
  for (const text of texts) expect(text).not.toMatch(/access-token-1|refresh-token-1/)
})

function read(file: { parentPath: string; name: string }): string {
  return readFileSync(join(file.parentPath, file.name), "latin1")
}

test("a process that ended is started again for the next request", async () => {
  const provider = await labProvider()
  const fetches = `if (!globalThis.process.env.GONE && ${JSON.stringify(provider.url)}) {
    const { existsSync, writeFileSync } = await import("node:fs")
    if (!existsSync("gone")) { writeFileSync("gone", ""); process.kill(process.pid, "SIGKILL") }
  }
  return fetch(input, { ...init, headers: { authorization: "Bearer " + auth.access } })`
  const { host, begin, finish, request } = await lab(provider.url, {
    files: { [ownPlugin]: labPlugin(provider.url, { fetches }) },
  })
  await using _ = host
  await begin()
  await finish("the-code")
  await expect(request()).rejects.toThrow("is unavailable. The process of the plugins ended (SIGKILL).")
  expect(await request()).toBe(200)
})
