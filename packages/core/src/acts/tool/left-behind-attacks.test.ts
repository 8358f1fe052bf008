import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { plantProgram, repositoryScript, usersGit } from "./test/planted-program.ts"
import { createSandboxFixture, type SandboxFixture, sandboxLack } from "./test/sandbox-fixture.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`Attacks by what commands leave behind are not tried: ${lack}`)

/** A submodule `s` of the project. */
const submodule = `${repositoryScript("s")}; git add s 2>/dev/null; printf '[submodule "s"]\\n\\tpath = s\\n\\turl = ./s\\n' > .gitmodules`

/** Shell code that finds the path, on the real machine, of the home directory that commands see. */
function homeOutside({ data }: SandboxFixture): string {
  return `${path.join(data, "sandbox")}/$(basename $(dirname $(awk '$5 == "'$HOME'" {print $4}' /proc/self/mountinfo)))/home`
}

interface Attack {
  /** Scripts of the agent, run one after another. */
  steps(program: string, home: string): string[]
  /** The text that the output must name. */
  named: string
  /** The git command of the user. */
  git?: string[]
}

/** Runs scripts as an agent does, then the user's own git. */
async function attack({ steps, git = ["status"] }: Attack): Promise<{ ran: string; output: string }> {
  const fixture = createSandboxFixture()
  const { program, ran } = plantProgram(fixture)
  let output = ""
  for (const [index, step] of steps(program, homeOutside(fixture)).entries()) {
    fixture.write(`step${index}.sh`, step)
    output += await fixture.run(`sh step${index}.sh`)
  }
  usersGit(fixture.project, ...git)
  return { ran: ran(), output }
}

describe.skipIf(lack !== null)("a file that was harmless when a command made it", () => {
  test.each<[string, Attack]>([
    [
      "settings of a repository that lacked its HEAD",
      {
        steps: (program) => [
          `${submodule}; mv s/.git/HEAD s/.git/H; git config -f s/.git/config core.fsmonitor ${program}`,
          "mv s/.git/H s/.git/HEAD",
        ],
        named: "s/.git/config (core.fsmonitor)",
      },
    ],
    [
      "hooks in a directory of another name",
      {
        steps: () => [
          `${submodule}; mkdir s/.git/h; cp evil s/.git/h/post-index-change`,
          "rm -rf s/.git/hooks; mv s/.git/h s/.git/hooks",
        ],
        named: "s/.git/hooks/post-index-change",
        git: ["-C", "s", "checkout", "-q", "HEAD"],
      },
    ],
  ])("is switched off once git uses it: %s", async (_, tried) => {
    const { ran, output } = await attack(tried)
    expect(ran).toBe("")
    expect(output).toContain(tried.named)
  })

  test("is moved aside once it is used: configuration from installed packages", async () => {
    const fixture = createSandboxFixture()
    const names = [".vscode", ".claude", ".envrc", ".mcp.json", "docket.json"]
    fixture.write(
      "make.sh",
      "mkdir -p node_modules/x/.vscode node_modules/x/.claude; cd node_modules/x; for file in .vscode/tasks.json .claude/settings.json .envrc .mcp.json docket.json; do echo evil > $file; done",
    )
    await fixture.run("sh make.sh")
    await fixture.run("touch other")
    const output = await fixture.run("mv node_modules/x pkg")
    for (const name of names) {
      expect(existsSync(path.join(fixture.project, "pkg", name))).toBe(false)
      expect(output).toContain(`pkg/${name}`)
    }
  })

  test("is moved aside when its directory looks like a git directory", async () => {
    const fixture = createSandboxFixture()
    expect(await fixture.run("mkdir -p pkg/refs; touch pkg/HEAD; echo evil > pkg/.envrc")).toContain("pkg/.envrc")
    expect(existsSync(path.join(fixture.project, "pkg", ".envrc"))).toBe(false)
  })
})

describe.skipIf(lack !== null)("a person's own configuration", () => {
  test("stays when a command runs after they added a submodule", async () => {
    const fixture = createSandboxFixture()
    usersGit(fixture.outside, "init", "-q", "lib")
    const commit = ["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--allow-empty", "-qm", "One"]
    usersGit(path.join(fixture.outside, "lib"), ...commit)
    await fixture.run("touch first")
    const added = usersGit(
      fixture.project,
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "add",
      `${fixture.outside}/lib`,
      "lib",
    )
    expect(added).not.toContain("Error")
    expect(await fixture.run("touch second")).toBe("(no output)\n[exit code 0]")
    expect(usersGit(path.join(fixture.project, "lib"), "config", "core.worktree")).toContain("lib")
  })

  test("does not cover the same name after they removed it", async () => {
    const fixture = createSandboxFixture()
    fixture.write("a/.envrc", "mine")
    await fixture.run("touch first")
    usersGit(fixture.project, "clean", "-fdqx", "a")
    expect(existsSync(path.join(fixture.project, "a"))).toBe(false)
    expect(await fixture.run("mkdir a; echo evil > a/.envrc")).toContain("a/.envrc")
    expect(existsSync(path.join(fixture.project, "a", ".envrc"))).toBe(false)
  })

  test("keeps a worktree whose repository lies elsewhere", async () => {
    const fixture = createSandboxFixture()
    mkdirSync(path.join(fixture.project, "mine"))
    usersGit(fixture.outside, "init", "-q", "far")
    writeFileSync(path.join(fixture.project, "mine", ".git"), `gitdir: ${fixture.outside}/far/.git\n`)
    expect(await fixture.run("touch first; touch mine/x")).toBe("(no output)\n[exit code 0]")
    expect(usersGit(path.join(fixture.project, "mine"), "status", "--short")).toContain("x")
  })
})

