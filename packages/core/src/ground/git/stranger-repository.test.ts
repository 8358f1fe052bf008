import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createWorktrees } from "../../engine/delegation/worktrees.ts"
import { createSnapshots } from "../../engine/snapshot/create-snapshots.ts"
import { createProjects } from "../../setup/project/projects.ts"
import { anywhere } from "../file/directory-limits.ts"
import { createIdSource } from "../id/create-id.ts"
import { createInMemoryStore } from "../store/index.ts"
import { projectGit } from "./project-git.ts"

/** Arguments of git: an author, and leave to clone submodules from a local path. */
const who = ["-c", "user.name=T", "-c", "user.email=t@localhost", "-c", "protocol.file.allow=always"]

/** A repository with one commit, and a program in it that writes to the file `marker` when it is started. */
async function strangersRepository() {
  const base = await realpath(await mkdtemp(join(tmpdir(), "docket-stranger-")))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const directory = join(base, "project")
  const marker = join(base, "started")
  const program = join(directory, "program.sh")
  await mkdir(directory)
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", directory, ...who, ...args], { stdio: ["ignore", "pipe", "pipe"] }).toString()
  const write = (file: string, text: string) => writeFile(join(directory, file), text)
  git("init", "-q", "-b", "main")
  await write("a.txt", "one\n")
  await write("program.sh", `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat 2>/dev/null\n`)
  await chmod(program, 0o755)
  git("add", "-A")
  git("commit", "-q", "-m", "first")
  return { base, directory, marker, program, git, write }
}

type Repository = Awaited<ReturnType<typeof strangersRepository>>

/** Everything that Docket does with git: opens the project, takes and moves snapshots, and works in a worktree. */
async function everyRun({ base, directory, write, git }: Repository, env = process.env) {
  const projects = createProjects({
    store: createInMemoryStore().project,
    createID: createIdSource(),
    clock: Date.now,
    env,
    home: "/",
    limits: () => anywhere,
  })
  const opened = await projects.open(directory)
  const project = { ...opened, git: true }
  const errors: unknown[] = []
  const snapshots = createSnapshots({
    root: join(base, "snapshots"),
    dataDirectory: join(base, "data"),
    env,
    clock: Date.now,
    onError: (error) => errors.push(error),
  })
  const first = await snapshots.take(project)
  // Changed so soon that its time does not tell: git has to read the file again, by the filters that are set.
  await write("a.txt", "two\n")
  const second = await snapshots.take(project)
  await snapshots.changes(project, first, second)
  await snapshots.move(project, second, first)
  await write("a.txt", "one\n")
  const worktrees = createWorktrees({ root: join(base, "worktrees"), env })
  await worktrees.uncommitted(project)
  const made = await worktrees.create(project, "Change")
  await writeFile(join(made.directory, "a.txt"), "task\n")
  await writeFile(join(made.directory, "new.txt"), "task\n")
  const ready = await worktrees.finish(made, "changed")
  const stat = await worktrees.diffStat(ready)
  const unused = await worktrees.create(project, "Unused")
  await worktrees.discard(project, unused)
  const left = await worktrees.create(project, "Left over")
  await worktrees.sweep([ready], async () => false)
  const merged = await worktrees.merge(project, ready)
  return { opened, stat, merged, left, errors, text: await readFile(join(directory, "a.txt"), "utf8"), log: git }
}

