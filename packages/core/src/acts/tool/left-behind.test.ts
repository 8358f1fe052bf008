import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { createBashTool } from "./bash.ts"
import { createEditTool } from "./edit.ts"
import { createFileLocks } from "./file-locks.ts"
import { author, plantProgram, usersGit } from "./test/planted-program.ts"
import { createSandboxFixture, sandboxLack } from "./test/sandbox-fixture.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`What commands leave behind is not tried: ${lack}`)

describe.skipIf(lack !== null)("git files that a command in the sandbox leaves behind", () => {
  test("run no program through settings and hooks, at any depth", async () => {
    const fixture = createSandboxFixture()
    const { program, trace } = plantProgram(fixture)
    const output =
      await fixture.run(`mkdir -p a/b && git init -q a/b/sub && cd a/b/sub && touch x && git add x && git ${author} commit -qm One
git config core.fsmonitor ${program}; git config alias.st '!${program}'; git config filter.f.clean ${program}; git config user.name Kept
printf '[include]\\n\\tpath = more\\n' >> .git/config; printf '[core]\\n\\tfsmonitor = ${program}\\n' > .git/more; echo '* filter=f' > .gitattributes
cp ${program} .git/hooks/post-checkout; cp ${program} .git/hooks/post-index-change
cd ../../..; git add a/b/sub 2>/dev/null; printf '[submodule "s"]\\n\\tpath = a/b/sub\\n\\turl = ./a/b/sub\\n' > .gitmodules`)
    const sub = path.join(fixture.project, "a", "b", "sub")
    usersGit(fixture.project, "status")
    usersGit(sub, "status")
    usersGit(sub, "st")
    usersGit(sub, "checkout", "-q", "HEAD")
    expect(existsSync(trace)).toBe(false)
    expect(usersGit(sub, "config", "user.name")).toBe("Kept\n")
    expect(output).toContain("a/b/sub/.git/config")
    for (const name of ["core.fsmonitor", "alias.st", "filter.f.clean", "include.path", "post-checkout"])
      expect(output).toContain(name)
  })

  test("run no program through a bare repository or settings elsewhere", async () => {
    const fixture = createSandboxFixture()
    const { program, trace } = plantProgram(fixture)
    const output =
      await fixture.run(`git init -q --bare inner/bare && git -C inner/bare config core.fsmonitor ${program}
git -C inner/bare config core.worktree ..; cp ${program} inner/bare/hooks/post-index-change
mkdir pointed && git init -q --bare ~/far && git -C ~/far config core.bare false && git -C ~/far config core.fsmonitor ${program}
echo "gitdir: ${path.join(fixture.data, "sandbox")}/$(basename $(dirname $(awk '$5 == "'$HOME'" {print $4}' /proc/self/mountinfo)))/home/far" > pointed/.git
mkdir common linked && cp -r inner/bare/HEAD linked/HEAD && cp -r inner/bare/objects inner/bare/refs common/
printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = ..\\n\\tfsmonitor = ${program}\\n' > common/config
echo ../common > linked/commondir; ln -s $PWD/common/config late; git init -q third; rm third/.git/config; ln -s ../../late third/.git/config`)
    for (const place of ["inner", "inner/bare", "pointed", "linked", "third"])
      usersGit(path.join(fixture.project, place), "status", "--short")
    expect(existsSync(trace) ? readFileSync(trace, "utf8") : "").toBe("")
    for (const name of ["inner/bare/config", "pointed/.git", "linked/commondir", "third/.git/config"])
      expect(output).toContain(name)
  })

  test("stay unchanged and unreported when they name no program", async () => {
    const fixture = createSandboxFixture()
    const output = await fixture.run(
      `git init -q sub && cd sub && git config user.name B && git remote add origin https://example.org/x.git && git ${author} commit -q --allow-empty -m One && git worktree add -q ../linked && cat .git/config`,
    )
    expect(output).toBe(
      `${readFileSync(path.join(fixture.project, "sub", ".git", "config"), "utf8").trim()}\n[exit code 0]`,
    )
    expect(usersGit(path.join(fixture.project, "linked"), "status", "--short")).toBe("")
  })

  test("are switched off, while a person's own settings and hooks stay", async () => {
    const fixture = createSandboxFixture()
    const { program } = plantProgram(fixture)
    const sub = path.join(fixture.project, "sub")
    usersGit(fixture.project, "init", "-q", "sub")
    usersGit(sub, "config", "core.hooksPath", ".mine")
    writeFileSync(path.join(sub, ".git", "hooks", "pre-push"), "mine")
    const output = await fixture.run(`git -C sub config core.fsmonitor ${program}; git -C sub config user.name B`)
    expect(usersGit(sub, "config", "core.hooksPath") + usersGit(sub, "config", "user.name")).toBe(".mine\nB\n")
    expect(usersGit(sub, "config", "--get", "core.fsmonitor")).toContain("Error")
    expect(readFileSync(path.join(sub, ".git", "hooks", "pre-push"), "utf8")).toBe("mine")
    expect(output).toContain("core.fsmonitor")
    expect(output).not.toMatch(/hookspath|pre-push/i)
    // A setting that the user makes between two commands must not be attributed to the next command.
    usersGit(sub, "config", "core.fsmonitor", program)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await fixture.run("touch made")).toBe("(no output)\n[exit code 0]")
    expect(usersGit(sub, "config", "core.fsmonitor")).toBe(`${program}\n`)
  })

  test("are shown on the card, also when the command was stopped", async () => {
    const fixture = createSandboxFixture()
    const { program } = plantProgram(fixture)
    const tool = createBashTool({ env: { ...process.env, HOME: fixture.home }, clock: Date.now })
    const command = `git init -q sub; git -C sub config core.fsmonitor ${program}; sleep 300`
    const { metadata } = await tool.execute({ command, timeout: 1_500 }, fixture.context)
    expect(metadata).toMatchObject({
      timedOut: true,
      leftBehind: [{ kind: "switched-off", path: "sub/.git/config", what: ["core.fsmonitor"] }],
    })
  })
})

