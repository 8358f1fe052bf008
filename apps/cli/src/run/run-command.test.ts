import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { createDocketClient } from "@docket/client"
import { maxPromptBytes } from "@docket/core/prompt-limit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type RecordingProvider, startRecordingProvider } from "../test/recording-provider.ts"
import { startService, type TestService } from "../test/start-service.ts"
import { RunLine } from "./run-line.ts"

const cli = fileURLToPath(new URL("../main.js", import.meta.url))
let home: string
let project: string
let data: string
let env: NodeJS.ProcessEnv
let provider: RecordingProvider
let service: TestService
/** What the model says next. */
const answers: string[] = []

beforeAll(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), "docket-run-")))
  project = path.join(home, "project")
  data = path.join(home, "data")
  env = { PATH: process.env.PATH, HOME: home, NO_COLOR: "1" }
  provider = await startRecordingProvider("touch made.txt", answers)
  const config = {
    model: "lab/m",
    small_model: "lab/m",
    permission: { bash: "ask" },
    provider: {
      lab: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `http://127.0.0.1:${provider.port}/v1`, apiKey: "test" },
        models: { m: {} },
      },
    },
  }
  await mkdir(project)
  await mkdir(path.join(home, ".config/docket"), { recursive: true })
  await writeFile(path.join(home, ".config/docket/docket.json"), JSON.stringify(config))
  service = await startService(env, { data, project })
})
afterAll(async () => {
  await service.stop()
  await provider.close()
  await rm(home, { recursive: true, force: true, maxRetries: 3 })
})

interface Ended {
  code: number
  stdout: string
  stderr: string
}

async function docket(args: string[], input = ""): Promise<Ended> {
  const child = spawn(process.execPath, [cli, ...args], { env, cwd: project, stdio: ["pipe", "pipe", "pipe"] })
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
  return { code: Number(code), stdout, stderr }
}

const run = (...args: string[]) => docket(["run", "--data", data, "--permission", "allow", "--format", "json", ...args])
const linesOf = ({ stdout }: Ended) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
const resultOf = (ended: Ended) => linesOf(ended).at(-1)

it("every line of docket run --format json has a documented shape", async () => {
  const done = await run("Make it")
  const refused = await run("Make it", "--permission", "deny")
  const lines = [...linesOf(done), ...linesOf(refused)]
  for (const line of lines) expect(RunLine.safeParse(line).error, JSON.stringify(line)).toBeUndefined()
  const [first] = lines
  expect(first).toEqual({
    type: "session",
    version: 1,
    sessionID: expect.stringMatching(/^ses_/),
    url: `${service.address}/s/${first.sessionID}`,
  })
  expect([done.code, resultOf(done)]).toMatchObject([0, { outcome: "done", text: "Done.", refused: 0, url: first.url }])
  expect([refused.code, resultOf(refused)]).toMatchObject([3, { outcome: "refused", exitCode: 3, refused: 1 }])
  const page = await readFile(new URL("../../../../docs/command-line.md", import.meta.url), "utf8")
  for (const type of ["session", "result", "error"]) expect(page).toContain(`\`${type}\``)
  for (const field of Object.keys(resultOf(done))) expect(page).toContain(`\`${field}\``)
})

it("a run without a result says in its last line why", async () => {
  const wrong = await run("Go", "--model", "nonsense")
  expect([wrong.code, resultOf(wrong)]).toEqual([
    2,
    { type: "error", message: expect.stringContaining("provider/model"), exitCode: 2 },
  ])
  const file = path.join(home, "token")
  await writeFile(file, "t")
  const away = await run("Go", "--url", "http://127.0.0.1:9", "--token-file", file)
  expect([away.code, resultOf(away)]).toMatchObject([5, { type: "error", exitCode: 5 }])
  expect(RunLine.safeParse(resultOf(away)).success).toBe(true)
})

it("docket run goes on with the newest session, or with a copy", async () => {
  const { sessionID } = resultOf(await run("A first thing"))
  const before = provider.requests.length
  expect(resultOf(await run("A second thing", "--continue")).sessionID).toBe(sessionID)
  expect(provider.requests.slice(before).some(({ body }) => body.includes("A first thing"))).toBe(true)
  const copy = resultOf(await run("A third thing", "--session", sessionID, "--fork"))
  expect(copy.sessionID).not.toBe(sessionID)
  const exported = await docket(["export", sessionID, "--data", data])
  expect(exported.stdout).toContain("A second thing")
  expect(exported.stdout).not.toContain("A third thing")
})

it.each([
  [["--continue", "--session", "ses_000000000000aaaaaaaaaaaaaa"], "choose one"],
  [["--fork"], "--fork copies a session"],
  [["--continue", "--worktree"], "add --fork"],
  [["--continue", "--private"], "--private is for a new session"],
  [["--file", "nowhere.txt"], "nowhere.txt cannot be attached: it does not exist"],
  [["--file", "."], ". cannot be attached: it"],
])("docket run %j is refused with what to do", async (args, words) => {
  const { code, stderr } = await run("Go", ...args)
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
})

