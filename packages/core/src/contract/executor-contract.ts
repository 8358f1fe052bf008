import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { confinementOf } from "../acts/sandbox/confinement.ts"
import type { SandboxDeps } from "../acts/sandbox/create-sandbox.ts"
import type { ClosedFiles } from "../acts/sandbox/sandbox.ts"
import type { Executor, Place } from "../acts/tool/executor.ts"
import { createOutputCapture } from "../acts/tool/output-capture.ts"
import type { CommandResult } from "../acts/tool/run-command.ts"
import { runGit } from "../ground/git/run-git.ts"
import type { SandboxConfig } from "../ground/schema/sandbox-config.ts"

/** A machine with Docket's data, a project and something else, on which an executor works. */
export interface ExecutorSite {
  executor: Executor
  project: string
  /** Beside the project: no command may see or change it. */
  outside: string
  open(session?: string): Place
  run(place: Place, command: string, options?: RunOptions): Promise<CommandResult>
}

interface RunOptions {
  /** ms */
  timeout?: number
  signal?: AbortSignal
  maxBytes?: number
  /** Name of a file in the project that is closed to the command. */
  closed?: string
  /** Called with all of the output that has arrived. */
  onOutput?(output: string): void
}

/** @param create makes an executor; its self-test has to be on */
export async function openSite(
  create: (deps: SandboxDeps) => Promise<{ executor: Executor; config: SandboxConfig }>,
): Promise<ExecutorSite> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-place-")))
  const [home, data, project, outside, output] = ["home", "data", "project", "outside", "output"].map((name) =>
    path.join(root, name),
  ) as [string, string, string, string, string]
  for (const directory of [home, data, project, outside, output]) mkdirSync(directory)
  await runGit(["init", "-q"], { cwd: project, env: process.env })
  writeFileSync(path.join(outside, "secret.txt"), "the secret of another project")
  writeFileSync(path.join(data, "token"), "the token of the service")
  const { executor, config } = await create({
    ...{ home, env: process.env, platform: process.platform, dataDirectory: data, clock: Date.now },
    configDirectory: path.join(home, ".config", "docket"),
  })
  onTestFinished(async () => {
    await executor.close()
    rmSync(root, { recursive: true, force: true })
  })
  let runs = 0
  return {
    ...{ executor, project, outside },
    open: (id = "ses_1") => executor.open({ session: { id, rootID: id }, config }),
    async run(place, command, { timeout = 60_000, signal, maxBytes = 1024 ** 2, closed, onOutput } = {}) {
      const sandbox = executor.sandboxFor(config)
      if (sandbox === null) throw new Error("Commands of this executor are not confined.")
      const work = { projectID: root, worktree: project, directory: project, outputDirectory: output }
      const confinement = await confinementOf(sandbox, { ...config, mode: "required" }, work)
      if (confinement.kind !== "sandbox")
        throw new Error(confinement.kind === "refused" ? confinement.reason : "not confined")
      const capture = createOutputCapture({ file: path.join(output, `${++runs}`), maxBytes })
      const closing: ClosedFiles = {
        patterns: closed === undefined ? [] : [closed],
        among: async (files) => files.filter((file) => file === closed),
      }
      return place.commands.run(
        {
          ...{ sessionID: "ses_1", partID: `prt_${runs}`, shell: "bash", command, cwd: project, timeout, capture },
          env: { PATH: process.env.PATH ?? "", LANG: "C" },
          confine: (launch) => confinement.confine(launch, closing),
          signal: signal ?? new AbortController().signal,
          onOutput: () => onOutput?.(capture.live(30_000)),
        },
        Date.now,
      )
    },
  }
}