describe.skipIf(lack !== null)("configuration that a command in the sandbox makes", () => {
  test("is moved aside and named, and git's status is as before", async () => {
    const fixture = createSandboxFixture()
    fixture.write("packages/a/kept.txt", "kept")
    fixture.write("packages/a/.envrc", "mine")
    usersGit(fixture.project, "add", "packages")
    fixture.write(
      "make.sh",
      `echo {} > docket.json; echo {} > opencode.jsonc; echo {} > .mcp.json; echo evil > .envrc; echo evil > .bashrc
for place in .docket .opencode .claude .vscode .idea packages/a/.vscode; do mkdir $place; echo evil > $place/tasks.json; done; ln -s docket.json packages/docket.json
mkdir -p node_modules/b/.vscode; echo evil > node_modules/b/.vscode/x; echo evil > ~/.profile`,
    )
    usersGit(fixture.project, "add", "make.sh")
    const before = usersGit(fixture.project, "status", "--short", "--ignored")
    const output = await fixture.run("sh make.sh")
    for (const name of ".docket .opencode .claude .vscode .idea docket.json opencode.jsonc .mcp.json .envrc .bashrc packages/a/.vscode packages/docket.json".split(
      " ",
    )) {
      expect(existsSync(path.join(fixture.project, name))).toBe(false)
      expect(output).toContain(name)
    }
    expect(fixture.read("packages/a/.envrc")).toBe("mine")
    expect(output).toContain("~/.profile")
    expect(await fixture.run("cat ~/.profile; rm -r node_modules")).toContain("No such file")
    expect(usersGit(fixture.project, "status", "--short", "--ignored")).toBe(before)
  })

  test("is read-only where it already exists, but the tools can edit it", async () => {
    const fixture = createSandboxFixture()
    const names = [".vscode/launch.json", ".idea/run.xml", ".envrc", ".mcp.json", "packages/a/.vscode/tasks.json"]
    for (const name of [...names, "packages/b/docket.json", "node_modules/b/.vscode/x"]) fixture.write(name, "mine")
    fixture.write(
      "change.sh",
      `for file in ${names.join(" ")} packages/b/docket.json node_modules/b/.vscode/x; do
echo evil > $file; rm -f $file; mv $file moved; done; echo evil > .vscode/tasks.json; rm -rf .vscode .idea; mv packages/a/.vscode away; mv packages/a packages/c; ls packages`,
    )
    const output = await fixture.run("sh change.sh")
    expect(output).toContain("Read-only file system")
    for (const name of names.slice(0, 4)) expect(fixture.read(name)).toBe("mine")
    expect(fixture.read("packages/c/.vscode/tasks.json") + fixture.read("packages/b/docket.json")).toBe("minemine")
    expect(existsSync(path.join(fixture.project, ".vscode/tasks.json"))).toBe(false)
    expect(existsSync(path.join(fixture.project, "node_modules/b/.vscode/x"))).toBe(false)
    const edit = { filePath: ".vscode/launch.json", oldString: "mine", newString: "edited" }
    await createEditTool({ withFileLock: createFileLocks() }).execute(edit, fixture.context)
    expect(fixture.read(".vscode/launch.json")).toBe("edited")
    expect(await fixture.run("sh change.sh; cat packages/c/.vscode/tasks.json")).toContain("mine")
  })

  test("is moved aside when it replaces a link; the target stays untouched", async () => {
    const fixture = createSandboxFixture()
    fixture.write("config/editor/settings.json", "mine")
    symlinkSync("config/editor", path.join(fixture.project, ".vscode"))
    symlinkSync("config/env", path.join(fixture.project, ".envrc"))
    expect(await fixture.run("touch made; cat .vscode/settings.json")).toBe("mine\n[exit code 0]")
    const output = await fixture.run(
      "rm .vscode; mkdir .vscode; echo evil > .vscode/settings.json; ln -sfn other .envrc; echo evil > other",
    )
    expect(output).toContain(".vscode →")
    expect(output).toContain(".envrc →")
    for (const name of [".vscode", ".envrc"]) expect(existsSync(path.join(fixture.project, name))).toBe(false)
  })

  test("stays when a person puts it back by hand", async () => {
    const fixture = createSandboxFixture()
    const output = await fixture.run("mkdir .vscode; echo wanted > .vscode/settings.json")
    const aside = /^\S.* (\/\S+\/\.vscode)\b/m.exec(output)?.[1] ?? ""
    renameSync(aside, path.join(fixture.project, ".vscode"))
    await new Promise((resolve) => setTimeout(resolve, 50))
    await fixture.run("mkdir other")
    expect(fixture.read(".vscode/settings.json")).toBe("wanted\n")
    expect(await fixture.run("echo evil > .vscode/tasks.json")).toContain(".vscode/tasks.json")
    expect(fixture.read(".vscode/settings.json")).toBe("wanted\n")
    expect(existsSync(path.join(fixture.project, ".vscode", "tasks.json"))).toBe(false)
  })

  test("is told apart from a person's and older files, which stay", async () => {
    const fixture = createSandboxFixture()
    mkdirSync(path.join(fixture.project, ".idea"))
    appendFileSync(path.join(fixture.project, ".envrc"), "mine")
    expect(await fixture.run("mkdir made; touch .idea/../made/x")).toBe("(no output)\n[exit code 0]")
    expect(existsSync(path.join(fixture.project, ".idea"))).toBe(true)
    expect(fixture.read(".envrc")).toBe("mine")
  })
})
