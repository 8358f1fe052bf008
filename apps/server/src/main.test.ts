import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, rename, rm, stat } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, expect, it } from "vitest"
import { z } from "zod"

const program = fileURLToPath(new URL("./main.js", import.meta.url))
const Hello = z.strictObject({ url: z.string(), loginUrl: z.string(), tokenFile: z.string(), pid: z.number() })

let home: string
let data: string
const children = new Set<ChildProcess>()

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "docket-home-"))
  data = path.join(home, "data")
})
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL")
  children.clear()
  await rm(home, { recursive: true, force: true })
})

/** A service process with its own home directory, and its output. */
function start(...args: string[]) {
  const options = ["--no-web", "--json", "--data", data, "--project", home, ...args]
  const env = { PATH: process.env.PATH, HOME: home }
  const child = spawn(process.execPath, [program, ...options], { env, stdio: ["ignore", "pipe", "pipe"] })
  children.add(child)
  const written = { stdout: "", stderr: "" }
  child.stdout.on("data", (chunk: Buffer) => {
    written.stdout += chunk
  })
  child.stderr.on("data", (chunk: Buffer) => {
    written.stderr += chunk
  })
  const exit = once(child, "close").then(([code]) => ({ code, ...written }))
  const hello = once(child.stdout, "data").then(() => Hello.parse(JSON.parse(written.stdout)))
  return { child, exit, hello }
}

it("startup prints one JSON line; SIGTERM stops despite open streams", async () => {
  const { child, exit, hello } = start("--port", "0")
  const { url, tokenFile, pid } = await hello
  expect(pid).toBe(child.pid)
  expect((await stat(tokenFile)).mode & 0o777).toBe(0o600)
  const headers = { authorization: `Bearer ${(await readFile(tokenFile, "utf8")).trim()}` }
  const stream = await fetch(`${url}/api/trpc/event.subscribe?input={}`, { headers })
  expect(stream.status).toBe(200)
  child.kill("SIGTERM")
  const { code, stdout, stderr } = await exit
  await stream.text().catch(() => "")
  expect(code).toBe(0)
  expect(stdout.trim().split("\n")).toHaveLength(1)
  for (const phase of ["data directory", "database", "models", "listening", "stopping"]) expect(stderr).toContain(phase)
})

it("a second start names the process that owns the data directory", async () => {
  const first = start("--port", "0")
  const { url, pid } = await first.hello
  const { code, stderr } = await start("--port", "0").exit
  expect(code).toBe(1)
  expect(stderr).toContain(`process ${pid}, which answers on ${url}`)
  expect(stderr).not.toContain("    at ")
})

