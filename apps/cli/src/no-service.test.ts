import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, expect, test } from "vitest"

const program = fileURLToPath(new URL("main.js", import.meta.url))
const data = await mkdtemp(path.join(tmpdir(), "docket-none-"))
afterAll(() => rm(data, { recursive: true }))

const exec = promisify(execFile)

/** The error message of a command when no service runs and no `docket` is installed. */
async function failureOf(args: string[]): Promise<{ code: number; stderr: string }> {
  const failed = await exec(process.execPath, [program, ...args, "--data", data], { env: { PATH: "/nowhere" } }).catch(
    (error: unknown) => error,
  )
  return failed as { code: number; stderr: string }
}

test.each([
  [["sessions"]],
  [["login"]],
  [["trust", "."]],
  [["untrust", "."]],
  [["token", "list"]],
  [["tenant", "list"]],
])("docket %j without a service names a command that starts one", async (args) => {
  const { code, stderr } = await failureOf(args)
  expect(code).toBe(5)
  const [, script = "", options] = /Start one: node (\S+) (serve --data \S+)$/m.exec(stderr) ?? []
  expect(options).toBe(`serve --data ${data}`)
  const help = await exec(process.execPath, [script, "serve", "--help"], { cwd: "/" })
  expect(help.stdout).toContain("Usage: docket serve")
})

test.each([
  [["sessions"], 5, `no Docket runs on ${data}`],
  [["backup", path.join(data, "b")], 2, `${data} holds no Docket`],
  [["team", "adopt"], 2, `${data} holds no Docket`],
] as const)("docket %j without --data uses the directory that DOCKET_DATA names", async (args, code, words) => {
  const env = { PATH: "/nowhere", DOCKET_DATA: data }
  const failed = await exec(process.execPath, [program, ...args], { env }).catch((error: unknown) => error)
  expect(failed).toMatchObject({ code, stderr: expect.stringContaining(words) })
})