/** Each gives the repository one more way to have its program started. */
const attacks: Record<string, (repository: Repository) => void | Promise<void>> = {
  "core.fsmonitor": ({ git, program }) => void git("config", "core.fsmonitor", program),
  "core.hooksPath": async ({ git, directory, marker }) => {
    await writeHooks(join(directory, ".evil-hooks"), marker)
    git("config", "core.hooksPath", ".evil-hooks")
  },
  "hooks in .git/hooks": ({ directory, marker }) => writeHooks(join(directory, ".git", "hooks"), marker),
  // `git -c` would take the name to end at the first `=`.
  "a filter, required, with an = in its name": async ({ git, directory, program }) => {
    for (const key of ["clean", "smudge"]) git("config", `filter.a=b.c.${key}`, `'${program}' ${key}`)
    git("config", "filter.a=b.c.required", "true")
    await attribute(directory, "*.txt filter=a=b.c text")
  },
  "a long-running filter": async ({ git, directory, program }) => {
    git("config", "filter.evil.process", `'${program}' process`)
    git("config", "filter.evil.required", "true")
    await attribute(directory, "* filter=evil")
  },
  "a filter of an included file": async ({ git, directory, program, write }) => {
    await write("more.config", `[filter "evil"]\n\tclean = '${program}' clean\n\tsmudge = '${program}' smudge\n`)
    git("config", "include.path", "../more.config")
    await attribute(directory, "* filter=evil")
  },
  "a filter of a file that is included on the task's branch": async ({ git, directory, program, base }) => {
    const file = join(base, "more.config")
    await writeFile(file, `[filter "evil"]\n\tclean = '${program}' clean\n\tsmudge = '${program}' smudge\n`)
    git("config", "includeIf.onbranch:docket/**.path", file)
    await attribute(directory, "* filter=evil")
  },
  "settings and hooks of another common directory": async ({ directory, program, base, marker }) => {
    const common = join(base, "common")
    execFileSync("cp", ["-r", join(directory, ".git"), common])
    const settings = ["core.fsmonitor", "filter.evil.clean", "filter.evil.smudge"]
    for (const key of settings) execFileSync("git", ["config", "-f", join(common, "config"), key, program])
    await mkdir(join(common, "info"), { recursive: true })
    await writeFile(join(common, "info", "attributes"), "* filter=evil\n")
    await writeHooks(join(common, "hooks"), marker)
    await writeFile(join(directory, ".git", "commondir"), `${common}\n`)
  },
  "a filter of the worktrees' own config": async ({ git, directory, program }) => {
    git("config", "extensions.worktreeConfig", "true")
    git("config", "--worktree", "filter.evil.clean", `'${program}' clean`)
    git("config", "--worktree", "filter.evil.smudge", `'${program}' smudge`)
    await attribute(directory, "* filter=evil")
  },
  "a filter by committed attributes": async ({ git, program, write }) => {
    await write(".gitattributes", "*.txt filter=evil diff=evil merge=evil\n")
    git("add", ".gitattributes")
    git("commit", "-q", "-m", "attributes")
    for (const key of ["filter.evil.clean", "filter.evil.smudge", "diff.evil.command", "diff.evil.textconv"])
      git("config", key, `'${program}' ${key}`)
    git("config", "merge.evil.driver", `'${program}' merge %O %A %B`)
  },
  "an attributes file of the config": async ({ git, program, base }) => {
    await writeFile(join(base, "attributes"), "* filter=evil\n")
    git("config", "core.attributesFile", join(base, "attributes"))
    git("config", "filter.evil.clean", `'${program}' clean`)
    git("config", "filter.evil.smudge", `'${program}' smudge`)
  },
  "programs that show a diff": async ({ git, directory, program }) => {
    git("config", "diff.external", program)
    git("config", "diff.evil.command", program)
    git("config", "diff.evil.textconv", program)
    git("config", "core.pager", program)
    git("config", "pager.diff", program)
    git("config", "pager.status", program)
    await attribute(directory, "* diff=evil")
  },
  "a merge strategy": ({ git }) => {
    git("config", "branch.main.mergeoptions", "--strategy=evil")
    git("config", "pull.twohead", "evil")
  },
  signatures: ({ git, program }) => {
    git("config", "commit.gpgSign", "true")
    git("config", "merge.verifySignatures", "false")
    git("config", "gpg.program", program)
    git("config", "gpg.ssh.program", program)
    git("config", "gpg.format", "ssh")
    git("config", "gpg.ssh.defaultKeyCommand", program)
    git("config", "branch.main.mergeoptions", "--gpg-sign=x")
  },
  "editors, helpers and aliases": ({ git, program }) => {
    for (const key of ["core.editor", "sequence.editor", "core.askPass", "core.sshCommand", "credential.helper"])
      git("config", key, program)
    for (const name of ["status", "worktree", "commit", "merge", "rev-parse"])
      git("config", `alias.${name}`, `!${program}`)
    git("config", "trailer.evil.command", program)
    git("config", "trailer.evil.key", "evil")
    git("config", "commit.verbose", "true")
    git("config", "uploadpack.packObjectsHook", program)
    git("config", "gc.auto", "1")
    git("config", "gc.autoDetach", "false")
    git("config", "gc.recentObjectsHook", program)
  },
}