/** What every executor whose commands are confined on this machine's files has to do. */
export function executorContract(site: () => Promise<ExecutorSite>): void {
  test("a command's outputs arrive in their order, with its exit code", async () => {
    const { open, run } = await site()
    const result = await run(open(), "echo one; echo two >&2; echo three; exit 7")
    expect(result).toMatchObject({ exit: 7, ended: null, background: [], leftBehind: [] })
    expect(result.output.text).toBe("one\ntwo\nthree\n")
  })

  test("tools and commands work on the same files", async () => {
    const { open, run, project } = await site()
    const place = open()
    const file = path.join(project, "made", "by-tool.txt")
    await place.files.write(file, Buffer.from("from the tool\n"), { mode: null, temporary: "t" })
    const { output } = await run(place, `cat made/by-tool.txt; pwd; echo "from the command" > by-command.txt`)
    expect(output.text).toBe(`from the tool\n${project}\n`)
    await using made = await place.files.open(path.join(project, "by-command.txt"))
    expect((await made.readFile()).toString()).toBe("from the command\n")
  })

  test("each command is run once", async () => {
    const { open, run, project } = await site()
    const place = open()
    for (let count = 0; count < 4; count++) await run(place, "echo run >> count; exit 3")
    expect(readFileSync(path.join(project, "count"), "utf8")).toBe("run\n".repeat(4))
  })

  test("a command that takes too long ends with all it started", async () => {
    const { open, run, project } = await site()
    const place = open()
    const result = await run(place, "echo begun; (sleep 500; echo late > late) & sleep 500", { timeout: 1_000 })
    expect(result).toMatchObject({ ended: "timeout", background: [] })
    expect(result.output.text).toBe("begun\n")
    expect((await run(place, "ls; grep -las 'sleep' /proc/[0-9]*/comm | head -1")).output.text).not.toContain("/proc")
    expect(existsSync(path.join(project, "late"))).toBe(false)
  })

  test("a stopped command that ignores TERM ends", async () => {
    const { open, run } = await site()
    const stop = new AbortController()
    const onOutput = (output: string) => {
      if (output.includes("begun")) stop.abort()
    }
    const command = "trap '' TERM; echo begun; while :; do sleep 1; done"
    const result = await run(open(), command, { signal: stop.signal, onOutput })
    expect(result).toMatchObject({ ended: "aborted", background: [] })
  })

  test("what a command leaves running ends with it", async () => {
    const { open, run } = await site()
    const place = open()
    const { exit, background } = await run(place, "setsid env -i sleep 500 >/dev/null 2>&1 & echo left")
    expect({ exit, background }).toEqual({ exit: 0, background: [] })
    const { output } = await run(place, "grep -las sleep /proc/[0-9]*/comm; echo looked")
    expect(output.text).toBe("looked\n")
  })

  test("a program that holds the output open delays no result", async () => {
    const { open, run } = await site()
    const { exit, output } = await run(open(), "sleep 500 & echo answered")
    expect({ exit, text: output.text }).toEqual({ exit: 0, text: "answered\n" })
  })

  test("a command that writes without end is ended at the limit", async () => {
    const { open, run } = await site()
    const result = await run(open(), "yes", { maxBytes: 300_000 })
    expect(result).toMatchObject({ ended: "too much output", output: { bytes: 300_000 } })
  })

  test("commands of a session at the same time leave each other alone", async () => {
    const { open, run } = await site()
    const place = open()
    const stop = new AbortController()
    let begun = () => {}
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    const long = run(place, "echo begun; sleep 500", { signal: stop.signal, onOutput: () => begun() })
    await hasBegun
    const short = await run(place, "sleep 0.01; echo done")
    expect(short.output.text).toBe("done\n")
    stop.abort()
    expect((await long).ended).toBe("aborted")
  })

  test("a command sees nothing but the project and changes nothing else", async () => {
    const { open, run, outside } = await site()
    symlinkSync(outside, path.join(outside, "..", "project", "way-out"))
    const { output } = await run(
      open(),
      `cat ${outside}/secret.txt way-out/secret.txt ../data/token; echo x > way-out/made; echo x > ${outside}/made; echo x > /usr/made && echo wrote; ls /var/run/docker.sock; echo end`,
    )
    expect(output.text).not.toMatch(/the secret of|the token of|wrote/)
    expect(output.text).toMatch(/docker\.sock.*No such file[\s\S]*end\n$/)
    expect(existsSync(path.join(outside, "made"))).toBe(false)
  })

  test("a command reaches no server of this machine and no metadata", async () => {
    const { open, run } = await site()
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const reach = (to: string) => `(exec 3<>/dev/tcp/${to}) 2>/dev/null && echo reached ${to}; `
    const { output } = await run(open(), `${reach(`127.0.0.1/${port}`)}${reach("169.254.169.254/80")}echo end`)
    expect({ text: output.text, connections }).toEqual({ text: "end\n", connections: 0 })
  })

  test("a command has no rights of root", async () => {
    const { open, run } = await site()
    const { output } = await run(
      open(),
      "grep -E '^(CapEff|NoNewPrivs):' /proc/self/status; mount -t tmpfs x /tmp; echo end",
    )
    expect(output.text).toMatch(/CapEff:\s+0+\nNoNewPrivs:\s+1\n/)
    expect(output.text).toMatch(/(denied|must be superuser|not permitted|only root)[\s\S]*end\n$/i)
  })

  test("a closed file cannot be read, also after it was replaced", async () => {
    const { open, run, project } = await site()
    const place = open()
    const put = (text: string) => {
      rmSync(path.join(project, ".env"), { force: true })
      writeFileSync(path.join(project, ".env"), text)
    }
    put("KEY=first")
    const options = { closed: ".env" }
    const attempt = "cat .env; mv .env other; cat other; ln -s .env link; cat link; echo end"
    expect((await run(place, attempt, options)).output.text).not.toContain("first")
    // A file system gives the number of a removed file to the next one: several times, so that it happens.
    for (const text of ["KEY=second", "KEY=third", "KEY=other"]) {
      put(text)
      expect((await run(place, attempt, options)).output.text).not.toContain("KEY=")
    }
    expect((await run(place, "cat .env")).output.text).toBe("KEY=other")
  })

  test("configuration and git's hooks can only be read", async () => {
    const { open, run, project } = await site()
    writeFileSync(path.join(project, "docket.json"), "{}")
    const attempt =
      "echo x > docket.json; rm docket.json; mv docket.json a; echo x > .git/hooks/pre-commit; mv .git/hooks .git/h; echo x >> .git/config"
    await run(open(), attempt)
    expect(readFileSync(path.join(project, "docket.json"), "utf8")).toBe("{}")
    expect(existsSync(path.join(project, ".git/hooks/pre-commit"))).toBe(false)
    expect(readFileSync(path.join(project, ".git/config"), "utf8")).not.toContain("x\n")
  })

  test("programs that multiply are held and ended", async () => {
    const { open, run } = await site()
    const place = open()
    const bomb = "i=0; while [ $i -lt 3000 ]; do sleep 500 & i=$((i+1)); done 2>/dev/null; wait"
    expect(await run(place, bomb, { timeout: 2_000 })).toMatchObject({ ended: "timeout", background: [] })
    expect((await run(place, "echo after")).output.text).toBe("after\n")
  })

  test("a tool does not follow a link out of the project", async () => {
    const { open, outside, project } = await site()
    mkdirSync(path.join(project, "directory"))
    writeFileSync(path.join(project, "directory", "secret.txt"), "own")
    rmSync(path.join(project, "directory"), { recursive: true })
    symlinkSync(outside, path.join(project, "directory"))
    await expect(open().files.open(path.join(project, "directory", "secret.txt"))).rejects.toThrow()
    const options = { mode: null, temporary: "t" }
    const writing = open().files.write(path.join(project, "directory", "made.txt"), Buffer.from("x"), options)
    await expect(writing).rejects.toThrow()
    expect(existsSync(path.join(outside, "made.txt"))).toBe(false)
  })
}
