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

/** A home with nothing in it but the command; null where the shell is not installed. */
async function shellHome(shell: string): Promise<{ HOME: string; PATH: string } | null> {
  const isThere = await run(shell, ["--version"]).catch(() => null)
  if (isThere === null) return null
  const directory = await mkdtemp(path.join(tmpdir(), `docket-${shell}-`))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))
  const script = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`
  await writeFile(path.join(directory, "docket"), script, { mode: 0o755 })
  return { HOME: directory, PATH: `${directory}:${process.env.PATH}` }
}

test("bash completes a command, also when the script is sourced twice", async ({ skip }) => {
  const env = await shellHome("bash")
  if (env === null) return skip("bash is not installed")
  const complete = async (line: string) => {
    const lines = [
      "source <(docket completion bash) && source <(docket completion bash)",
      `COMP_LINE=${JSON.stringify(line)} COMP_POINT=\${#COMP_LINE}`,
      '_docket_complete; printf "%s\\n" "${COMPREPLY[@]}"',
    ]
    return await run("bash", ["--norc", "-euc", lines.join("\n")], { env })
  }
  expect(await complete("docket upg")).toEqual({ stdout: "upgrade\n", stderr: "" })
  expect(await complete("docket run 'some words' --permission ")).toEqual({ stdout: "deny\nask\nallow\n", stderr: "" })
  expect(await complete("docket run --format=j")).toEqual({ stdout: "json\n", stderr: "" })
})

test("fish completes a command, an option and its values", async ({ skip }) => {
  const env = await shellHome("fish")
  if (env === null) return skip("fish is not installed")
  const complete = async (line: string) => {
    const { stdout } = await run(
      "fish",
      ["-c", `docket completion fish | source; complete -C ${JSON.stringify(line)}`],
      {
        env,
      },
    )
    return stdout.split("\n").flatMap((each) => (each === "" ? [] : [each.split("\t")[0]]))
  }
  expect(await complete("docket upg")).toEqual(["upgrade"])
  expect(await complete("docket run --per")).toEqual(["--permission"])
  // In its own order.
  expect(await complete("docket run --permission ")).toEqual(["allow", "ask", "deny"])
})

test("zsh completes a command when the Tab key is pressed", async ({ skip, signal }) => {
  const env = await shellHome("zsh")
  if (env === null) return skip("zsh is not installed")
  // A terminal in the terminal: the line is completed, then printed instead of run.
  const lines = [
    "zmodload zsh/zpty",
    "zpty inner 'PS1= zsh -f -i'",
    "zpty -w inner 'autoload -Uz compinit; compinit -u -D; source <(docket completion zsh); print READ\"\"Y'",
    "zpty -r inner out '*READY*'",
    'zpty -w inner \'show() { BUFFER="print -r -- \\"<"${BUFFER// /_}">\\""; zle accept-line }; zle -N show; bindkey "^X" show; print BOUN""D\'',
    "zpty -r inner out '*BOUND*'",
    "zpty -w -n inner $'docket upg\\t\\x18'",
    "zpty -r inner out $'*\\n<docket_upgrade*>*'",
    "zpty -d inner",
    'print -r -- "$out"',
  ]
  const { stdout } = await run("zsh", ["-f", "-c", lines.join("\n")], { env, signal })
  expect(stdout).toContain("<docket_upgrade")
})

test("docket completion offers no shell that it was not tried in", async () => {
  await expect(run(process.execPath, [program, "completion", "powershell"])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Allowed choices are bash, zsh, fish"),
  })
})