const hooks = ["post-checkout", "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-merge-commit"]
hooks.push(
  "post-merge",
  "post-index-change",
  "reference-transaction",
  "pre-auto-gc",
  "post-rewrite",
  "fsmonitor-watchman",
)

async function writeHooks(directory: string, marker: string) {
  await mkdir(directory, { recursive: true })
  for (const name of hooks) {
    await writeFile(join(directory, name), `#!/bin/sh\necho ${name} >> '${marker}'\n`)
    await chmod(join(directory, name), 0o755)
  }
}

const attribute = (directory: string, line: string) =>
  writeFile(join(directory, ".git", "info", "attributes"), `${line}\n`)

test.each(Object.entries(attacks))("no program of a repository is started: %s", async (_, prepare) => {
  const repository = await strangersRepository()
  await prepare(repository)
  await rm(repository.marker, { force: true })
  const done = await everyRun(repository)
  expect(await readFile(repository.marker, "utf8").catch(() => "nothing was started")).toBe("nothing was started")
  expect(done.errors).toEqual([])
  expect(done.stat).toContain("new.txt")
  expect(done.merged.state).toBe("merged")
  expect(done.text).toBe("task\n")
  expect(await readdir(join(repository.base, "worktrees"))).toEqual([])
})

test("the attacks work with plain git, so these tests can fail", async () => {
  for (const name of ["core.fsmonitor", "a long-running filter", "hooks in .git/hooks"]) {
    const repository = await strangersRepository()
    await attacks[name]?.(repository)
    await repository.write("a.txt", "two\n")
    try {
      repository.git("commit", "-qam", "two")
    } catch {
      // A filter that only leaves its marker fails.
    }
    expect(existsSync(repository.marker), name).toBe(true)
  }
})

test.each(["evil", "text", "a=b"])("a merge driver %s is not started, and files merge normally", async (name) => {
  const repository = await strangersRepository()
  const { git, directory, program, write, marker, base } = repository
  const lines = (first: string, last: string) => `${first}\n${"middle\n".repeat(9)}${last}\n`
  await write("a.txt", lines("first", "last"))
  git("commit", "-qam", "lines")
  git("config", `merge.${name}.driver`, `'${program}' %O %A %B`)
  git("config", "merge.default", name)
  await attribute(directory, `*.txt merge=${name}`)
  const worktrees = createWorktrees({ root: join(base, "worktrees"), env: process.env })
  const project = {
    id: "prj_0",
    name: "p",
    directory,
    worktree: directory,
    git: true,
    time: { created: 1, opened: 1 },
  }
  const changed = async (text: string) => {
    const made = await worktrees.create(project, "Change")
    await writeFile(join(made.directory, "a.txt"), text)
    return worktrees.finish(made, "changed")
  }
  const [clean, conflicting] = [await changed(lines("theirs", "last")), await changed(lines("first", "theirs"))]
  await write("a.txt", lines("first", "ours"))
  git("commit", "-qam", "ours")
  expect(await worktrees.merge(project, clean)).toMatchObject({ state: "merged" })
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe(lines("theirs", "ours"))
  expect(await worktrees.merge(project, conflicting)).toMatchObject({ state: "conflict", conflicts: ["a.txt"] })
  expect(await readFile(join(directory, "a.txt"), "utf8")).toBe(lines("theirs", "ours"))
  expect(existsSync(marker)).toBe(false)
})

