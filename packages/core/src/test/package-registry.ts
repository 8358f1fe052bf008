import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import type { ExactPackage } from "../ground/schema/index.ts"

const run = promisify(execFile)

/** A package to publish: its package.json, and other files by path. */
export interface FixturePackage {
  manifest: { name: string; version: string; [key: string]: unknown }
  files: Record<string, string>
}

/** A local npm registry, and an environment in which npm uses only this registry. */
export interface PackageRegistry extends AsyncDisposable {
  env: { PATH: string | undefined; HOME: string }
  /** Paths that npm requested. */
  asked: string[]
  /** Publishes a package. Returns what npm would know about it. */
  publish(fixture: FixturePackage): Promise<ExactPackage>
  /** From now on, the package's archive differs from the announced one. */
  tamper(name: string): void
}

interface Published {
  manifest: FixturePackage["manifest"]
  archive: Buffer
  integrity: string
}

export async function startPackageRegistry(): Promise<PackageRegistry> {
  const directory = await mkdtemp(join(tmpdir(), "docket-registry-"))
  const packages = new Map<string, Published[]>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "")
    asked.push(path)
    const [, name = "", , file] = /^\/((?:@[^/]+\/)?[^/]+)(\/-\/(.+))?$/.exec(path) ?? []
    const versions = packages.get(name)
    const archive = versions?.find(({ manifest }) => file === `${manifest.version}.tgz`)?.archive
    if (archive) return void response.end(archive)
    response.setHeader("content-type", "application/json")
    if (versions === undefined || file !== undefined) {
      response.writeHead(404)
      return void response.end(JSON.stringify({ error: "Not found" }))
    }
    response.end(JSON.stringify(packument(name, versions, `http://${request.headers.host}`)))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("no port")
  const settings = {
    registry: `http://127.0.0.1:${address.port}/`,
    cache: join(directory, "cache"),
    "fetch-retries": 0,
    // Some users have this set; then a lock file contains no addresses.
    "omit-lockfile-registry-resolved": true,
  }
  const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`)
  await writeFile(join(directory, ".npmrc"), lines.join(""))
  const env = { PATH: process.env.PATH, HOME: directory }
  return {
    env,
    asked,
    async publish({ manifest, files }) {
      const source = await mkdtemp(join(directory, "source-"))
      for (const [path, content] of Object.entries({ ...files, "package.json": JSON.stringify(manifest) })) {
        await mkdir(dirname(join(source, "package", path)), { recursive: true })
        await writeFile(join(source, "package", path), content)
      }
      await run("tar", ["-czf", "archive.tgz", "package"], { cwd: source })
      const archive = await readFile(join(source, "archive.tgz"))
      const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`
      const { name, version } = manifest
      packages.set(name, [...(packages.get(name) ?? []), { manifest, archive, integrity }])
      return { name, version, integrity }
    },
    tamper(name) {
      for (const published of packages.get(name) ?? []) {
        published.archive = Buffer.concat([published.archive, Buffer.from("x")])
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function packument(name: string, versions: Published[], origin: string): object {
  const described = versions.map(({ manifest, integrity }) => {
    const tarball = `${origin}/${name}/-/${manifest.version}.tgz`
    return [manifest.version, { ...manifest, dist: { tarball, integrity } }]
  })
  const latest = versions.at(-1)?.manifest.version
  return { name, "dist-tags": { latest }, versions: Object.fromEntries(described) }
}
