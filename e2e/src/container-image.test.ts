import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { DockerfileParser } from "dockerfile-ast"
import { expect, inject, onTestFinished, test, vi } from "vitest"
import { makeDebianRoot, processesIn, whyNoDebianRoot } from "./fixtures/debian-root.ts"
import { freePort } from "./fixtures/docket-server.ts"

const run = promisify(execFile)
const repository = path.join(import.meta.dirname, "../..")
const setUp = `import("./scripts/setup/prepare.mjs").then((set) => set.prepare({ web: true, quiet: true }))`

/** What the Dockerfile does after the image that it begins with. */
async function readImage() {
  const dockerfile = DockerfileParser.parse(await readFile(path.join(repository, "deploy/Dockerfile"), "utf8"))
  const argumentsOf = (keyword: string) =>
    dockerfile
      .getInstructions()
      .filter((one) => one.getKeyword() === keyword)
      .map((one) => one.getArgumentsContent() ?? "")
  return {
    steps: argumentsOf("RUN"),
    env: argumentsOf("ENV").flatMap((text) => text.split(" ")),
    user: argumentsOf("USER").at(-1) ?? "",
    entry: [...argumentsOf("ENTRYPOINT"), ...argumentsOf("CMD")].flatMap((text): string[] => JSON.parse(text)),
  }
}

/** Makes a release. Resolves with the path of its tarball. */
async function release(): Promise<string> {
  await run(process.execPath, ["-e", setUp], { cwd: repository })
  const out = await mkdtemp(path.join(tmpdir(), "docket-released-"))
  onTestFinished(() => rm(out, { recursive: true, force: true }))
  await run(process.execPath, [path.join(repository, "packages/release/src/release.ts"), "--out", out])
  const [tarball = ""] = (await readdir(out)).filter((name) => name.endsWith(".tgz"))
  return path.join(out, tarball)
}

/** Docker itself needs rights that few test machines give: its steps run in a Debian system of their own. */
test.runIf(inject("full"))("the steps of the image give a service with pages", async ({ skip }) => {
  const why = await whyNoDebianRoot()
  if (why !== null) skip(why)
  const [image, tarball, debian] = await Promise.all([readImage(), release(), makeDebianRoot()])
  onTestFinished(debian.remove)
  await cp(tarball, path.join(debian.directory, "tmp/docket.tgz"))
  for (const step of image.steps) {
    const [program = "", ...args] = debian.inside(["sh", "-c", step])
    await run(program, args, { env: debian.env, maxBuffer: 16 * 1024 * 1024 })
  }
  expect((await readdir(path.join(debian.directory, "usr/local/lib/node_modules"))).sort()).toEqual(["docket", "npm"])

  const port = await freePort()
  // Without a team the service listens on this machine alone.
  const entry = image.entry.map((word) => ({ "0.0.0.0": "127.0.0.1", "4180": String(port) })[word] ?? word)
  const [program = "", ...args] = debian.inside(["env", ...image.env, ...entry], `${image.user}:${image.user}`)
  const service = spawn(program, args, { env: debian.env, stdio: "ignore" })
  try {
    const page = () => fetch(`http://127.0.0.1:${port}/login`).then((answer) => answer.status)
    await vi.waitFor(async () => expect(await page()).toBe(200), { timeout: 120_000, interval: 200 })
  } finally {
    // As Docker stops a container: the first process is told.
    const children = await readFile(`/proc/${service.pid}/task/${service.pid}/children`, "utf8")
    process.kill(Number(children), "SIGTERM")
    await once(service, "exit")
  }
  expect(await processesIn(debian.directory)).toEqual([])
})