test("a submodule's own filters and hooks are not started", async () => {
  const repository = await strangersRepository()
  const { git, directory, base, program, marker } = repository
  const library = join(base, "library")
  execFileSync("git", ["clone", "-q", directory, library], { stdio: "pipe" })
  git("submodule", "add", "-q", library, "lib")
  git("config", "-f", ".gitmodules", "submodule.lib.ignore", "none")
  git("config", "-f", ".gitmodules", "submodule.lib.update", "checkout")
  git("config", "submodule.recurse", "true")
  git("config", "status.submoduleSummary", "true")
  git("config", "diff.ignoreSubmodules", "none")
  git("config", "submodule.lib.ignore", "none")
  git("commit", "-qam", "library")
  const inside = join(directory, ".git", "modules", "lib")
  execFileSync("git", [`--git-dir=${inside}`, "config", "filter.evil.clean", `'${program}' clean`])
  execFileSync("git", [`--git-dir=${inside}`, "config", "core.fsmonitor", program])
  await writeFile(join(inside, "info", "attributes"), "* filter=evil\n")
  await writeHooks(join(inside, "hooks"), marker)
  await writeFile(join(directory, "lib", "a.txt"), "two\n")
  await rm(marker, { force: true })
  const done = await everyRun(repository)
  expect(done.merged.state).toBe("merged")
  expect(await readFile(marker, "utf8").catch(() => "nothing was started")).toBe("nothing was started")
})

test("missing objects of a repository are not fetched by its own program", async () => {
  const repository = await strangersRepository()
  const { git, directory, program, marker, base } = repository
  git("config", "core.repositoryFormatVersion", "1")
  git("config", "extensions.partialClone", "origin")
  git("config", "remote.origin.promisor", "true")
  git("config", "remote.origin.url", `ext::${program} %S`)
  git("config", "remote.origin.uploadpack", program)
  git("config", "protocol.ext.allow", "always")
  const blob = git("rev-parse", "HEAD:a.txt").trim()
  await rm(join(directory, ".git", "objects", blob.slice(0, 2), blob.slice(2)))
  await rm(marker, { force: true })
  const worktrees = createWorktrees({ root: join(base, "worktrees"), env: process.env })
  const project = { id: "prj_0", name: "p", directory, worktree: directory, git: true, time: { created: 1, opened: 1 } }
  await expect(worktrees.create(project, "Change")).rejects.toMatchObject({ code: "worktree_failed" })
  expect(existsSync(marker)).toBe(false)
  expect(await readdir(join(base, "worktrees"))).toEqual([])
})

test("a repository cannot make another directory the project", async () => {
  const { git, directory, base } = await strangersRepository()
  const open = createProjects({
    store: createInMemoryStore().project,
    createID: createIdSource(),
    clock: Date.now,
    env: process.env,
    home: "/",
    limits: () => anywhere,
  }).open
  git("config", "core.worktree", base)
  expect(await open(directory)).toMatchObject({ worktree: directory, git: true })
  git("config", "core.worktree", "/")
  await mkdir(join(directory, "sub"))
  expect(await open(join(directory, "sub"))).toMatchObject({ worktree: directory, git: true })
  await mkdir(join(directory, "sub", ".git"))
  expect(await open(join(directory, "sub"))).toMatchObject({ worktree: directory })
})

