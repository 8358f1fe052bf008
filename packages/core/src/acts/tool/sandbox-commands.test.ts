import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { confinementOf } from "../sandbox/confinement.ts"
import { createSandbox } from "../sandbox/create-sandbox.ts"
import { createBashTool } from "./bash.ts"
import { createSandboxFixture, sandboxLack } from "./test/sandbox-fixture.ts"
import { createToolFixture, type ToolFixture } from "./test/tool-fixture.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`Commands in the sandbox are not tried: ${lack}`)

/** A sandbox that cannot be started, because no program is found. */
const noSandbox = (fixture: ToolFixture) =>
  createSandbox({
    home: fixture.outside,
    env: { PATH: fixture.outside },
    platform: "linux",
    dataDirectory: path.join(fixture.outside, "data"),
    configDirectory: path.join(fixture.outside, "config"),
    clock: Date.now,
  })

const workOf = ({ context }: ToolFixture) => ({ projectID: "project", ...context })

const bash = createBashTool({ env: process.env, clock: Date.now })

/** The group of a process, also of a zombie. */
function groupOf(pid: string): number {
  const facts = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "latin1") : ""
  return Number(facts.slice(facts.lastIndexOf(")") + 2).split(" ")[2])
}

describe.skipIf(lack !== null)("a command in the sandbox", () => {
  test("returns exit code, ordered output, and as much output as usual", async () => {
    const fixture = createSandboxFixture()
    expect(await fixture.run("echo one; echo two >&2; exit 3")).toBe("one\ntwo\n[exit code 3]")
    expect(await fixture.run("seq 100000")).toContain("100000\n[exit code 0]")
  })

  test("can end in its own way when it takes too long", async () => {
    const fixture = createSandboxFixture()
    const output = await fixture.run(
      "trap 'echo cleaned > cleaned; exit 0' TERM; echo up; while :; do sleep 0.05; done",
      {
        timeout: 700,
      },
    )
    expect(output).toContain("stopped after 700 ms")
    expect(fixture.read("cleaned")).toBe("cleaned\n")
  })

  test("leaves no background process behind, even when killed", async () => {
    const fixture = createSandboxFixture()
    const leaders: number[] = []
    const onExit = ({ pid }: { pid: number }) => void leaders.push(pid)
    const tool = createBashTool({ env: { ...process.env, HOME: fixture.home }, clock: Date.now, onExit })
    for (const command of ["echo", "sleep 300 & exit 3", "kill -9 $$", "trap '' TERM; kill -STOP $$"])
      await tool.execute({ command, timeout: 400 }, fixture.context)
    expect(leaders).toHaveLength(4)
    // The kernel removes killed processes a moment later.
    const left = () => {
      const groups = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [groupOf(name)] : []))
      return groups.filter((group) => leaders.includes(group)).length
    }
    await expect.poll(left).toBe(0)
  })

  test("is ended when it ignores the signal", async () => {
    const fixture = createSandboxFixture()
    const output = await fixture.run("trap '' TERM; while :; do date +%N > beat; done", { timeout: 300 })
    expect(output).toContain("stopped after 300 ms")
    const last = fixture.read("beat")
    await fixture.run("true")
    expect(fixture.read("beat")).toBe(last)
  })

  test("stops with the turn", async () => {
    const fixture = createSandboxFixture()
    const running = fixture.run("touch started; sleep 300")
    const stopped = expect(running).rejects.toThrow("stopped")
    while (!existsSync(path.join(fixture.project, "started"))) await new Promise(setImmediate)
    fixture.abort.abort()
    await stopped
  })

  test("that fails because of the sandbox explains why and what to request", async () => {
    const fixture = createSandboxFixture()
    fixture.configure({ mode: "on" })
    const output = await fixture.run("git config user.name Nobody")
    expect(output).toMatch(/\[sandbox: .*git's settings and hooks.* can only be read.*outside_sandbox/)
    expect(await fixture.run("exit 1")).toBe("(no output)\n[exit code 1]")
  })

  test("works in a task's git worktree without changing the project", async () => {
    const fixture = createSandboxFixture()
    const worktree = path.join(fixture.data, "worktrees", "task")
    const author = "-c user.name=A -c user.email=a@example.org"
    await fixture.run(`git ${author} commit -q --allow-empty -m First`)
    fixture.git("worktree", "add", "-q", "-b", "task", worktree)
    fixture.context.directory = worktree
    fixture.context.worktree = worktree
    const output = await fixture.run(
      `echo a > a.txt && git add -A && git ${author} commit -qm Task && git log --oneline | wc -l; (echo x > ${fixture.project}/x) 2>/dev/null; (echo x > ${fixture.project}/.git/hooks/x) 2>/dev/null; pwd`,
    )
    expect(output).toBe(`2\n${worktree}\n[exit code 0]`)
    expect(existsSync(path.join(fixture.project, "x"))).toBe(false)
    expect(existsSync(path.join(fixture.project, ".git", "hooks", "x"))).toBe(false)
    expect(fixture.git("log", "--oneline", "task").split("\n")).toHaveLength(2)
  })

  test("is isolated from a simultaneous command of another project", async () => {
    const [one, two] = [createSandboxFixture(), createSandboxFixture()]
    const command = (own: string, other: string) =>
      `echo ${own} > /tmp/same; echo ${own} > ~/same; sleep 0.1; cat /tmp/same ~/same; ls ${other}`
    const outputs = await Promise.all([one.run(command("one", two.project)), two.run(command("two", one.project))])
    expect(outputs[0]).toMatch(/^one\none\nls: cannot access/)
    expect(outputs[1]).toMatch(/^two\ntwo\nls: cannot access/)
  })

  test("cannot see Docket's data in the project, even after renaming a parent", async () => {
    const fixture = createSandboxFixture()
    fixture.context.directory = path.dirname(fixture.home)
    fixture.context.worktree = fixture.context.directory
    const sandbox = createSandbox({
      home: "/home/nobody-is-here",
      env: process.env,
      platform: "linux",
      dataDirectory: fixture.data,
      configDirectory: path.join(fixture.home, ".config", "docket"),
      clock: Date.now,
    })
    fixture.context.confinement = () => confinementOf(sandbox, { mode: "required" }, workOf(fixture))
    const output = await fixture.run(
      "cat home/.docket/token; mv home moved; cat moved/.docket/token home/.docket/token",
    )
    expect(output).not.toContain("the token")
    expect(await fixture.run("cat */.docket/token; cat */*/token")).not.toContain("the token")
  })

  test("in a project named by a link works where the link leads", async () => {
    const fixture = createSandboxFixture()
    const link = path.join(fixture.outside, "link")
    symlinkSync(fixture.project, link)
    fixture.context.directory = link
    fixture.context.worktree = link
    await fixture.run("echo x > made")
    expect(fixture.read("made")).toBe("x\n")
  })
})

