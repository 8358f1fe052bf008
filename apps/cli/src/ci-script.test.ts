import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest"
import { type RecordingProvider, startRecordingProvider } from "./test/recording-provider.ts"
import { startService } from "./test/start-service.ts"

const run = promisify(execFile)
const script = fileURLToPath(new URL("../../../deploy/ci/docket-ci.sh", import.meta.url))
const program = fileURLToPath(new URL("main.js", import.meta.url))

let directory: string
let checkout: string
let base: string
let provider: RecordingProvider
/** What a job has at least: programs, its own variables, and secrets that no fork may see. */
let job: Record<string, string>

beforeEach(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-ci-")))
  checkout = path.join(directory, "checkout")
  const programs = path.join(directory, "bin")
  await mkdir(programs)
  await mkdir(checkout)
  await writeFile(path.join(programs, "docket"), `#!/bin/bash\nexec '${process.execPath}' '${program}' "$@"\n`, {
    mode: 0o755,
  })
  provider = await startRecordingProvider("env > seen.txt")
  const config = {
    model: "lab/m",
    small_model: "lab/m",
    provider: {
      lab: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `http://127.0.0.1:${provider.port}/v1`, apiKey: "{env:LAB_KEY}" },
        models: { m: {} },
      },
    },
  }
  job = {
    PATH: `${programs}:${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: directory,
    LAB_KEY: "lab-secret",
    DOCKET_KEY: "key-secret",
    DOCKET_CONFIG: JSON.stringify(config),
    DOCKET_PROMPT: "Is the greeting right?",
    DOCKET_OUT: path.join(directory, "out"),
  }
  await git("init", "--quiet", "--initial-branch", "main")
  await commit("hello.txt", "hello\n")
  base = (await git("rev-parse", "HEAD")).trim()
  await commit("hello.txt", "hallo\n")
})
afterEach(async () => {
  await provider.close()
  await rm(directory, { recursive: true, force: true, maxRetries: 3 })
})

async function git(...args: string[]): Promise<string> {
  const person = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
  return (await run("git", [...person, ...args], { cwd: checkout })).stdout
}

async function commit(file: string, content: string): Promise<void> {
  await writeFile(path.join(checkout, file), content)
  await git("add", "--all")
  await git("commit", "--quiet", "--message", `Write ${content.trim()}`)
}

/** The variables of a job of GitHub; `head` is the repository that the change comes from, null when it is removed. */
async function github(head: number | null, more: Record<string, string> = {}): Promise<Record<string, string>> {
  const event = path.join(directory, "event.json")
  const change = { base: { sha: base, repo: { id: 1 } }, head: { repo: head === null ? null : { id: head } } }
  await writeFile(event, JSON.stringify({ pull_request: change }))
  return {
    ...job,
    GITHUB_ACTIONS: "true",
    GITHUB_EVENT_PATH: event,
    GITHUB_OUTPUT: path.join(directory, "output"),
    GITHUB_STEP_SUMMARY: path.join(directory, "summary"),
    RUNNER_TEMP: directory,
    ...more,
  }
}

function gitlab(source: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    ...job,
    GITLAB_CI: "true",
    CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
    CI_MERGE_REQUEST_PROJECT_ID: "1",
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: source,
    ...more,
  }
}

async function start(env: Record<string, string>): Promise<{ code: number; stdout: string; stderr: string }> {
  const ended = await run("bash", [script], { cwd: checkout, env }).catch((error: unknown) => error)
  return { code: 0, ...(ended as { stdout: string; stderr: string }) }
}

const left = (file: string) => readFile(path.join(directory, file), "utf8")

it("the script passes shellcheck", async ({ skip }) => {
  const found = await run("shellcheck", [script]).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error && found.code === "ENOENT") return skip("shellcheck is not installed")
  expect(found).toEqual({ stdout: "", stderr: "" })
})

it("the action installs a package only with the sum that is named", async () => {
  const action = await readFile(new URL("github/action.yml", new URL(`file://${script}`)), "utf8")
  const [, block = ""] = /run: \|\n((?: {8}.*\n)+)/.exec(action) ?? []
  const install = block.replaceAll(/^ {8}/gm, "")
  await writeFile(path.join(directory, "bin/npm"), `#!/bin/bash\nprintf '%s\\n' "$*" >>'${directory}/npm'\n`, {
    mode: 0o755,
  })
  const file = path.join(directory, "docket.tgz")
  await writeFile(file, "package")
  const sum = createHash("sha256").update("package").digest("hex")
  const installed = (SHA256: string) =>
    run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", install], { env: { ...job, PACKAGE: file, SHA256 } })
  await expect(installed("0".repeat(64))).rejects.toMatchObject({ stderr: expect.stringContaining("did NOT match") })
  await expect(left("npm")).rejects.toThrow("ENOENT")
  await installed(sum)
  expect(await left("npm")).toBe(`install --global ${file}\n`)
})

it("a pull request goes to a server, and its link is left", async () => {
  const service = await startService(
    { PATH: job.PATH, HOME: directory },
    { data: path.join(directory, "data"), project: checkout },
  )
  onTestFinished(service.stop)
  const env = await github(1, { DOCKET_SERVER: service.address, DOCKET_KEY: service.token, DOCKET_PROJECT: checkout })
  const { code, stdout } = await start(env)
  const [, link = ""] = /^link=(.*)$/m.exec(await left("output")) ?? []
  expect([code, link]).toEqual([0, expect.stringMatching(new RegExp(`^${service.address}/s/ses_\\w+$`))])
  expect(await left("output")).toContain("outcome=done\nexit-code=0\n")
  expect(await left("summary")).toMatch(new RegExp(`^\\[The session on the desk\\]\\(${link}\\)\n\n.+`))
  // What agents write into the log are no commands of GitHub.
  const [, silence] = /^::stop-commands::(\S+)$/m.exec(stdout) ?? []
  expect(stdout).toContain(`::${silence}::\n`)
  const { stdout: exported } = await run("docket", ["export", "--data", path.join(directory, "data")], { env })
  expect(exported).toContain("Is the greeting right?")
  expect(exported).toContain("change.diff")
})