test("a .git of another repository is not used; worktrees and submodules are", async () => {
  const { git, directory, base } = await strangersRepository()
  const { open } = createProjects({
    store: createInMemoryStore().project,
    createID: createIdSource(),
    clock: Date.now,
    env: process.env,
    home: "/",
    limits: () => anywhere,
  })
  const place = async (name: string, file: string) => {
    await mkdir(join(base, name))
    await writeFile(join(base, name, ".git"), file)
    return open(join(base, name))
  }
  const bare = join(base, "bare.git")
  execFileSync("git", ["clone", "-q", "--bare", directory, bare], { stdio: "pipe" })
  git("worktree", "add", "-q", join(base, "linked"))
  expect(await place("thief", `gitdir: ${directory}/.git\n`)).toMatchObject({ git: false })
  expect(await place("thief-of-linked", `gitdir: ${directory}/.git/worktrees/linked\n`)).toMatchObject({ git: false })
  expect(await place("thief-of-bare", `gitdir: ${bare}\n`)).toMatchObject({ git: false })
  execFileSync("git", ["init", "-q", join(base, "common")])
  await writeFile(join(base, "common", ".git", "commondir"), `${directory}/.git\n`)
  expect(await open(join(base, "common"))).toMatchObject({ git: false })
  await mkdir(join(base, "symbolic"))
  await symlink(join(directory, ".git"), join(base, "symbolic", ".git"))
  expect(await open(join(base, "symbolic"))).toMatchObject({ git: false })

  expect(await open(join(base, "linked"))).toMatchObject({ git: true, worktree: join(base, "linked") })
  git("submodule", "add", "-q", bare, "lib")
  expect(await open(join(directory, "lib"))).toMatchObject({ git: true, worktree: join(directory, "lib") })
  execFileSync("git", ["init", "-q", `--separate-git-dir=${join(base, "apart")}`, join(base, "work")])
  expect(await open(join(base, "work"))).toMatchObject({ git: true, worktree: join(base, "work") })
})

test("git variables of the environment and a repository's own git are ignored", async () => {
  const repository = await strangersRepository()
  const { base, directory, program, marker } = repository
  const elsewhere = join(base, "elsewhere")
  execFileSync("git", ["init", "-q", elsewhere])
  await writeFile(join(directory, "git"), `#!/bin/sh\necho git >> '${marker}'\n`)
  await chmod(join(directory, "git"), 0o755)
  const done = await everyRun(repository, {
    ...process.env,
    PATH: `.::${process.env.PATH ?? ""}`,
    GIT_DIR: join(elsewhere, ".git"),
    GIT_WORK_TREE: elsewhere,
    GIT_INDEX_FILE: join(elsewhere, "index"),
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: program,
    GIT_EXTERNAL_DIFF: program,
    GIT_SSH_COMMAND: program,
    GIT_EDITOR: program,
    GIT_PROXY_COMMAND: program,
    GIT_TEMPLATE_DIR: join(elsewhere, ".git"),
  })
  expect(done.opened.worktree).toBe(directory)
  expect(done.merged.state).toBe("merged")
  expect(existsSync(marker)).toBe(false)
})

test.each([
  ["HOME", ".", ".gitconfig"],
  ["XDG_CONFIG_HOME", ".config", ".config/git/config"],
])("a relative %s never makes a repository's file the user's git configuration", async (name, place, file) => {
  const { base, directory, write } = await strangersRepository()
  const home = join(base, "home")
  await mkdir(home)
  await writeFile(join(home, ".gitconfig"), "[user]\n\tname = Ada\n")
  await mkdir(join(directory, ".config", "git"), { recursive: true })
  await write(file, "[user]\n\tname = Stranger\n[core]\n\texcludesFile = *\n")
  const run = (variables: Record<string, string>) =>
    projectGit({ directory, env: { ...process.env, HOME: home, XDG_CONFIG_HOME: undefined, ...variables } }, [
      "config",
      "--list",
    ])
  expect(String(await run({}))).toContain("user.name=Ada")
  expect(String(await run({ [name]: place }))).not.toContain("Stranger")
  expect(String(await run({ [name]: join(directory, place) }))).toContain("Stranger")
})