describe.skipIf(lack !== null)("a file that leads git elsewhere", () => {
  test.each<[string, Attack]>([
    [
      "a `.git` through a link and back",
      {
        steps: (program, home) => [
          `${submodule}; cp -r s/.git ~/evil; git config -f ~/evil/config core.fsmonitor ${program}
mkdir ~/d; mv s/.git s/evil; ln -s ${home}/d s/lnk; echo "gitdir: lnk/../evil" > s/.git`,
        ],
        named: "s/.git (.git)",
      },
    ],
    [
      "a `commondir` through a link and back",
      {
        steps: (program, home) => [
          `${submodule}; mkdir ~/d; cp -r s/.git ~/evil; cp -r s/.git t; git config -f ~/evil/config core.fsmonitor ${program}
mv t s/.git/evil; ln -s ${home}/d s/.git/lnk; echo lnk/../evil > s/.git/commondir`,
        ],
        named: "s/.git/commondir (commondir)",
      },
    ],
    [
      "a link that a later command changed",
      {
        steps: (program, home) => [
          `${submodule}; mkdir ~/k k; cp -r s/.git ~/k/evil; git config -f ~/k/evil/config core.fsmonitor ${program}
mv s/.git k/evil; ln -s k l; echo "gitdir: ../l/evil" > s/.git`,
          `rm l; ln -s ${home}/k l`,
        ],
        named: "s/.git (.git)",
      },
    ],
  ])("is switched off: %s", async (_, tried) => {
    const { ran, output } = await attack(tried)
    expect(ran).toBe("")
    expect(output).toContain(tried.named)
  })
})

describe.skipIf(lack !== null)("a directory with an unreadable name", () => {
  test("is renamed and searched when it holds a repository", async () => {
    const { ran, output } = await attack({
      steps: (program) => [
        `d=$(printf 'a\\377/b\\376/c'); mkdir -p "$d"; ${repositoryScript('"$d"')}; git -C "$d" config core.fsmonitor ${program}; git add "$d"`,
      ],
      named: "",
    })
    expect(ran).toBe("")
    expect(output).toContain("a_.switched-off/b_.switched-off/c/.git/config (core.fsmonitor)")
  })

  test("stays unreported when it holds no repository", async () => {
    const fixture = createSandboxFixture()
    fixture.write("make.sh", "mkdir -p $(printf 'caf\\351/in'); touch $(printf 'caf\\351/in/\\351')")
    expect(await fixture.run("sh make.sh; ls | wc -l")).toBe("2\n[exit code 0]")
    expect(await fixture.run("ls | wc -l")).toBe("2\n[exit code 0]")
  })

  test("is named when its path is too long for the system", async () => {
    const fixture = createSandboxFixture()
    fixture.write(
      "make.sh",
      "n=dddddddddddddddddddddddddddddddddddddddddddddddddd; while [ $(pwd | wc -c) -lt 4030 ]; do mkdir $n; cd $n; done; mkdir -p $n/$n",
    )
    const output = await fixture.run("sh make.sh")
    expect(output).toContain("could not be looked through")
    expect(await fixture.run("rm -rf d*")).toBe("(no output)\n[exit code 0]")
  })
})

describe.skipIf(lack !== null)("a project file that a person's git settings name", () => {
  test("is read-only and stays where it is", async () => {
    const fixture = createSandboxFixture()
    const { program, ran } = plantProgram(fixture)
    fixture.write("tools/hooks/pre-push", "mine")
    fixture.write(".gitconfig.shared", "[user]\n\tname = Mine\n")
    usersGit(fixture.project, "config", "core.hooksPath", "tools/hooks")
    usersGit(fixture.project, "config", "include.path", "../.gitconfig.shared")
    fixture.write(
      "change.sh",
      `cp evil tools/hooks/post-index-change; git config -f .gitconfig.shared core.fsmonitor ${program}; mv tools away; mkdir -p tools/hooks; cp evil tools/hooks/post-index-change`,
    )
    const output = await fixture.run("sh change.sh")
    usersGit(fixture.project, "add", "change.sh")
    expect(ran()).toBe("")
    expect(output).toContain("Read-only file system")
    expect(usersGit(fixture.project, "config", "user.name")).toBe("Mine\n")
  })

  test("is moved aside when a command makes it", async () => {
    const fixture = createSandboxFixture()
    const { ran } = plantProgram(fixture)
    usersGit(fixture.project, "config", "core.hooksPath", ".husky/_")
    fixture.write("make.sh", "mkdir -p .husky/_; cp evil .husky/_/post-index-change")
    expect(await fixture.run("sh make.sh")).toContain(".husky")
    usersGit(fixture.project, "add", "make.sh")
    expect(ran()).toBe("")
    expect(existsSync(path.join(fixture.project, ".husky"))).toBe(false)
  })
})