describe("outside the sandbox", () => {
  test("a command needs permission; the refusal states reason and exact command", async () => {
    const fixture = createToolFixture({ "*": "allow" })
    fixture.context.confinement = async () => ({ kind: "outside", reason: "The project is your home." })
    await expect(bash.execute({ command: "echo x > made" }, fixture.context)).rejects.toThrow("rejected")
    expect(existsSync(path.join(fixture.project, "made"))).toBe(false)
    const ask = fixture.asks.at(-1)
    expect(ask).toMatchObject({ permission: "sandbox", patterns: ["echo x > made"], always: ["echo x > made"] })
    const metadata = typeof ask?.metadata === "function" ? await ask.metadata() : ask?.metadata
    expect(metadata).toMatchObject({ kind: "command", outside: "The project is your home." })
  })

  test("a command with wildcards is never offered for permanent permission", async () => {
    const fixture = createToolFixture({ "*": "allow" })
    fixture.context.confinement = async () => ({ kind: "outside", reason: "" })
    await expect(bash.execute({ command: "ls *" }, fixture.context)).rejects.toThrow()
    expect(fixture.asks.at(-1)).toMatchObject({ permission: "sandbox", always: [] })
  })

  test.skipIf(lack !== null)("the model may ask to run a command, decided by a rule", async () => {
    const asked = createSandboxFixture()
    asked.configure({ mode: "on" })
    await expect(asked.run("true", { outside: "It needs the network." })).rejects.toThrow("rejected")
    const allowed = createSandboxFixture({ sandbox: "allow" })
    allowed.configure({ mode: "on" })
    await allowed.run(`echo x > ${allowed.outside}/made`, { outside: "It needs the network." })
    expect(existsSync(path.join(allowed.outside, "made"))).toBe(true)
  })

  test.skipIf(lack !== null)(
    "nothing runs where the configuration requires the sandbox, whatever a rule says",
    async () => {
      const fixture = createSandboxFixture({ sandbox: "allow" })
      await expect(fixture.run("true", { outside: "Please." })).rejects.toThrow("no command runs outside it")
    },
  )
})

describe("where there is no sandbox", () => {
  test("commands run normally, but are refused when the sandbox is required", async () => {
    const fixture = createToolFixture()
    const sandbox = noSandbox(fixture)
    expect(await sandbox.state()).toMatchObject({ state: "off", reason: "bubblewrap is not installed." })
    fixture.context.confinement = () => confinementOf(sandbox, {}, workOf(fixture))
    expect((await bash.execute({ command: "echo x" }, fixture.context)).output).toBe("x\n[exit code 0]")
    fixture.context.confinement = () => confinementOf(sandbox, { mode: "required" }, workOf(fixture))
    await expect(bash.execute({ command: "touch made" }, fixture.context)).rejects.toThrow(/not installed.*Install it/)
    expect(existsSync(path.join(fixture.project, "made"))).toBe(false)
  })

  test("a project that contains the home is refused, with advice", async () => {
    const fixture = createSandboxFixture()
    const refusal = fixture.sandbox.refusal({
      project: "p",
      worktree: fixture.home,
      directory: fixture.home,
      readable: [],
      writable: [],
      hidden: [],
      variables: [],
      hosts: [],
    })
    expect(refusal).toContain("Open a directory below it")
  })
})
