import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { storedSignIns } from "../remote/stored-sign-ins.ts"

const program = fileURLToPath(new URL("../main.js", import.meta.url))
const url = "https://docket.example.org"

/** The output of a command for a user whose home directory has a sign-in to a remote server. */
async function outputOf(args: string[], env: (home: string) => Record<string, string> = () => ({})) {
  const home = await mkdtemp(path.join(tmpdir(), "docket-signed-"))
  try {
    await storedSignIns(path.join(home, ".docket")).keep({ url, token: "t", name: "Ada" })
    const given = { PATH: process.env.PATH, HOME: home, ...env(home) }
    const failed = await promisify(execFile)(process.execPath, [program, ...args], { env: given }).catch(
      (error: unknown) => error,
    )
    return { home, ...(failed as { code: number; stderr: string }) }
  } finally {
    await rm(home, { recursive: true })
  }
}

test.each([
  [["backup", "/nowhere/b"]],
  [["restore", "/nowhere/b"]],
  [["to-postgres"]],
  [["to-nodes"]],
  [["team", "adopt"]],
])("docket %j is refused locally while commands go to a server", async (args) => {
  const { code, stderr, home } = await outputOf(args)
  expect(code).toBe(2)
  expect(stderr).toContain(`commands are for ${url} since docket login`)
  expect(stderr).toContain(`this machine (${hostname()}) name its data directory: --data ${home}/.docket`)
})

test("docket backup says on which machine and directory it works", async () => {
  const { code, stderr, home } = await outputOf(["backup", "/nowhere/b"], (of) => ({ DOCKET_DATA: `${of}/own` }))
  expect(code).toBe(2)
  expect(stderr).toContain(`docket: on this machine (${hostname()}), in ${home}/own\n`)
  expect(stderr).toContain(`${home}/own holds no Docket`)
})