it("without a server the session is left as a file, without secrets", async () => {
  const { code } = await start(gitlab("1", { DOCKET_PERMISSION: "allow" }))
  expect([code, await left("out/docket.env")]).toEqual([0, "DOCKET_LINK=\nDOCKET_OUTCOME=done\nDOCKET_EXIT_CODE=0\n"])
  expect(await left("out/answer.md")).toBe("Done.")
  await expect(readFile(path.join(checkout, "seen.txt"), "utf8")).resolves.toContain("PATH=")
  expect(await left("out/session.md")).toContain("Is the greeting right?")
  expect(JSON.parse(await left("out/session.json"))).toMatchObject({ format: "docket.session", sanitized: true })
  expect(provider.requests.some(({ key, body }) => key === "Bearer lab-secret" && body.includes("+hallo"))).toBe(true)
})

it.each([
  ["GitHub", () => github(2)],
  ["GitHub, from a fork that is removed,", () => github(null)],
  ["GitLab", async () => gitlab("2")],
])("a fork on %s runs read-only and sees no secret", async (_where, job) => {
  const env = { ...(await job()), DOCKET_SERVER: "http://127.0.0.1:9", DOCKET_PERMISSION: "allow" }
  const { code, stdout } = await start(env)
  expect(stdout).toContain("read-only, and without secrets")
  expect(code).toBe(0)
  await expect(readFile(path.join(checkout, "seen.txt"))).rejects.toThrow("ENOENT")
  expect(await left("out/answer.md")).toBe("Done.")
  expect(provider.requests.length).toBeGreaterThan(0)
  for (const { key, body } of provider.requests) expect(`${key} ${body}`).not.toMatch(/lab-secret|key-secret/)
})

it.each([
  ["http.https://example.org/.extraheader", "AUTHORIZATION: basic c2VjcmV0"],
  ["http.extraheader", "AUTHORIZATION: basic c2VjcmV0"],
  ["remote.origin.pushurl", "https://x:c2VjcmV0@example.org/shop.git"],
  ["remote.other.url", "https://c2VjcmV0@example.org/shop.git"],
  ["url.https://c2VjcmV0@example.org/.insteadOf", "https://example.org/"],
  ["include.path", "/tmp/more"],
])("a fork is refused while its checkout holds credentials: %s", async (name, value) => {
  await git("config", "--local", name, value)
  expect(await start(await github(2))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("persist-credentials: false"),
  })
  expect(provider.requests).toEqual([])
})

it("a fork is refused while a submodule holds credentials", async () => {
  await git("init", "--quiet", "--bare", ".git/modules/part")
  await git(
    "config",
    "--file",
    ".git/modules/part/config",
    "remote.origin.url",
    "https://c2VjcmV0@example.org/part.git",
  )
  expect(await start(await github(2))).toMatchObject({ code: 2, stderr: expect.stringContaining("credentials") })
})

it("forks choose neither the prompt nor where files are written", async () => {
  await commit("prompt.md", "The right question?\n")
  base = (await git("rev-parse", "HEAD")).trim()
  await rm(path.join(checkout, "prompt.md"))
  await symlink("/proc/self/environ", path.join(checkout, "prompt.md"))
  await symlink(directory, path.join(checkout, "docket-out"))
  await git("add", "--all")
  await git("commit", "--quiet", "--message", "Lead astray")
  const env = { DOCKET_PROMPT_FILE: "prompt.md" }
  expect(await start(gitlab("2", { ...env, DOCKET_OUT: "docket-out" }))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("docket-out cannot be made"),
  })
  expect(await start(gitlab("2", env))).toMatchObject({ code: 0 })
  expect(await left("out/prompt.md")).toBe("The right question?\n")
  await expect(left("run.jsonl")).rejects.toThrow("ENOENT")
})

it("forks get no token from the address of the remote", async () => {
  await git("remote", "add", "origin", "https://gitlab-ci-token:job-secret@example.org/a/b.git")
  await start(gitlab("2"))
  expect((await git("remote", "get-url", "origin")).trim()).toBe("https://example.org/a/b.git")
})

it.each([
  ["outside of a CI", () => job, "neither GitHub Actions nor GitLab CI"],
  [
    "without a merge request",
    () => gitlab("1", { CI_MERGE_REQUEST_DIFF_BASE_SHA: "" }),
    "has no pull or merge request",
  ],
  [
    "with a shallow checkout",
    () => gitlab("1", { CI_MERGE_REQUEST_DIFF_BASE_SHA: "a".repeat(40) }),
    "fetch the whole history",
  ],
  [
    "with a server and no key",
    () => gitlab("1", { DOCKET_SERVER: "http://127.0.0.1:9", DOCKET_KEY: "" }),
    "needs a key",
  ],
] as const)("the script says what is missing %s", async (_where, env, words) => {
  expect(await start({ ...env() })).toMatchObject({ code: 2, stderr: expect.stringContaining(words) })
})

it("a server that is away ends the job with 5", async () => {
  const env = gitlab("1", { DOCKET_SERVER: "http://127.0.0.1:9" })
  expect(await start(env)).toMatchObject({ code: 5 })
  expect(await left("out/docket.env")).toBe("DOCKET_LINK=\nDOCKET_OUTCOME=none\nDOCKET_EXIT_CODE=5\n")
})
