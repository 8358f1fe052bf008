import { execFile } from "node:child_process"
import { mkdtemp, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterEach, beforeEach, expect, test } from "vitest"
import { docketCommand } from "./docket-command.ts"

const cli = fileURLToPath(new URL("../../../../../apps/cli/src/main.js", import.meta.url))
let home: string
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "docket home-"))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const login = { command: "login" }

test("the command runs on this machine, for the named data directory", async () => {
  const command = docketCommand({ ...login, data: path.join(home, "it's data"), home, path: "/nowhere" })
  expect(command).toMatch(/^node \S+docket\.mjs login --data '.*it'\\''s data'$/)
  const help = await promisify(execFile)("sh", ["-c", command.replace(/ --data .*$/, " --help")], { cwd: "/" })
  expect(help.stdout).toContain("Usage: docket login")
})

test("the command is `docket` when installed, unless another program has that name", async () => {
  const data = path.join(home, ".docket")
  await symlink(process.execPath, path.join(home, "docket"))
  expect(docketCommand({ ...login, data, home, path: `bin:${home}` })).toMatch(/^node \S+docket\.mjs login$/)
  await rm(path.join(home, "docket"))
  await symlink(cli, path.join(home, "docket"))
  expect(docketCommand({ ...login, data, home, path: `bin:${home}` })).toBe("docket login")
})
