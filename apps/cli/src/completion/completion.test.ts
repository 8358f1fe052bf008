import { execFile } from "node:child_process"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { createDocketClient } from "@docket/client"
import { expect, onTestFinished, test } from "vitest"
import { startService } from "../test/start-service.ts"

const run = promisify(execFile)
const program = fileURLToPath(new URL("../main.js", import.meta.url))

/** What the scripts of all shells are told for these words, the last of which is being typed. */
async function proposed(words: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Promise<string[]> {
  const { stdout } = await run(process.execPath, [program, "complete", "--", ...words], options)
  // Each line is a word and what it means; the last one is a number for the script.
  return stdout.split("\n").flatMap((line) => (/^(?:$|:)/.test(line) ? [] : [line.split("\t")[0] ?? ""]))
}

test("shells complete commands and their commands", async () => {
  expect(await proposed(["up"])).toEqual(["upgrade"])
  expect(await proposed(["mcp", "lo"])).toEqual(["login", "logout"])
  expect(await proposed(["sessions", ""])).toEqual(["list", "show", "archive", "restore", "delete", "help"])
})

test("shells complete options and the values that they choose from", async () => {
  expect(await proposed(["run", "--per"])).toEqual(["--permission"])
  expect(await proposed(["run", "--permission", ""])).toEqual(["deny", "ask", "allow"])
  expect(await proposed(["completion", ""])).toEqual(["bash", "zsh", "fish"])
})

test("shells complete sessions, agents and models that a service knows", async () => {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), "docket-tab-")))
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 3 }))
  const [project, data] = [path.join(home, "project"), path.join(home, "data")]
  await mkdir(project)
  // On a busy machine an answer takes longer than a shell would wait.
  const env = { PATH: process.env.PATH, HOME: home, DOCKET_COMPLETION_WAIT: "60000" }
  const service = await startService(env, { data, project })
  onTestFinished(service.stop)
  const client = createDocketClient({ url: service.address, token: service.token })
  const [{ id: projectID = "" } = {}] = await client.project.list.query()
  const { id } = await client.session.create.mutate({ projectID, title: "A\ttitle" })
  const at = (...words: string[]) => proposed([...words], { cwd: project, env })
  expect(await at("run", "--data", data, "--session", "")).toEqual([id])
  expect(await at("run", "--data", data, `--session=${id.slice(0, -2)}`)).toEqual([id])
  expect(await at("sessions", "show", "--data", data, "ses_")).toEqual([id])
  expect(await at("run", "--data", data, "--agent", "exp")).toEqual(["explore"])
  expect(await at("run", "--data", data, "--agent", "ti")).toEqual([])
  expect(await at("run", "--data", data, "--model", "docket/")).toEqual([expect.stringContaining("rehearsal")])
  expect(await at("run", "--data", path.join(home, "none"), "--session", "")).toEqual([])
})

test("bash completes a command, also when the script is sourced twice", async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "docket-bash-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const docket = path.join(directory, "docket")
  await writeFile(docket, `#!/bin/bash\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 })
  const complete = async (line: string) => {
    const lines = [
      "source <(docket completion bash) && source <(docket completion bash)",
      `COMP_LINE=${JSON.stringify(line)} COMP_POINT=\${#COMP_LINE}`,
      '_docket_complete; printf "%s\\n" "${COMPREPLY[@]}"',
    ]
    const env = { PATH: `${directory}:${process.env.PATH}`, HOME: directory }
    return await run("bash", ["--norc", "-euc", lines.join("\n")], { env })
  }
  expect(await complete("docket upg")).toEqual({ stdout: "upgrade\n", stderr: "" })
  expect(await complete("docket run 'some words' --permission ")).toEqual({ stdout: "deny\nask\nallow\n", stderr: "" })
  expect(await complete("docket run --format=j")).toEqual({ stdout: "json\n", stderr: "" })
})

test.each(["zsh", "fish"])("docket completion prints a script for %s", async (shell) => {
  const { stdout } = await run(process.execPath, [program, "completion", shell])
  expect(stdout).toContain("docket complete")
})

test("docket completion offers no shell that it was not tried in", async () => {
  await expect(run(process.execPath, [program, "completion", "powershell"])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Allowed choices are bash, zsh, fish"),
  })
})
