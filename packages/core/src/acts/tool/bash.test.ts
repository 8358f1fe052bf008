import { mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs"
import path from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { BashMetadata } from "../../ground/schema/tool-metadata.ts"
import { jumpTime } from "../../test/jump-time.ts"
import { type BashDeps, createBashTool } from "./bash.ts"
import { reapCommand, type SpawnedCommand } from "./process-group.ts"
import { runTool } from "./run-tool.ts"
import { createToolFixture, insideOnly, type ToolFixture } from "./test/tool-fixture.ts"

const bash = (deps: Partial<BashDeps> = {}) => createBashTool({ env: process.env, clock: Date.now, ...deps })
const run = (fixture: ToolFixture, input: Record<string, unknown>, deps?: Partial<BashDeps>) =>
  runTool(bash(deps), input, fixture.context)

function alive(pid: number): boolean {
  try {
    // A zombie has ended, even if its parent has not collected it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return false
  }
}

/** Resolves with the numbers that the command has printed so far, as soon as there are `count`. */
async function printedNumbers(fixture: ToolFixture, count: number): Promise<number[]> {
  for (;;) {
    const output = fixture.progress.findLast((update) => update.metadata?.output)?.metadata?.output
    const numbers = typeof output === "string" ? (output.match(/^\d+$/gm) ?? []).map(Number) : []
    if (numbers.length >= count) return numbers
    await new Promise(setImmediate)
  }
}

/** Returns a function that tells how many bytes are in use after garbage collection. */
function collectedMemory(): () => number {
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  return () => {
    // The first run finds unused buffers, the second one has freed them.
    collect()
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
}

describe("bash", () => {
  it("returns output in order, the exit code and metadata", async () => {
    const fixture = createToolFixture()
    const result = await run(fixture, { command: "echo one; echo two >&2; echo three; exit 3", description: "Count" })
    expect(result.output).toBe("one\ntwo\nthree\n[exit code 3]")
    expect(result.title).toBe("Count")
    expect(BashMetadata.parse(result.metadata)).toMatchObject({
      command: "echo one; echo two >&2; echo three; exit 3",
      output: "one\ntwo\nthree\n",
      exit: 3,
      timedOut: false,
      truncated: false,
      background: [],
    })
  })

  it("runs in the project or workdir, without input, with plain output", async () => {
    const fixture = createToolFixture()
    mkdirSync(path.join(fixture.project, "sub"))
    expect((await run(fixture, { command: "cat; pwd", workdir: "sub" })).output).toBe(
      `${path.join(fixture.project, "sub")}\n[exit code 0]`,
    )
    const drawn = await run(fixture, { command: "printf '\\033[31mred\\033[0m\\n10%%\\r100%%\\na\\0b'" })
    expect(drawn.output).toBe("red\n100%\na\uFFFDb\n[exit code 0]")
    await expect(run(fixture, { command: "ls", workdir: "none" })).rejects.toThrow("does not exist")
  })

  it("hides secrets from commands", async () => {
    const fixture = createToolFixture()
    const env = { ...process.env, OPENAI_API_KEY: "sk-very-secret" }
    const result = await run(fixture, { command: "env" }, { env })
    expect(result.output).not.toContain("sk-very-secret")
    expect(result.output).toContain("PATH=")
  })

  it("shows output while it runs", async () => {
    const fixture = createToolFixture()
    const call = run(fixture, { command: "echo 1; while [ ! -e go ]; do sleep 0.02; done; echo done" })
    await printedNumbers(fixture, 1)
    fixture.write("go", "")
    expect((await call).output).toBe("1\ndone\n[exit code 0]")
    expect(fixture.progress[0]?.metadata).toMatchObject({ output: "" })
  })

  it("keeps both ends of a long output and saves all of it", async () => {
    const fixture = createToolFixture()
    const result = await run(fixture, { command: "seq 1 50000" })
    const metadata = BashMetadata.parse(result.metadata)
    expect(metadata.truncated).toBe(true)
    expect(result.output.startsWith("1\n2\n")).toBe(true)
    expect(result.output.endsWith("50000\n[exit code 0]")).toBe(true)
    expect(result.output).toContain(`saved in ${metadata.outputPath}`)
    expect(Buffer.byteLength(result.output)).toBeLessThan(52_000)
    expect(result.output.split("\n").length).toBeLessThan(2_010)
    expect(readFileSync(metadata.outputPath ?? "", "utf8").split("\n")).toHaveLength(50_001)
    expect(metadata.output.length).toBeLessThanOrEqual(30_000)
  })

  it("ends a command that never stops printing, in bounded memory", async () => {
    const { context } = createToolFixture()
    const bytesInUse = collectedMemory()
    const before = bytesInUse()
    let chunks = 0
    const grown: number[] = []
    context.progress = () => {}
    const { run } = context.commands
    context.commands = {
      ...context.commands,
      run: (request, now) => {
        const onOutput = () => {
          request.onOutput()
          if (++chunks % 128 === 0) grown.push(bytesInUse() - before)
        }
        return run({ ...request, onOutput }, now)
      },
    }
    const result = await runTool(bash(), { command: "yes" }, context)
    expect(result.output).toContain("too much output")
    const { outputPath } = BashMetadata.parse(result.metadata)
    expect(statSync(outputPath ?? "").size).toBe(64 * 1024 * 1024)
    expect(grown.length).toBeGreaterThan(2)
    expect(Math.max(...grown)).toBeLessThan(16 * 1024 * 1024)
  })

  it("ends everything on timeout, also what left the process group", async () => {
    const pass = jumpTime()
    const fixture = createToolFixture()
    const command = "echo $$; sh -c 'echo $$; sleep 60 & echo $!; wait' & setsid sh -c 'echo $$; sleep 60' & wait"
    const call = run(fixture, { command, timeout: 90_000 })
    const pids = await printedNumbers(fixture, 4)
    expect(pids.every(alive)).toBe(true)
    pass(90_000)
    const result = await call
    expect(pids.filter(alive)).toEqual([])
    expect(result.output).toContain("[stopped after 90000 ms")
    expect(result.metadata).toMatchObject({ timedOut: true, exit: null, signal: "SIGTERM" })
  })

  it("kills processes that ignore TERM on an abort", async () => {
    const fixture = createToolFixture()
    const call = run(fixture, { command: "trap '' TERM; echo $$; (trap '' TERM; sh -c 'echo $$; sleep 60'); sleep 60" })
    const pids = await printedNumbers(fixture, 2)
    fixture.abort.abort()
    await expect(call).rejects.toMatchObject({ name: "AbortError" })
    expect(pids.filter(alive)).toEqual([])
    expect(fixture.progress.at(-1)?.metadata).toMatchObject({ signal: "SIGKILL" })
  })

  it("does not wait for a background child, and names it", async () => {
    const fixture = createToolFixture()
    const seen: (SpawnedCommand & { background?: number[] })[] = []
    const deps = { onSpawn: (c: SpawnedCommand) => seen.push(c), onExit: (c: SpawnedCommand) => seen.push(c) }
    const result = await run(fixture, { command: "sleep 60 & echo $!" }, deps)
    const pid = Number(result.output.split("\n")[0])
    expect(alive(pid)).toBe(true)
    expect(result.output).toContain(`background: ${pid}]`)
    expect(seen).toHaveLength(2)
    expect(seen[1]).toEqual({ ...seen[0], background: [pid] })
    const [command] = seen
    if (command === undefined) throw new Error("nothing was spawned")
    await reapCommand({ ...command, marker: "of another command" })
    expect(alive(pid)).toBe(true)
    await reapCommand(command)
    expect(alive(pid)).toBe(false)
  })

  it("refuses a command too long for the system, with advice", async () => {
    const command = `echo ${"ü".repeat(65_000)}`
    await expect(run(createToolFixture(), { command })).rejects.toThrow("Write the text to a file")
  })

  it("gives exit code 127 when the shell cannot be started", async () => {
    const fixture = createToolFixture()
    const result = await run(fixture, { command: "ls" }, { shell: "/no/such/shell" })
    expect(result.metadata).toMatchObject({ exit: 127 })
  })
})

describe("bash before it runs", () => {
  it("asks once for all commands of a script", async () => {
    const fixture = createToolFixture({ "*": "allow", bash: { "*": "allow", "rm *": "deny" } })
    const call = run(fixture, { command: "touch made && rm -f other" })
    await expect(call).rejects.toThrow("do not allow bash")
    expect(fixture.patterns("bash")).toEqual(["touch made", "rm -f other"])
    await expect(runTool(bash(), { command: "ls made" }, fixture.context)).resolves.toMatchObject({
      metadata: { exit: 2 },
    })
  })

  it.each([
    ["cat /etc/passwd", "/etc/*"],
    ["ls ..", "<root>/*"],
    ["cd /etc && cat passwd", "/etc/*"],
    ["cp a ../outside/b", "<root>/outside/*"],
    ["echo x > ../outside/b", "<root>/outside/*"],
    ["echo x >> $HOME/.bashrc", "*"],
    ["cat < /etc/passwd", "/etc/*"],
    ["ls ~", "<home>/*"],
    ["cat ~/.ssh/config", "<home>/.ssh/*"],
    ["cat $HOME/.profile", "<home>/*"],
    ["cat link/secret", "<root>/outside/*"],
    ["tar -xf a.tar --directory=/usr", "/usr/*"],
    ["dd if=/etc/hostname", "/etc/*"],
    ["ls /etc/*.conf", "/etc/*"],
    ["cd $WHERE", "*"],
    ["mkdir /docket-test-none", "/*"],
  ])("asks to leave the project: %s", async (command, pattern) => {
    const fixture = createToolFixture({ ...insideOnly, edit: "ask" })
    const root = path.dirname(fixture.project)
    mkdirSync(path.join(root, "home"))
    symlinkSync(fixture.outside, path.join(fixture.project, "link"))
    const env = { ...process.env, HOME: path.join(root, "home") }
    await expect(run(fixture, { command }, { env })).rejects.toThrow("rejected")
    const asked = [...fixture.patterns("external_directory"), ...fixture.patterns("edit")]
    expect(asked).toContain(pattern.replace("<root>", root).replace("<home>", path.join(root, "home")))
  })

  it.each([
    "sed -n '/foo/p' a",
    "grep -rn /api/ .",
    "cat a/b.txt",
    "ls . > /dev/null 2>&1",
    "curl https://example.test/etc/passwd || true",
    "cd sub && ls ..",
    "echo a/b",
  ])("asks for no place outside when all is inside: %s", async (command) => {
    const fixture = createToolFixture()
    mkdirSync(path.join(fixture.project, "sub"))
    await run(fixture, { command: `true || { ${command}; }` })
    expect(fixture.patterns("external_directory")).toEqual([])
  })

  it("judges redirected files like edits and named files like reads", async () => {
    const fixture = createToolFixture({ "*": "allow", edit: "deny" })
    await expect(run(fixture, { command: "git log > src.txt" })).rejects.toThrow("do not allow edit")
    const secrets = createToolFixture({ "*": "allow", read: { "*": "allow", "*.env": "deny" } })
    secrets.write(".env", "KEY=1")
    await expect(run(secrets, { command: "cat .env" })).rejects.toThrow("do not allow read")
  })

  it.each([
    "cat .e*",
    "cat .e??",
    "cat .en{v,}",
    "cat $PWD/.env",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expansion of the shell
    'cat "${PWD}/.env"',
    "curl -d @.env http://localhost:1",
    "curl -F file=@.env http://localhost:1",
    "curl -T.env http://localhost:1",
    "grep -f.env x",
    "cat */../.env",
    "(cd sub); cat .env",
    "cd nowhere; cat .env",
    "cd nowhere; cat .e*",
    "pushd sub; popd; cat .env",
    "true || cd sub; cat < .env",
  ])("judges the file behind %s", async (command) => {
    const secrets = createToolFixture({ "*": "allow", read: { "*": "allow", "*.env": "deny" } })
    secrets.write(".env", "KEY=1")
    secrets.write("sub/a.txt", "a")
    await expect(run(secrets, { command: `true || { ${command}; }` })).rejects.toThrow("do not allow read")
  })

  it.each([
    "grep -f/etc/passwd x",
    "tar -C/etc -cf x .",
    "docker run -v /etc:/x image",
    "docker run --mount type=bind,source=/etc,target=/x image",
    "curl file:///etc/passwd",
    "cat l[i]nk/passwd",
    "cat ~root/.profile",
    "cd a/b/c; cat ../../../etc/passwd",
    "HOME=/etc; cd; cat passwd",
    "CDPATH=/etc cd ssl; cat openssl.cnf",
    "export CDPATH=/etc; cd ssl",
    "(cd sub/deep); cat ../../../../../../etc/passwd",
    "cd a/b/c; echo x > ../../new.txt",
    "cd ~root",
  ])("asks for the place outside of %s", async (command) => {
    const fixture = createToolFixture()
    symlinkSync("/etc", path.join(fixture.project, "link"))
    fixture.write("sub/deep/a.txt", "a")
    await run(fixture, { command: `true || { ${command}; }` })
    expect(fixture.patterns("external_directory")).not.toEqual([])
  })

  it("asks to read all files when a pattern matches too many", async () => {
    const fixture = createToolFixture({ "*": "allow", read: { "*": "allow", "*.env": "deny" } })
    for (let number = 0; number <= 1_000; number++) fixture.write(`${number}.txt`, "")
    await run(fixture, { command: "wc -l [0-8]*.txt | tail -1" })
    expect(fixture.patterns("read")).not.toContain("*")
    await run(fixture, { command: "wc -l *.txt | tail -1" }).catch(() => {})
    expect(fixture.patterns("read")).toContain("*")
  })
})
