import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import type { PermissionAction } from "../../ground/schema/permission.ts"
import { createSandbox } from "../sandbox/create-sandbox.ts"
import { createBashTool } from "./bash.ts"
import { createSandboxFixture, type SandboxFixture, sandboxLack } from "./test/sandbox-fixture.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`Closed files are not tried: ${lack}`)

const author = "-c user.name=A -c user.email=a@example.org"
const secret = "TOKEN=hunter2\n"

/** A project with a `.env`, with the default rules or others. */
function project(read: Record<string, PermissionAction> = {}): SandboxFixture {
  const defaults = { "*": "allow", "*.env": "ask", "*.env.*": "ask", "*.env.example": "allow" } as const
  const fixture = createSandboxFixture({ read: { ...defaults, ...read } })
  fixture.write(".env", secret)
  aged(fixture, ".env")
  return fixture
}

/** Gives a file an old time. Git reads a file that is as new as its index, even when size and time are unchanged. */
function aged(fixture: SandboxFixture, name: string): void {
  utimesSync(path.join(fixture.project, name), new Date(1_700_000_000_000), new Date(1_700_000_000_000))
}

/** Writes a script, so that the command itself names no file. */
function script(fixture: SandboxFixture, lines: string): string {
  fixture.write("run.sh", lines)
  return "sh run.sh"
}

/** The files that stand in the sandbox where closed files are, for as long as a command runs. */
const standIns = ({ data }: SandboxFixture) =>
  readdirSync(path.join(data, "sandbox")).filter((name) => name.startsWith("closed-"))

