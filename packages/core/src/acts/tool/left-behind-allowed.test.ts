import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
import path from "node:path"
import { describe, expect, test } from "vitest"
import type { LeftBehind } from "../../ground/schema/tool-metadata.ts"
import { confinementOf } from "../sandbox/confinement.ts"
import { createBashTool } from "./bash.ts"
import { createSandboxFixture, sandboxLack } from "./test/sandbox-fixture.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`Allowing what commands leave is not tried: ${lack}`)

/** Runs commands in a project; a user may allow the files they leave, collected in `allowed`. */
function setUp() {
  const fixture = createSandboxFixture()
  const allowed: string[] = []
  const projectID = path.dirname(fixture.project)
  const work = { ...fixture.context, projectID, allowed: async () => allowed }
  fixture.context.confinement = () => confinementOf(fixture.sandbox, { mode: "required" }, work)
  const tool = createBashTool({ env: { ...process.env, HOME: fixture.home }, clock: Date.now })
  return {
    fixture,
    allowed,
    async run(command: string): Promise<LeftBehind[]> {
      const { metadata } = await tool.execute({ command }, fixture.context)
      return (metadata as { leftBehind?: LeftBehind[] }).leftBehind ?? []
    },
    allow: ({ id = "" }: LeftBehind) =>
      fixture.sandbox.allowLeft(projectID, id, async (pattern) => void allowed.push(pattern)),
    git: (...args: string[]) => execFileSync("git", args, { cwd: fixture.project }).toString().trim(),
  }
}

const only = ([left, ...more]: LeftBehind[]): LeftBehind => {
  if (left === undefined || more.length > 0) throw new Error(`not one: ${JSON.stringify([left, ...more])}`)
  return left
}

describe.skipIf(lack !== null)("configuration that was moved aside and is allowed", () => {
  test("is restored and stays until its content changes or permission is revoked", async () => {
    const { fixture, allowed, run, allow } = setUp()
    const make = "rm -rf .vscode; mkdir .vscode; echo wanted > .vscode/settings.json"
    const left = only(await run(make))
    expect(left).toMatchObject({ kind: "moved-aside", path: ".vscode", id: expect.stringMatching(/^[0-9a-f]{32}$/) })
    await allow(left)
    expect(fixture.read(".vscode/settings.json")).toBe("wanted\n")
    expect(allowed).toEqual([`.vscode ${left.id}`])
    expect(existsSync(left.aside ?? "")).toBe(false)
    await expect(allow(left)).rejects.toThrow("not kept")
    execFileSync("rm", ["-rf", path.join(fixture.project, ".vscode")])
    expect(await run(make)).toEqual([])
    expect(fixture.read(".vscode/settings.json")).toBe("wanted\n")
    execFileSync("rm", ["-rf", path.join(fixture.project, ".vscode")])
    expect(only(await run(make.replace("wanted", "other"))).id).not.toBe(left.id)
    allowed.splice(0)
    expect(only(await run(make)).id).toBe(left.id)
  })

  test("does not replace a file that exists by then", async () => {
    const { fixture, allowed, run, allow } = setUp()
    const left = only(await run("echo wanted > .envrc"))
    fixture.write(".envrc", "mine")
    await expect(allow(left)).rejects.toThrow(/\.envrc.*is there.*Move it away/)
    expect(fixture.read(".envrc")).toBe("mine")
    expect(allowed).toEqual([])
  })

  test("is put back while another command runs, and stays", async () => {
    const { fixture, run, allow } = setUp()
    const left = only(await run("echo wanted > .envrc"))
    execFileSync("mkfifo", ["gate"], { cwd: fixture.project })
    const going = run("cat gate")
    // The pipe opens once the command reads it.
    const gate = await open(path.join(fixture.project, "gate"), "w")
    await allow(left)
    await gate.close()
    expect(await going).toEqual([])
    expect(fixture.read(".envrc")).toBe("wanted\n")
  })
})

describe.skipIf(lack !== null)("a program that git would start and that is allowed", () => {
  test("is in the settings again until these change", async () => {
    const { run, allow, git } = setUp()
    const left = only(await run("git init -q sub; git -C sub config alias.st '!echo started'"))
    expect(() => git("-C", "sub", "st")).toThrow()
    await allow(left)
    expect(git("-C", "sub", "st")).toBe("started")
    expect(await run("mv sub other; mv other sub; touch sub/x")).toEqual([])
    const changed = only(await run("git -C sub config alias.more '!echo more'"))
    expect(changed).toMatchObject({ path: "sub/.git/config", what: ["alias.more"] })
    expect(git("-C", "sub", "st")).toBe("started")
    expect(await run("rm -rf sub; git init -q sub; git -C sub config alias.st '!echo started'")).toEqual([])
  })

  test("is active as a hook again, after it was switched off", async () => {
    const { fixture, run, allow } = setUp()
    await run("git init -q sub")
    fixture.write("hook", "#!/bin/sh\n")
    chmodSync(path.join(fixture.project, "hook"), 0o755)
    const left = only(await run("cp hook sub/.git/hooks/pre-commit"))
    expect(left).toMatchObject({ kind: "switched-off", path: "sub/.git/hooks/pre-commit" })
    await allow(left)
    expect(fixture.read("sub/.git/hooks/pre-commit")).toBe("#!/bin/sh\n")
    expect(existsSync(path.join(fixture.project, "sub/.git/hooks/pre-commit.switched-off"))).toBe(false)
  })

  test("is not overwritten when changed since; allowing it fails", async () => {
    const { fixture, allowed, run, allow } = setUp()
    const left = only(await run("git init -q sub; git -C sub config alias.st '!echo started'"))
    const file = path.join(fixture.project, "sub/.git/config")
    writeFileSync(file, "[user]\n\tname = Mine\n")
    await expect(allow(left)).rejects.toThrow(/changed since.*by hand/)
    expect(readFileSync(file, "utf8")).toBe("[user]\n\tname = Mine\n")
    expect(allowed).toEqual([])
  })

  test("does not apply to other projects or names that lead elsewhere", async () => {
    const { fixture, run } = setUp()
    const { id = "" } = only(await run("echo wanted > .envrc"))
    for (const [project, left] of [
      ["/another", id],
      [path.dirname(fixture.project), "../../token"],
    ] as const)
      await expect(fixture.sandbox.allowLeft(project, left, async () => {})).rejects.toThrow("not kept")
  })
})
