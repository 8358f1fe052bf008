import { access, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { providerPackage } from "../../../test/package-fixtures.ts"
import { type PackageRegistry, startPackageRegistry } from "../../../test/package-registry.ts"
import { createProviderPackages, type ProviderPackages, type ProviderPackagesDeps } from "./provider-packages.ts"

let registry: PackageRegistry
let dataDirectory: string
let packages: ProviderPackages
beforeAll(async () => {
  registry = await startPackageRegistry()
})
afterAll(() => registry[Symbol.asyncDispose]())
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "docket-packages-"))
  packages = open()
})
afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

const open = (env: ProviderPackagesDeps["env"] = registry.env) =>
  createProviderPackages({ dataDirectory, env, clock: () => 5 })
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
const agree = async (spec: string) => {
  const { name, version, integrity } = await packages.lookUp(spec)
  return { name, version, integrity }
}

describe("a provider package", () => {
  it("shows version, source and permissions before download, then installs exactly that", async () => {
    await registry.publish({ manifest: { name: "dependency-a", version: "1.4.0" }, files: { "index.js": "" } })
    await registry.publish(
      providerPackage("v3", {
        name: "@fixtures/told",
        version: "1.0.0",
        description: "Echoes.",
        license: "MIT",
        repository: { type: "git", url: "https://code.example/told" },
        dependencies: { "dependency-a": "^1.0.0" },
        scripts: { postinstall: "node harm.js" },
      }),
    )
    const facts = await packages.lookUp("@fixtures/told")
    expect(facts).toMatchObject({
      name: "@fixtures/told",
      version: "1.0.0",
      source: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/@fixtures\/told\/-\/1\.0\.0\.tgz$/),
      description: "Echoes.",
      license: "MIT",
      repository: "https://code.example/told",
      dependencies: ["dependency-a"],
      hasInstallScripts: true,
      usual: null,
      installed: false,
    })
    expect(registry.asked.filter((path) => path.endsWith(".tgz"))).toEqual([])
    expect(await packages.list()).toEqual([])

    const installed = await packages.install(facts)
    expect(installed).toMatchObject({ name: "@fixtures/told", version: "1.0.0", time: { installed: 5 } })
    expect(await open().list()).toEqual([installed])
    expect((await packages.lookUp("@fixtures/told@1.0.0")).installed).toBe(true)
    const place = join(dataDirectory, "packages", "@fixtures+told@1.0.0")
    const lock = JSON.parse(await readFile(join(place, "package-lock.json"), "utf8"))
    expect(lock.packages["node_modules/@fixtures/told"]).toMatchObject({ version: "1.0.0", integrity: facts.integrity })
    expect(lock.packages["node_modules/dependency-a"]).toMatchObject({ version: "1.4.0" })
    expect(Object.keys(await packages.load(installed))).toContain("createEcho")
  })

  it("runs none of its scripts, nor those of what it brings along", async () => {
    const proof = join(dataDirectory, "ran")
    const scripts = {
      preinstall: `touch ${proof}`,
      install: `touch ${proof}`,
      postinstall: `touch ${proof}`,
      prepare: `touch ${proof}`,
    }
    await registry.publish({ manifest: { name: "dependency-b", version: "1.0.0", scripts }, files: { "index.js": "" } })
    const dependencies = { "dependency-b": "1.0.0" }
    const fixture = providerPackage("v3", { name: "scripted", version: "1.0.0", scripts, dependencies })
    await packages.install(await registry.publish(fixture))
    expect(await exists(proof)).toBe(false)
  })

  it("is not installed when the registry's version or content differs", async () => {
    const agreed = await registry.publish(providerPackage("v3", { name: "swapped", version: "1.0.0" }))
    const other = { ...agreed, integrity: `sha512-${Buffer.alloc(64).toString("base64")}` }
    await expect(packages.install(other)).rejects.toMatchObject({ code: "package_changed" })
    registry.tamper("swapped")
    await expect(packages.install(agreed)).rejects.toMatchObject({
      code: "package_unavailable",
      message: expect.stringContaining("not what the registry announced"),
    })
    expect(await packages.list()).toEqual([])
    await expect(packages.find({ name: "swapped", version: null })).resolves.toBeNull()
  })

  it.each([
    ["a repository", "git+https://127.0.0.1:9/x.git"],
    ["a directory", "file:../../.."],
    ["an address", "http://127.0.0.1:9/x.tgz"],
    ["a repository in short", "someone/x"],
  ])("that brings along %s is refused", async (_, spec) => {
    const name = `brings-${spec.replace(/\W+/g, "-").replace(/-$/, "")}`
    const fixture = providerPackage("v3", { name, version: "1.0.0", dependencies: { x: spec } })
    await expect(packages.install(await registry.publish(fixture))).rejects.toThrow(
      /nothing was installed|was not installed/,
    )
    expect(await packages.list()).toEqual([])
  })

  it.each([
    "../x",
    "./x",
    "/etc/x",
    "~/x",
    "file:../x",
    "git+https://code.example/x.git",
    "https://code.example/x.tgz",
    "github:someone/x",
    "someone/x",
    "npm:other@1.0.0",
    "x@npm:other@1.0.0",
    "x@latest",
    "x@^1.0.0",
    "x@file:../y",
    "--registry=https://code.example",
    "@scope/../../x",
    "x y",
    "X",
    "fs",
    "",
  ])("is refused when it is named %j", async (spec) => {
    registry.asked.length = 0
    await expect(packages.lookUp(spec)).rejects.toMatchObject({ code: "invalid_input" })
    expect(registry.asked).toEqual([])
  })

  it("is not installed elsewhere by a path in name or version", async () => {
    const integrity = "sha512-x"
    for (const agreed of [
      { name: "../x", version: "1.0.0", integrity },
      { name: "x", version: "1.0.0/../../..", integrity },
    ]) {
      await expect(packages.install(agreed)).rejects.toMatchObject({ code: "invalid_input" })
      await expect(packages.remove(agreed.name, agreed.version)).rejects.toMatchObject({ code: "invalid_input" })
    }
  })

  it("that is missing, or a silent registry, is reported with advice", async () => {
    await expect(packages.lookUp("no-such-package")).rejects.toMatchObject({ code: "package_not_found" })
    await registry.publish(providerPackage("v3", { name: "known", version: "1.0.0" }))
    await expect(packages.lookUp("known@9.9.9")).rejects.toMatchObject({ code: "package_not_found" })
    const offline = open({ ...registry.env, npm_config_registry: "http://127.0.0.1:9/" })
    await expect(offline.lookUp("known")).rejects.toMatchObject({
      code: "package_unavailable",
      message: expect.stringMatching(/cannot be reached \(ECONNREFUSED\)\. Check the network/),
    })
    const bare = open({ ...registry.env, PATH: dataDirectory })
    await expect(bare.lookUp("known")).rejects.toThrow("npm was not found. Install it")
  })

  it("comes from the user's registry, whatever a surrounding project configures", async () => {
    await registry.publish(providerPackage("v3", { name: "around", version: "1.0.0" }))
    await writeFile(join(dataDirectory, "package.json"), "{}")
    await writeFile(join(dataDirectory, ".npmrc"), "registry=http://127.0.0.1:9/\n")
    expect(await packages.install(await agree("around"))).toMatchObject({ name: "around" })
  })

  it.each([
    ["npm_config_location", "global"],
    ["npm_config_save", "false"],
    ["npm_config_package_lock_only", "true"],
    ["npm_config_lockfile_version", "1"],
    ["npm_config_ignore_scripts", "false"],
  ])("is installed normally when the user's npm is configured with %s=%s", async (variable, value) => {
    const name = variable.replaceAll("_", "-")
    const scripts = { postinstall: "exit 1" }
    await registry.publish(providerPackage("v3", { name, version: "1.0.0", scripts }))
    packages = open({ ...registry.env, [variable]: value })
    expect(await packages.install(await agree(name))).toMatchObject({ name })
  })

  it("is refused when its own lock list names another source", async () => {
    await using elsewhere = await startPackageRegistry()
    await elsewhere.publish({ manifest: { name: "strange", version: "1.0.0" }, files: { "index.js": "" } })
    const { integrity, source } = await open(elsewhere.env).lookUp("strange")
    await registry.publish({ manifest: { name: "strange", version: "1.0.0" }, files: { "index.js": "other" } })
    const entry = { version: "1.0.0", resolved: source, integrity }
    const dependencies = { strange: "1.0.0" }
    const manifest = { name: "listed", version: "1.0.0", dependencies }
    const list = { lockfileVersion: 3, packages: { "": manifest, "node_modules/strange": entry } }
    const { files, ...made } = providerPackage("v3", { ...manifest, _hasShrinkwrap: true })
    const fixture = { ...made, files: { ...files, "npm-shrinkwrap.json": JSON.stringify(list) } }
    const agreed = await registry.publish(fixture)
    elsewhere.asked.length = 0
    await expect(packages.install(agreed)).rejects.toThrow(/nothing was installed|was not installed/)
    expect(elsewhere.asked).toEqual([])
    expect(await packages.list()).toEqual([])
  })

  it("is installed once when two ask at once, also in two services", async () => {
    const agreed = await registry.publish(providerPackage("v3", { name: "twice", version: "1.0.0" }))
    registry.asked.length = 0
    const [one, two] = await Promise.all([packages.install(agreed), packages.install(agreed)])
    expect(one).toEqual(two)
    expect(registry.asked.filter((path) => path === "/twice")).toHaveLength(1)
    await packages.remove("twice", "1.0.0")
    const both = await Promise.all([packages.install(agreed), open().install(agreed)])
    expect(both[0]).toEqual(both[1])
    expect(await open().list()).toHaveLength(1)
    expect(Object.keys(await packages.load(both[0]))).toContain("createEcho")
  })

  it("whose code throws is reported by name, without the keys it names", async () => {
    const broken = { manifest: { name: "broken", version: "1.0.0", type: "module", main: "index.js" } }
    const files = { "index.js": "throw new Error('bad sk-secret-123456789')" }
    const installed = await packages.install(await registry.publish({ ...broken, files }))
    await expect(packages.load(installed)).rejects.toThrow(/^The package broken@1\.0\.0 cannot be loaded: bad \[key\] /)
  })

  it("stays at the agreed versions; the newest agreement is the default", async () => {
    const grows = (version: string) => registry.publish(providerPackage("v3", { name: "grows", version }))
    await packages.install(await grows("1.0.0"))
    const newer = await grows("2.0.0")
    expect(await packages.find({ name: "grows", version: null })).toMatchObject({ version: "1.0.0" })
    const later = createProviderPackages({ dataDirectory, env: registry.env, clock: () => 6 })
    await later.install(newer)
    expect(await later.find({ name: "grows", version: null })).toMatchObject({ version: "2.0.0" })
    expect(await later.find({ name: "grows", version: "1.0.0" })).toMatchObject({ version: "1.0.0" })
    await later.remove("grows", "2.0.0")
    expect(await later.find({ name: "grows", version: null })).toMatchObject({ version: "1.0.0" })
  })

  it("that was not wholly put in place does not count", async () => {
    const installed = await packages.install(
      await registry.publish(providerPackage("v3", { name: "half", version: "1.0.0" })),
    )
    await writeFile(join(dataDirectory, "packages", "half@1.0.0", "agreed.json"), "{")
    expect(await open().list()).toEqual([])
    expect(await packages.install(installed)).toMatchObject({ name: "half" })
    expect(await open().list()).toHaveLength(1)
  })
  it("clears away what a killed service left, not what another works on", async () => {
    const place = (name: string) => join(dataDirectory, "packages", name)
    for (const name of [".new-old", ".new-young"]) await mkdir(join(place(name), "node_modules"), { recursive: true })
    await utimes(place(".new-old"), 0, 0)
    await utimes(place(".new-young"), 7_000, 7_000)
    const later = createProviderPackages({ dataDirectory, env: registry.env, clock: () => 7_200_000 })
    await later.install(await registry.publish(providerPackage("v3", { name: "next", version: "1.0.0" })))
    expect(await readdir(join(dataDirectory, "packages"))).toEqual([".new-young", "next@1.0.0"])
  })
})
