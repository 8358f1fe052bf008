import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, beforeEach, expect, test } from "vitest"
import { root } from "./root.mjs"

let folder
const children = new Set()
const servers = new Set()
/** Ids of processes that a test wants to see ended. */
const builders = new Set()
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "docket-start-"))
})
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL")
  for (const pid of builders) if (runs(pid)) process.kill(pid, "SIGKILL")
  for (const server of servers) server.close()
  builders.clear()
  children.clear()
  servers.clear()
  await rm(folder, { recursive: true, force: true })
})

const script = path.join(root, "scripts/start.mjs")

/** Runs `npm start` where no program is found, so that any set-up step would fail visibly. */
function start(args, env = {}) {
  return new Promise((resolve) => {
    const options = { env: { PATH: folder, HOME: folder, ...env }, cwd: folder }
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
}

async function serveHealth(status = 200) {
  const server = createServer((_req, res) => res.writeHead(status).end()).listen(0, "127.0.0.1")
  servers.add(server)
  await once(server, "listening")
  return server.address().port
}

test.each([
  [["--prot", "1"], "Unknown option '--prot'"],
  [["--port", "high"], "--port must be a number"],
  [["--host", "0.0.0.0"], "would let other machines run commands"],
  [["--project", "/no/such/place"], "there is no directory /no/such/place. Name one that exists."],
  [["--port", "0", "--project", script], `this is not a directory: ${script}`],
  [["--port", "0", "--data", script], `this is not a directory: ${script}`],
])("npm start refuses %j with advice, before it installs or builds", async (args, words) => {
  const { code, stdout, stderr } = await start(args)
  expect(stderr).toContain(words)
  expect(stderr).not.toMatch(/[…✓] |git was not found| {4}at /)
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
})

test("npm start explains how to pass options that npm consumed", async () => {
  const { code, stderr } = await start(["5000"], { npm_config_port: "true" })
  expect(code).toBe(2)
  expect(stderr).toContain("npm start -- --project DIR")
})

test("the help of npm start needs nothing installed and names npm start", async () => {
  const { code, stdout } = await start(["--help"])
  expect(code).toBe(0)
  expect(stdout).toContain("Usage: npm start -- [options]")
})

test("npm start names the running Docket's address and a login command", async () => {
  const url = `http://127.0.0.1:${await serveHealth()}`
  await writeFile(path.join(folder, "lock.json"), JSON.stringify({ pid: 4321, host: null, url }))
  const { code, stderr } = await start(["--data", folder, "--port", "0"])
  expect(code).toBe(1)
  expect(stderr).toContain(`Docket already runs with the data directory ${folder}: ${url} (process 4321)`)
  const [, login] = /node (\S+) login --data/.exec(stderr) ?? []
  expect(await readFile(login, "utf8")).toContain("bin/docket.js")
})

test("npm start ignores the lock file of a killed service", async () => {
  const url = `http://127.0.0.1:${await serveHealth(500)}`
  await writeFile(path.join(folder, "lock.json"), JSON.stringify({ pid: 4321, host: null, url }))
  expect((await start(["--data", folder, "--port", "0"])).stderr).toContain("git was not found")
})

test("npm start reports a port in use before it builds", async () => {
  const port = await serveHealth()
  const { code, stderr } = await start(["--data", folder, "--port", String(port)])
  expect(code).toBe(1)
  expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use by another program`)
})

/** A process that waits for the lock of a folder, prints when it has it, and holds it until its input ends. */
async function startHolder(name) {
  const file = path.join(folder, `${name}.mjs`)
  await writeFile(
    file,
    `import { alone } from ${JSON.stringify(pathToFileURL(path.join(root, "scripts/setup/alone.mjs")).href)}
     const say = (line) => process.stdout.write(line + "\\n")
     const work = async () => {
       say("works")
       process.stdin.resume()
       await new Promise((resolve) => process.stdin.on("end", resolve))
     }
     await alone(work, { onWait: (holder) => say("waits for " + holder), lock: "work", directory: ${JSON.stringify(folder)} })
     say("done")`,
  )
  const child = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "inherit"] })
  children.add(child)
  let text = ""
  child.stdout.on("data", (chunk) => {
    text += chunk
  })
  const lines = () => text.split("\n").filter(Boolean)
  return { child, lines }
}

test("a second start waits for the first and names its process", async () => {
  const first = await startHolder("first")
  await expect.poll(first.lines).toEqual(["works"])
  const second = await startHolder("second")
  await expect.poll(second.lines).toEqual([`waits for ${first.child.pid}`])
  first.child.stdin.end()
  await expect.poll(second.lines).toEqual([`waits for ${first.child.pid}`, "works"])
  expect(first.lines()).toEqual(["works", "done"])
})

test("a second start continues when the preparing process was killed", async () => {
  const first = await startHolder("first")
  await expect.poll(first.lines).toEqual(["works"])
  const second = await startHolder("second")
  await expect.poll(second.lines).toEqual([`waits for ${first.child.pid}`])
  first.child.kill("SIGKILL")
  await expect.poll(second.lines).toEqual([`waits for ${first.child.pid}`, "works"])
})

/** Hands over to a program that prints its working directory. */
async function handOverFrom(directory) {
  const program = path.join(folder, "where.mjs")
  const start = path.join(folder, "hand-over.mjs")
  const handOver = JSON.stringify(pathToFileURL(path.join(root, "scripts/setup/hand-over.mjs")).href)
  await writeFile(program, "console.log(process.cwd())")
  await writeFile(
    start,
    `import { handOver } from ${handOver}
     handOver({ node: process.execPath, env: process.env }, ${JSON.stringify(path.relative(root, program))}, [])`,
  )
  const options = { env: { PATH: folder, INIT_CWD: directory }, cwd: folder }
  return new Promise((resolve) => {
    execFile(process.execPath, [start], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout: stdout.trim(), stderr }),
    )
  })
}

test("a program runs in the user's directory, otherwise in the repository", async () => {
  const open = path.join(folder, "open")
  const closed = path.join(folder, "closed")
  await mkdir(open)
  // Root can enter every directory, so for root the directory does not exist.
  if (process.getuid?.() !== 0) await mkdir(closed, { mode: 0o000 })
  expect(await handOverFrom(open)).toEqual({ code: 0, stdout: open, stderr: "" })
  const { code, stdout, stderr } = await handOverFrom(closed)
  expect({ code, stdout }).toEqual({ code: 0, stdout: root })
  expect(stderr).toContain(`cannot enter ${closed}; relative paths begin at ${root}`)
})

/**
 * Hands over to a service that stands in for Docket's, while the web app is built. It prints what it was started with,
 * what it is told, and that it ends in order.
 * @param {string} build the source of a promise
 */
async function startWhileBuilding(build) {
  const service = path.join(folder, "service.mjs")
  const start = path.join(folder, "start.mjs")
  const source = (name) => JSON.stringify(pathToFileURL(path.join(root, `scripts/setup/${name}.mjs`)).href)
  await writeFile(
    service,
    `const say = (line) => process.stdout.write(line + "\\n")
     const end = (line) => { say(line); process.exit(0) }
     process.on("message", (message) => say("told: " + message))
     process.on("SIGTERM", () => end("ends"))
     process.on("SIGINT", () => end("ends"))
     say("listens " + process.argv.slice(2).join(" "))`,
  )
  await writeFile(
    start,
    `import { handOver } from ${source("hand-over")}
     import { SetupProblem } from ${source("progress")}
     import { run } from ${source("run")}
     const toolchain = { node: process.execPath, env: process.env }
     handOver(toolchain, ${JSON.stringify(path.relative(root, service))}, ["--port", "0"], ${build})`,
  )
  const child = spawn(process.execPath, [start], { stdio: ["pipe", "pipe", "pipe"], cwd: folder })
  children.add(child)
  const text = { stdout: "", stderr: "" }
  for (const name of ["stdout", "stderr"]) child[name].on("data", (chunk) => (text[name] += chunk))
  const ended = once(child, "close").then(([code]) => code)
  return { child, text, ended }
}

/** Settles as the test says on the standard input of the start. */
const onWord = `new Promise((resolve, reject) => process.stdin.once("data", (word) =>
  String(word) === "built" ? resolve() : reject(new SetupProblem("The web app could not be built (npm start -- --no-web)"))))`

test("a service that started early hears when the web app is built", async () => {
  const { child, text, ended } = await startWhileBuilding(onWord)
  await expect.poll(() => text.stdout).toBe("listens --web-follows --port 0\n")
  child.stdin.write("built")
  await expect.poll(() => text.stdout).toBe("listens --web-follows --port 0\ntold: the web app is built\n")
  child.kill("SIGTERM")
  expect(await ended).toBe(0)
  expect(text).toEqual({ stdout: expect.stringMatching(/ends\n$/), stderr: "" })
})

test("a web build that fails ends the service and says why last", async () => {
  const { child, text, ended } = await startWhileBuilding(onWord)
  await expect.poll(() => text.stdout).toContain("listens")
  child.stdin.write("broken")
  expect(await ended).toBe(1)
  expect(text.stdout).toBe("listens --web-follows --port 0\nends\n")
  expect(text.stderr).toBe("\n✗ The web app could not be built (npm start -- --no-web)\n")
})

/** A build that goes on until it is ended, in a process that has started another one; it prints both ids. */
const endlessBuild = (file) => `run([process.execPath, ${JSON.stringify(file)}], {
  onLine: (line) => process.stdout.write(line + "\\n") })`

async function writeEndlessBuild() {
  const file = path.join(folder, "build.mjs")
  const worker = `setInterval(() => {}, 1_000)`
  await writeFile(
    file,
    `import { spawn } from "node:child_process"
     const worker = spawn(process.execPath, ["-e", ${JSON.stringify(worker)}], { stdio: "ignore" })
     process.stdout.write("builds " + process.pid + " " + worker.pid + "\\n")
     ${worker}`,
  )
  return file
}

function runs(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Ids of the processes of an endless build, once it has printed them. */
async function buildersIn(text) {
  await expect.poll(() => text.stdout).toMatch(/builds \d+ \d+\n/)
  const pids = /builds (\d+) (\d+)/.exec(text.stdout).slice(1).map(Number)
  for (const pid of pids) builders.add(pid)
  expect(pids.filter(runs)).toHaveLength(2)
  return pids
}

test.each(["SIGINT", "SIGTERM"])("%s during the web build leaves no process", async (signal) => {
  const { child, text, ended } = await startWhileBuilding(endlessBuild(await writeEndlessBuild()))
  await expect.poll(() => text.stdout).toContain("listens")
  const pids = await buildersIn(text)
  child.kill(signal)
  expect(await ended).toBe(0)
  expect(text.stdout).toContain("ends\n")
  await expect.poll(() => pids.filter(runs)).toEqual([])
})

test.each(["SIGINT", "SIGTERM"])("%s before the service starts leaves no process", async (signal) => {
  const start = path.join(folder, "start.mjs")
  const from = JSON.stringify(pathToFileURL(path.join(root, "scripts/setup/run.mjs")).href)
  await writeFile(start, `import { run } from ${from}\n${endlessBuild(await writeEndlessBuild())}`)
  const child = spawn(process.execPath, [start], { stdio: ["ignore", "pipe", "inherit"], cwd: folder })
  children.add(child)
  const text = { stdout: "" }
  child.stdout.on("data", (chunk) => (text.stdout += chunk))
  const pids = await buildersIn(text)
  const ended = once(child, "exit")
  child.kill(signal)
  expect(await ended).toEqual([signal === "SIGINT" ? 130 : 143, null])
  await expect.poll(() => pids.filter(runs)).toEqual([])
})
