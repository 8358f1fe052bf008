import { cp, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { inputsOf } from "../../engine/prompt/model-request.ts"
import { rehearsalLoader } from "../../engine/rehearsal/load-rehearsal.ts"
import { takesURL } from "../../ground/message/model-inputs.ts"
import type { Part } from "../../ground/schema/index.ts"
import { providerPackage } from "../../test/package-fixtures.ts"
import { type PackageRegistry, startPackageRegistry } from "../../test/package-registry.ts"
import { scriptedRuntime } from "../../test/scripted-runtime.ts"
import type { Config } from "../config/schema.ts"
import { createProviders } from "./create-providers.ts"

let registry: PackageRegistry
/** A data directory with every package installed. */
let installed: string
let server: Server
let baseURL: string
const asked: { authorization: string | undefined; team: unknown; body: Asked }[] = []
interface Asked {
  options: Record<string, unknown>
  modelId: string
  prompt: { role: string; content: unknown }[]
  temperature?: number
}

beforeAll(async () => {
  registry = await startPackageRegistry()
  await registry.publish(providerPackage("v2", { name: "@fixtures/echo-two", version: "2.0.0" }))
  await registry.publish(providerPackage("v3", { name: "@fixtures/echo-three", version: "3.0.0" }))
  await registry.publish({
    manifest: { name: "no-provider", version: "1.0.0", main: "index.js" },
    files: { "index.js": "exports.answer = 42" },
  })
  installed = await mkdtemp(join(tmpdir(), "docket-installed-"))
  const { packages } = open(installed)
  for (const name of ["@fixtures/echo-two", "@fixtures/echo-three", "no-provider"]) {
    await packages.install(await packages.lookUp(name))
  }
  server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as Asked
    const { authorization, "x-team": team } = request.headers
    if (!JSON.stringify(body).includes("You name coding sessions")) asked.push({ authorization, team, body })
    response.end("<think>Echo.</think>Hello from afar.")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("no port")
  baseURL = `http://127.0.0.1:${address.port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await registry[Symbol.asyncDispose]()
  await rm(installed, { recursive: true, force: true })
})

let directory: string
beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "docket-packaged-")))
  asked.length = 0
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const open = (dataDirectory = join(directory, ".data")) =>
  createProviders({ dataDirectory, env: registry.env, localServers: [], loadRehearsal: rehearsalLoader() })
/** Opens a host with these packages installed. */
const openWith = async (...names: string[]) => {
  for (const name of names) {
    await cp(join(installed, "packages", name), join(directory, ".data", "packages", name), { recursive: true })
  }
  return open()
}
const far = (npm: string, more: Record<string, unknown> = {}): Config => ({
  model: "far/m",
  provider: {
    far: {
      npm,
      reasoning_tag: true,
      options: { baseURL, apiKey: "k1", headers: { "x-team": "t" }, region: "north", ...more },
      models: { m: { id: "served-m", limit: { context: 50_000, output: 1_000 } } },
    },
  },
})
const ref = { providerID: "far", modelID: "m" }

function said(part: Part): string[] {
  return part.type === "text" || part.type === "reasoning" ? [`${part.type}: ${part.text}`] : []
}

describe("a provider by a package that is installed", () => {
  it.each(["@fixtures/echo-two", "@fixtures/echo-three@3.0.0"])("answers a turn with %s", async (npm) => {
    const providers = await openWith("@fixtures+echo-two@2.0.0", "@fixtures+echo-three@3.0.0")
    await using host = await scriptedRuntime(() => [], { directory, providers, config: far(npm) })
    expect((await host.prompt("Are you there?")).status).toBe("completed")
    const { items } = await host.messages()
    const answer = items.find(({ info }) => info.role === "assistant")
    expect(answer?.parts.flatMap(said)).toEqual(["reasoning: Echo.", "text: Hello from afar."])
    expect(answer?.info).toMatchObject({ finish: "stop", tokens: { output: 3, cache: { read: 2 } } })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ authorization: "Bearer k1", team: "t", body: { modelId: "served-m" } })
    expect(asked[0]?.body.options).toMatchObject({ name: "far", region: "north", baseURL })
  })

  it("fetches the addresses that its model says, and no others", async () => {
    const providers = await openWith("@fixtures+echo-two@2.0.0")
    const inputs = await inputsOf(await providers.resolve(ref, far("@fixtures/echo-two")))
    expect(takesURL(inputs, "image/png", "https://images.example/a.png")).toBe(true)
    expect(takesURL(inputs, "image/png", "https://other.example/a.png")).toBe(false)
  })

  it("whose package exports no provider fails the prompt with that reason", async () => {
    const providers = await openWith("no-provider@1.0.0")
    await using host = await scriptedRuntime(() => [], { directory, providers, config: far("no-provider") })
    const turn = await host.prompt("Are you there?")
    const message = expect.stringContaining("The package no-provider@1.0.0 exports no provider")
    expect(turn).toMatchObject({ status: "failed", error: { name: "UnknownModelError", message } })
  })

  it("gets no key that was saved for another package", async () => {
    const providers = await openWith("@fixtures+echo-two@2.0.0", "@fixtures+echo-three@3.0.0")
    const keyless = (npm: string): Config => ({
      provider: { far: { npm, options: { baseURL }, models: { m: {} } } },
    })
    await providers.saveKey("far", "k2", keyless("@fixtures/echo-three@3.0.0"))
    const stateWith = async (npm: string) => (await providers.list(keyless(npm))).find(({ id }) => id === "far")
    expect(await stateWith("@fixtures/echo-three")).toMatchObject({ connected: true, source: "saved" })
    expect(await stateWith("@fixtures/echo-two")).toMatchObject({
      connected: false,
      problem: "The key was saved for another package; save it again in Settings.",
    })
  })
})

describe("a provider by a package that is not installed", () => {
  it("is reported with advice, without any request to the registry", async () => {
    registry.asked.length = 0
    const config = far("@fixtures/echo-three")
    const providers = open()
    await using host = await scriptedRuntime(() => [], { directory, providers, config })
    const listed = (await host.runtime.provider.list()).find(({ id }) => id === "far")
    const problem =
      "The package @fixtures/echo-three is not installed. Look at it and install it in Settings, or with: docket package install @fixtures/echo-three"
    expect(listed).toMatchObject({ connected: false, problem, missingPackage: "@fixtures/echo-three" })
    await expect(providers.resolve(ref, config)).rejects.toMatchObject({ code: "package_missing", message: problem })
    expect(registry.asked).toEqual([])
  })

  it.each(["../x", "file:../x", "git+https://code.example/x.git", "npm:x@1.0.0"])(
    "does nothing when it is called %s",
    async (npm) => {
      const listed = (await open().list(far(npm))).find(({ id }) => id === "far")
      expect(listed).toMatchObject({ connected: false, missingPackage: null })
      expect(listed?.problem).toContain("is not a package that Docket installs")
      await expect(open().resolve(ref, far(npm))).rejects.toMatchObject({ code: "no_model_available" })
    },
  )

  it("and comes from an untrusted project does not exist", async () => {
    const providers = await openWith("@fixtures+echo-three@3.0.0")
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, "docket.json"), JSON.stringify(far("@fixtures/echo-two")))
    registry.asked.length = 0
    await using host = await scriptedRuntime(() => [], { directory, providers })
    const project = (await host.runtime.project.list())[0]
    const report = await host.runtime.config.get(project?.id)
    expect(report.trust.state).toBe("untrusted")
    expect(report.trust.entries.find(({ path }) => path.at(-1) === "npm")?.note).toContain("runs with Docket's rights")
    const listed = await host.runtime.provider.list(project?.id)
    expect(listed.map(({ id }) => id)).not.toContain("far")
    expect(await readdir(join(directory, ".data", "packages"))).toEqual(["@fixtures+echo-three@3.0.0"])

    await host.runtime.config.trust({ projectID: project?.id ?? "", hash: report.trust.hash ?? "" })
    const trusted = (await host.runtime.provider.list(project?.id)).find(({ id }) => id === "far")
    expect(trusted).toMatchObject({ connected: false, missingPackage: "@fixtures/echo-two" })
    expect(registry.asked).toEqual([])
    expect(asked).toEqual([])
  })
})