it("docket run that still reads its prompt ends at the first Ctrl-C", async () => {
  const child = spawn(process.execPath, [cli, "run", "--data", data], {
    env,
    cwd: project,
    stdio: ["pipe", "ignore", "ignore"],
  })
  // More than a pipe holds: it is written when the program reads.
  await new Promise((resolve) => child.stdin.write("x".repeat(200_000), resolve))
  const exit = once(child, "exit")
  child.kill("SIGINT")
  expect(await exit).toEqual([null, "SIGINT"])
})

/** A session at work on a prompt that asks a person, and a run of `docket run` whose prompt waits in it. */
async function waitingRun() {
  const client = createDocketClient({ url: service.address, token: service.token })
  const { id: projectID } = await client.project.open.mutate({ directory: project })
  const { id: sessionID } = await client.session.create.mutate({ projectID })
  const { id: otherID } = await client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text: "Ask" }] })
  await expect.poll(() => client.permission.list.query({ rootID: sessionID })).toHaveLength(1)
  const args = ["run", "Go on", "--session", sessionID, "--data", data, "--permission", "allow"]
  const child = spawn(process.execPath, [cli, ...args], { env, cwd: project, stdio: ["ignore", "pipe", "pipe"] })
  const ended = Promise.all([text(child.stdout), once(child, "close")])
  const queued = async () => {
    const { turns } = await client.session.tree.query({ sessionID })
    return turns.filter(({ status }) => status === "queued")
  }
  await expect.poll(queued).toHaveLength(1)
  return {
    ...{ client, otherID, queued },
    async finishOther() {
      const [request] = await client.permission.list.query({ rootID: sessionID })
      await client.permission.reply.mutate({ requestID: request?.id ?? "", reply: "once" })
    },
    interrupt: () => child.kill("SIGINT"),
    async ended() {
      const [stdout, [code]] = await ended
      return { stdout, code }
    },
  }
}

it("docket run prints no answer to a prompt before its own", async () => {
  const run = await waitingRun()
  answers.push("An answer to another.", "An answer to this one.")
  await run.finishOther()
  expect(await run.ended()).toEqual({ code: 0, stdout: "An answer to this one.\n" })
})

it("Ctrl-C takes a prompt that waits back, and stops nothing else", async () => {
  const run = await waitingRun()
  run.interrupt()
  expect(await run.ended()).toEqual({ code: 130, stdout: "" })
  expect(await run.queued()).toEqual([])
  await run.finishOther()
  await expect.poll(async () => (await run.client.session.turn.query({ turnID: run.otherID })).status).toBe("completed")
})

it("docket run ends with the turn that read its prompt", async () => {
  const run = await waitingRun()
  const [waiting] = await run.queued()
  await run.client.session.changePrompt.mutate({ turnID: waiting?.id ?? "", now: true })
  answers.push("An answer to both.")
  await run.finishOther()
  expect(await run.ended()).toEqual({ code: 0, stdout: "An answer to both.\n" })
})

it("docket run attaches files and reads its prompt from stdin", async () => {
  await writeFile(path.join(home, "one.txt"), "the first attached text")
  await writeFile(path.join(home, "two.md"), "the second attached text")
  const files = ["--file", "../one.txt", "--file", "../two.md"]
  const options = ["--data", data, "--permission", "allow"]
  const { code, stdout } = await docket(["run", ...options, ...files], "Read what is attached")
  expect([code, stdout]).toEqual([0, "Done.\n"])
  const { body = "" } = provider.requests.at(-1) ?? {}
  for (const words of ["the first attached text", "the second attached text", "Read what is attached"])
    expect(body).toContain(words)
  expect(await docket(["run", ...options])).toMatchObject({ code: 2, stderr: expect.stringContaining("is empty") })
})

it("docket run refuses a prompt on stdin that no session takes", async () => {
  const sent = provider.requests.length
  const { code, stderr } = await docket(["run", "--data", data], "x".repeat(maxPromptBytes + 1))
  expect([code, stderr]).toEqual([2, expect.stringContaining("larger than 1 MB")])
  expect(provider.requests).toHaveLength(sent)
})

it("docket run --schema prints the value, and fails without one", async () => {
  const schema = path.join(home, "schema.json")
  const asked = (...args: string[]) =>
    docket(["run", "Count", "--data", data, "--permission", "allow", "--schema", schema, ...args])
  await writeFile(schema, JSON.stringify({ type: "array", items: { type: "integer" } }))
  answers.push("It is a few.", "[1, 2]")
  expect(await asked()).toMatchObject({
    code: 0,
    stdout: "[\n  1,\n  2\n]\n",
    stderr: expect.stringContaining("a few"),
  })
  answers.push("[3]")
  expect(resultOf(await asked("--format", "json"))).toMatchObject({ outcome: "done", output: [3] })
  expect(await asked()).toMatchObject({ code: 1, stdout: "" })
  await writeFile(schema, "[]")
  expect(await asked()).toMatchObject({ code: 2, stderr: expect.stringContaining("is no JSON object") })
})

it("--server takes a key from DOCKET_KEY and sends it nowhere else", async () => {
  const keyed = { ...env, DOCKET_KEY: service.token, DOCKET_DATA: path.join(home, "none") }
  const list = (...args: string[]) => promisify(execFile)(process.execPath, [cli, "sessions", ...args], { env: keyed })
  expect((await list("--server", service.address)).stdout).toContain("ses_")
  await expect(list()).rejects.toMatchObject({ code: 5, stderr: expect.stringContaining("no Docket runs on") })
})