describe.skipIf(lack !== null)("a file that the rules ask for", () => {
  test("cannot be read or changed by a script, even through a link", async () => {
    const fixture = project()
    mkdirSync(path.join(fixture.project, "packages/a"), { recursive: true })
    fixture.write("packages/a/.env.local", secret)
    symlinkSync("../.env", path.join(fixture.project, "packages/link"))
    const output = await fixture.run(
      script(
        fixture,
        `for file in .env packages/a/.env.local packages/link; do cat $file; cp $file copied; done
node -e 'try { require("fs").readFileSync(".env") } catch (e) { console.log(e.code) }'
(echo more >> .env); chmod 644 .env && cat .env; rm -f .env; mv .env moved; ln .env linked
git hash-object .env; wc -c < .env; ls -A`,
      ),
    )
    expect(output).not.toContain("hunter2")
    expect(output).toContain("cat: .env: Permission denied")
    expect(output).toContain("EACCES")
    expect(output).toMatch(/chmod: .*Read-only file system/)
    expect(output).toMatch(/rm: .*busy[\s\S]*mv: .*busy/)
    for (const name of ["copied", "moved", "linked"]) expect(existsSync(path.join(fixture.project, name))).toBe(false)
    expect(fixture.read(".env") + fixture.read("packages/a/.env.local")).toBe(secret + secret)
  })

  test("is named with its permission by a result that failed for it", async () => {
    const fixture = project()
    const output = await fixture.run(script(fixture, "cat .env"))
    expect(output).toMatch(/\[permission: .*"read".*: \.env\..*read set to \["\.env"\]/)
    expect(output).not.toContain("outside_sandbox")
    expect(await fixture.run(script(fixture, "cat missing"))).not.toContain("[permission")
    const tool = createBashTool({ env: { ...process.env, HOME: fixture.home }, clock: Date.now })
    const { metadata } = await tool.execute({ command: script(fixture, "cat .env; true") }, fixture.context)
    expect(metadata).toMatchObject({ exit: 0, closed: [".env"] })
  })

  test("opens for a command with one-time permission, not for the next", async () => {
    const fixture = project()
    const command = script(fixture, "cat .env")
    await expect(fixture.run(command, { read: [".env"] })).rejects.toThrow("rejected")
    expect(fixture.asks.at(-1)).toMatchObject({
      permission: "read",
      patterns: [".env"],
      always: ["sh run.sh < .env"],
      command: "sh run.sh",
    })
    const allowing = { ...fixture.context, ask: async () => {} }
    expect(await fixture.run(command, { read: [".env"], context: allowing })).toBe(`${secret}[exit code 0]`)
    expect(await fixture.run(command)).toContain("Permission denied")
  })

  test("stays open for the one command that is always allowed", async () => {
    const fixture = project()
    fixture.grants.push({ permission: "read", pattern: "sh run.sh < .env", from: "project" })
    expect(await fixture.run(script(fixture, "cat .env"))).toBe(`${secret}[exit code 0]`)
    expect(await fixture.run("sh ./run.sh")).toContain("Permission denied")
    fixture.grants.push({ permission: "read", pattern: "*" })
    expect(await fixture.run("sh ./run.sh")).toBe(`${secret}[exit code 0]`)
  })

  test("opens for an allowed command that names the file itself", async () => {
    const fixture = project()
    const allowing = { ...fixture.context, ask: async () => {} }
    expect(await fixture.run("cat .env", { context: allowing })).toBe(`${secret}[exit code 0]`)
    fixture.write("other/.env", secret)
    expect(await fixture.run(`cat .env; sh run.sh`, { context: allowing })).toContain("hunter2")
    fixture.write("run.sh", "cat other/.env")
    expect(await fixture.run(`cat .env; sh run.sh`, { context: allowing })).toContain("other/.env: Permission denied")
  })

  test("is closed to commands in the worktree of a task, too", async () => {
    const fixture = project()
    fixture.write("a.txt", "a")
    fixture.git("add", "a.txt")
    fixture.git(...author.split(" "), "commit", "-qm", "One")
    const worktree = path.join(fixture.data, "worktrees", "one")
    fixture.git("worktree", "add", "-q", worktree)
    writeFileSync(path.join(worktree, ".env"), secret)
    Object.assign(fixture.context, { worktree, directory: worktree })
    writeFileSync(path.join(worktree, "run.sh"), "cat .env; git status --short; git log --oneline | wc -l")
    expect(await fixture.run("sh run.sh")).toMatch(/Permission denied\n\?\? \.env\n\?\? run.sh\n1\n/)
  })

  test("is closed in other places that commands can change, too", async () => {
    const fixture = createSandboxFixture({ read: { "*": "allow", "*.env": "ask" } }, ({ outside }) => ({
      write: [outside],
    }))
    const file = path.join(fixture.outside, "shared.env")
    writeFileSync(file, secret)
    const output = await fixture.run(
      script(fixture, `cat ${file}; echo made > ${fixture.outside}/made; cat ${fixture.outside}/made`),
    )
    expect(output).toMatch(/Permission denied\nmade\n/)
    const context = { ...fixture.context, ask: async () => {} }
    expect(await fixture.run("sh run.sh", { read: [file], context })).toContain("hunter2")
  })

  test("opens when it is an example, allowed, or created by the command", async () => {
    const fixture = project({ "fine.env": "allow" })
    fixture.write(".env.example", "TOKEN=\n")
    fixture.write("fine.env", "FINE=1\n")
    const output = await fixture.run(
      script(fixture, "cat .env.example fine.env; mkdir made; echo OWN=1 > made/.env; cat made/.env"),
    )
    expect(output).toBe("TOKEN=\nFINE=1\nOWN=1\n[exit code 0]")
    expect(await fixture.run(script(fixture, "cat made/.env"))).toContain("Permission denied")
  })

  test("stays unreadable when a person made it between two commands", async () => {
    const fixture = project()
    await fixture.run("mkdir late")
    fixture.write("late/.env", secret)
    expect(await fixture.run(script(fixture, "cat late/.env"))).toContain("Permission denied")
  })
})

describe.skipIf(lack !== null)("a file that the rules deny", () => {
  test("is refused even when permission is requested", async () => {
    const fixture = project({ "*.pem": "deny" })
    fixture.write("keys/a.pem", secret)
    const output = await fixture.run(script(fixture, "cat keys/a.pem"))
    expect(output).toMatch(/Permission denied[\s\S]*\[permission: .*keys\/a\.pem/)
    expect(output).not.toContain("read set to")
    await expect(fixture.run("sh run.sh", { read: ["keys/a.pem"] })).rejects.toThrow("do not allow read")
  })

  test("cannot be moved out of the rule's reach with its directory", async () => {
    const fixture = project({ "config/*": "deny" })
    fixture.write("config/login.json", secret)
    await fixture.run(script(fixture, "mv config public; ls"))
    expect(await fixture.run(script(fixture, "cat public/login.json config/login.json"))).not.toContain("hunter2")
    expect(fixture.read("config/login.json")).toBe(secret)
  })
})

describe.skipIf(lack !== null)("a closed file that a command wants to hide", () => {
  const tries = {
    "beside files that make its directory look like a .git directory":
      "echo x > config/HEAD; mkdir config/objects; touch config/config",
    "in a directory called .git": "mkdir -p x/.git/refs && mv config x/.git/refs/",
    "in a directory whose name is not UTF-8": `d=$(printf '\\377'); mkdir "$d" && mv config "$d/"`,
    "in a directory that is moved away and made again": "mkdir away && mv config away/ && mv away config",
    "below a path that is too long to be named": `long=$(printf 'd%.0s' $(seq 200)); for top in one two; do
(mkdir $top && cd $top && for i in $(seq 11); do mkdir $long && cd $long; done); done
end() { (cd $1; while cd $long 2>/dev/null; do :; done; pwd); }
mv config "$(end one)"; mv one "$(end two)"`,
  }
  test.each(Object.entries(tries))("stays closed %s", async (_, attack) => {
    const fixture = project()
    fixture.write("config/.env", "TOKEN=hunter3\n")
    await fixture.run(script(fixture, attack))
    const look = script(fixture, "cat config/.env; find . -name .env -execdir cat {} + 2>&1; ls -R . | wc -l")
    const output = await fixture.run(look).catch(String)
    expect(output).toMatch(/Permission denied|was not run/)
    expect(output).not.toContain("hunter")
  })

  test("is not hidden by a branch of that name", async () => {
    const fixture = project()
    fixture.write("a.txt", "a")
    fixture.git("add", "a.txt")
    fixture.git(...author.split(" "), "commit", "-qm", "One")
    fixture.git("branch", "prod.env")
    expect(await fixture.run("git switch -q prod.env && git log --oneline | wc -l")).toContain("1\n[exit code 0]")
  })
})

describe.skipIf(lack !== null)("git beside a closed file", () => {
  test("reports no change of the closed file, and commits all others", async () => {
    const fixture = project()
    fixture.write("a.txt", "a")
    fixture.git("add", ".env", "a.txt")
    fixture.git(...author.split(" "), "commit", "-qm", "One")
    const before = fixture.git("status", "--porcelain")
    expect(before).toBe("")
    const output = await fixture.run(
      script(
        fixture,
        `git status --short; git diff --stat; echo b > a.txt; git add -u && git ${author} commit -qm Two; git status --short`,
      ),
    )
    expect(output).toMatch(/^\?\? run\.sh\n\?\? run\.sh\n\[exit code 0\]$/)
    expect(fixture.git("show", "HEAD:.env")).toBe(secret.trim())
    expect(fixture.git("status", "--porcelain")).toBe("?? run.sh")
  })

  test("reports no change for a file just committed or checked out", async () => {
    const fixture = project()
    fixture.write("later.env", secret)
    fixture.git("add", "later.env")
    fixture.git(...author.split(" "), "commit", "-qm", "One")
    const output = await fixture.run(script(fixture, "git status --short; cat later.env"))
    expect(output).toMatch(/^\?\? \.env\n\?\? run\.sh\ncat: later\.env: Permission denied\n/)
    expect(output).toContain('read set to ["later.env"]')
    execFileSync("git", ["clone", "-q", fixture.project, path.join(fixture.project, "clone")])
    expect(await fixture.run("git -C clone status --short")).toBe("(no output)\n[exit code 0]")
  })

  test("commits no other content when git reads the file again", async () => {
    const fixture = project()
    fixture.write(".env", "TOKEN=old\n")
    aged(fixture, ".env")
    fixture.git("add", ".env")
    fixture.git(...author.split(" "), "commit", "-qm", "One")
    fixture.write(".env", "TOKEN=changed by the person\n")
    const output = await fixture.run(
      script(fixture, `git ${author} commit -qam Two; git add .env; git log --oneline | wc -l`),
    )
    expect(output).toMatch(/Permission denied/)
    expect(output).toContain("\n1\n")
    expect(fixture.git("show", "HEAD:.env")).toBe("TOKEN=old")
  })

  test("reports an error for a closed file that is not tracked", async () => {
    const fixture = project()
    const before = fixture.git("status", "--porcelain")
    const output = await fixture.run("git add -A")
    expect(output).toContain('open(".env"): Permission denied')
    expect(output).toContain("[permission:")
    expect(fixture.git("ls-files")).toBe("")
    expect(fixture.git("status", "--porcelain")).toBe(before)
  })
})

describe.skipIf(lack !== null)("stand-ins for closed files", () => {
  test("are gone when the command has ended or was stopped", async () => {
    const fixture = project()
    await fixture.run(script(fixture, "cat .env"))
    await fixture.run(script(fixture, "sleep 60"), { timeout: 200 })
    expect(standIns(fixture)).toEqual([])
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: fixture.project }).toString()).toBe(
      "?? .env\n?? run.sh\n",
    )
  })

  test("are gone at the next start after the service was killed", async () => {
    const fixture = project()
    const { project: directory, data, home } = fixture
    const place = {
      project: directory,
      worktree: directory,
      directory,
      readable: [],
      writable: [],
      hidden: [],
      variables: [],
      hosts: [],
    }
    const launch = { file: "/bin/true", args: [], cwd: directory, env: {} }
    const closed = { patterns: ["*.env"], among: async (files: readonly string[]) => [...files] }
    const { release } = await fixture.sandbox.confine(launch, place, closed)
    release()
    expect(standIns(fixture)).toHaveLength(1)
    writeFileSync(path.join(data, "sandbox", "system-calls-1.bpf"), "")
    const dirs = { home, dataDirectory: data, configDirectory: path.join(home, "config") }
    await createSandbox({ ...dirs, env: process.env, platform: process.platform, clock: Date.now }).state()
    expect(standIns(fixture)).toEqual([])
    expect(readdirSync(path.join(data, "sandbox")).filter((name) => name.endsWith(".bpf"))).toEqual([])
    expect(readFileSync(path.join(directory, ".env"), "utf8")).toBe(secret)
  })
})