it("a killed service starts again with the same token and logins", async () => {
  const first = start("--port", "0")
  const { url, loginUrl, tokenFile } = await first.hello
  const token = await readFile(tokenFile, "utf8")
  const body = JSON.stringify({ code: new URL(loginUrl).hash.slice(1) })
  const login = await fetch(`${url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  })
  const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? ""
  first.child.kill("SIGKILL")
  await first.exit
  const second = await start("--port", "0").hello
  expect(await readFile(tokenFile, "utf8")).toBe(token)
  const list = await fetch(`${second.url}/api/trpc/project.list`, { headers: { cookie } })
  expect(list.status).toBe(200)
})

it("a service without a parent refuses to wait for the web app", async () => {
  const { exit } = start("--port", "0", "--web-follows")
  const { code, stderr } = await exit
  expect(code).toBe(2)
  expect(stderr).toContain("--web-follows is for npm start, which builds the web app. Leave it out.")
})

it("the service stops in order when its parent process is killed", async () => {
  const args = [program, "--no-web", "--json", "--port", "0", "--data", data, "--project", home]
  const starter = spawn(
    process.execPath,
    [
      "-e",
      `require("node:child_process").spawn(process.execPath, ${JSON.stringify(args)}, { stdio: ["ignore", 1, 2, "ipc"] })`,
    ],
    { env: { PATH: process.env.PATH, HOME: home }, stdio: ["ignore", "pipe", "pipe"] },
  )
  children.add(starter)
  let stderr = ""
  starter.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk
  })
  const [line] = await once(starter.stdout, "data")
  const { pid } = Hello.parse(JSON.parse(String(line)))
  expect(pid).not.toBe(starter.pid)
  starter.kill("SIGKILL")
  // The service holds the other ends of the pipes, so they close when it has ended.
  await once(starter, "close")
  expect(stderr).toContain("stopping")
})

it.each([
  // The service may write a file meanwhile, and the directory is not empty then.
  ["removed", () => rm(data, { recursive: true, maxRetries: 5 })],
  ["replaced by another", () => rename(data, `${data}-old`).then(() => mkdir(data))],
])("the service reports that its data directory was %s and stops", async (_how, change) => {
  const { hello, exit } = start("--port", "0")
  await hello
  await change()
  const { code, stderr } = await exit
  expect(code).toBe(1)
  expect(stderr).toContain(`the data directory ${data} was removed`)
  expect(stderr).not.toContain("    at ")
})

it("a full disk at startup is reported in one line", async ({ skip }) => {
  const disk = path.join(home, "disk")
  await mkdir(disk)
  try {
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=32k", "tmpfs", disk], { stdio: "pipe" })
  } catch {
    return skip("a small disk cannot be mounted here")
  }
  try {
    data = path.join(disk, "data")
    const { code, stderr } = await start("--port", "0").exit
    expect(code).toBe(1)
    expect(stderr).toMatch(/cannot start on .*: the disk is full: free some space/)
    expect(stderr).not.toContain("    at ")
  } finally {
    execFileSync("/bin/umount", [disk])
  }
})

it("the service starts with an unreadable row and lists it among problems", async () => {
  const first = start("--port", "0")
  await first.hello
  first.child.kill("SIGTERM")
  await first.exit
  const file = new DatabaseSync(path.join(data, "docket.db"))
  file.exec(`INSERT INTO "Project" ("tenantID", "id", "directory", "opened", "data")
    VALUES ('local', 'prj_lost', '/lost', 1, '{"id":"prj_lost","name":7}')`)
  file.close()
  const second = start("--port", "0")
  const { url, tokenFile } = await second.hello
  const headers = { authorization: `Bearer ${(await readFile(tokenFile, "utf8")).trim()}` }
  const ask = async (procedure: string) => await (await fetch(`${url}/api/trpc/${procedure}`, { headers })).text()
  expect(await ask("project.list")).toContain(home)
  expect(await ask("config.get?input={}")).toContain("Project prj_lost in the database cannot be read and is left out")
  second.child.kill("SIGTERM")
  expect((await second.exit).stderr).toContain("Project prj_lost in the database cannot be read")
})

it("a start names the port that is in use", async () => {
  const blocker = createServer().listen(0, "127.0.0.1")
  await once(blocker, "listening")
  const address = blocker.address()
  const port = typeof address === "object" && address ? address.port : 0
  const { code, stderr } = await start("--port", String(port)).exit
  blocker.close()
  expect(code).toBe(1)
  expect(stderr).toContain(`port ${port} on 127.0.0.1 is in use`)
})

it.each([
  [["--host", "0.0.0.0"], "would let other machines run commands"],
  [["--port", "http"], "--port must be a number"],
  [["--wrong"], "Unknown option"],
])("a start with %j is refused", async (args, message) => {
  const { code, stdout, stderr } = await start(...args).exit
  expect(code).toBe(2)
  expect(stderr).toContain(message)
  expect(stdout).toBe("")
})

it("a start names the project directory that is missing", async () => {
  const { code, stderr } = await start("--port", "0", "--project", path.join(home, "nowhere")).exit
  expect(code).toBe(1)
  expect(stderr).toContain("nowhere")
})
