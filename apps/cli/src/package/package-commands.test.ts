import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { createDocketClient, type DocketClient } from "@docket/client"
import { providerPackage } from "@docket/core/test/package-fixtures"
import { type PackageRegistry, startPackageRegistry } from "@docket/core/test/package-registry"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startService, type TestService } from "../test/start-service.ts"
import { describePackage, installPackage } from "./packages.ts"

const cli = fileURLToPath(new URL("../main.js", import.meta.url))
const echo = "@fixtures/echo"

let registry: PackageRegistry
let provider: Server
let directory: string
let service: TestService
let client: DocketClient

beforeAll(async () => {
  registry = await startPackageRegistry()
  await registry.publish(providerPackage("v3", { name: echo, version: "1.2.3", scripts: { postinstall: "exit 1" } }))
  provider = createServer((_, response) => response.end("Hello from the package."))
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve))
  const address = provider.address()
  if (typeof address !== "object" || address === null) throw new Error("no port")
  directory = await mkdtemp(path.join(tmpdir(), "docket-package-cli-"))
  const config = path.join(registry.env.HOME, ".config/docket")
  await mkdir(config, { recursive: true })
  const options = { baseURL: `http://127.0.0.1:${address.port}` }
  const far = { npm: echo, options, models: { m: {} } }
  await writeFile(path.join(config, "docket.json"), JSON.stringify({ model: "far/m", provider: { far } }))
  service = await startService(registry.env, { data: path.join(directory, "data"), project: directory })
  client = createDocketClient({ url: service.address, token: service.token })
})
afterAll(async () => {
  await service.stop()
  provider.closeAllConnections()
  await new Promise((resolve) => provider.close(resolve))
  await registry[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true, maxRetries: 3 })
})

async function docket(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const all = [cli, ...args, "--data", path.join(directory, "data")]
  const child = spawn(process.execPath, all, { env: registry.env, stdio: ["ignore", "pipe", "pipe"] })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
  return { code, stdout, stderr }
}
const packagesOnDisk = () => readdir(path.join(directory, "data", "packages")).catch(() => [])

it("a package's provider answers only after somebody agreed to install it", async () => {
  const run = () => docket("run", "hello", "--project", directory)
  expect((await run()).stderr).toContain(`docket package install ${echo}`)
  expect(await docket("package", "list")).toMatchObject({ stdout: "no packages\n" })

  const unasked = await docket("package", "install", echo)
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining("nobody can be asked here") })
  await expect(installPackage(client, echo, async () => false)).rejects.toThrow("nothing was installed")
  expect(await packagesOnDisk()).toEqual([])

  const installed = await docket("package", "install", echo, "--yes")
  expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining(`installed ${echo}@1.2.3`) })
  expect(installed.stderr).toContain("not one of the usual packages: check its name")
  expect(installed.stderr).toMatch(/comes from {6}http:\/\/127\.0\.0\.1:\d+\/@fixtures\/echo/)
  expect(installed.stderr).toContain("it has scripts for its installation; they are not run")
  expect(installed.stderr).toContain("runs with Docket's rights")
  expect((await run()).stdout).toBe("Hello from the package.\n")
  expect((await docket("package", "install", echo)).stdout).toBe(`${echo}@1.2.3 is installed already\n`)
  expect((await docket("package", "list")).stdout).toMatch(/@fixtures\/echo +1\.2\.3 +\d{4}-\d\d-\d\d +http:/)

  expect((await docket("package", "remove", `${echo}@1.2.3`)).stdout).toBe(`removed ${echo}@1.2.3\n`)
  expect(await packagesOnDisk()).toEqual([])
  expect(await docket("package", "remove", echo)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is not installed"),
  })
})

it("a package's own description cannot move the cursor", () => {
  const facts = {
    name: "p",
    version: "1.0.0",
    integrity: "sha512-x",
    source: "http://127.0.0.1/p.tgz",
    description: "\u001b[2Kgood\rbad",
    license: null,
    repository: null,
    deprecated: null,
    dependencies: [],
    hasInstallScripts: false,
    usual: "Groq",
    installed: false,
  }
  const lines = describePackage(facts)
  expect(lines.join("\n")).not.toMatch(/[^\n\P{Cc}]/u)
  expect(lines[0]).toBe("p@1.0.0, the package of Groq")
})
