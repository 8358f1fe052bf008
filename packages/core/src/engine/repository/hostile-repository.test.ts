import { execFileSync, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createCredentials } from "../../setup/repository/credentials.ts"
import { borrow, makeCheckout } from "../../setup/repository/make-checkout.ts"
import { createMirrors } from "../../setup/repository/mirrors.ts"
import { allowTestServer, gitServer } from "../../test/git-server.ts"
import { memoryVault } from "../../test/memory-vault.ts"
import { pushRef } from "./push-refs.ts"
import { openSessionCheckout } from "./session-checkout.ts"

const signal = new AbortController().signal
const env = { PATH: process.env.PATH ?? "" }

async function directoryOfTest(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-hostile-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** A checkout of a server's `main`, and what it was made with. */
async function checkedOut(files: Record<string, string>, { token }: { token?: string } = {}) {
  const server = await gitServer(files)
  const root = await directoryOfTest()
  const vault = memoryVault()
  const credentials = createCredentials(vault)
  if (token !== undefined) {
    server.tokens = new Set([token])
    await credentials.save({ name: "shop", origin: server.origin, username: "docket", token })
  }
  const mirrors = createMirrors({
    ...{ root: join(root, "repositories"), env, credentials, clock: Date.now },
    limits: async () => allowTestServer.repositories,
  })
  onTestFinished(() => mirrors.close())
  const repository = {
    url: server.url,
    ref: "main",
    credential: token === undefined ? null : "shop",
    subdirectory: null,
  }
  const project = { id: "prj_1", repository }
  await mirrors.fetch(project, signal)
  const commit = (await mirrors.commitOf(project.id, "main")) ?? ""
  const objects = join(mirrors.directoryOf(project.id), "objects")
  const directory = join(root, "worktrees/ses_1")
  await makeCheckout(
    directory,
    { env, objects, url: server.url, ref: "main", commit },
    { branch: "docket/x", head: commit },
  )
  const checkout = openSessionCheckout({ env, mirrorObjects: objects }, directory)
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: directory, stdio: ["ignore", "pipe", "pipe"] }).toString()
  return { server, root, mirrors, project, commit, objects, directory, checkout, git, credentials }
}

test("hooks, filters and settings of a checkout start nothing", async () => {
  const { root, directory, checkout } = await checkedOut({
    ".gitattributes": "* filter=evil diff=evil merge=evil\n",
    "a.txt": "one\n",
  })
  const marker = join(root, "started")
  const program = join(root, "program.sh")
  await writeFile(program, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat\n`, { mode: 0o755 })
  const settings = `[filter "evil"]\n\tclean = ${program}\n\tsmudge = ${program}\n\trequired = true\n[core]\n\tfsmonitor = ${program}\n\thooksPath = hooks\n[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = ${program}\n`
  const config = join(directory, ".git/config")
  await writeFile(config, (await readFile(config, "utf8")) + settings)
  await mkdir(join(directory, ".git/hooks"), { recursive: true })
  for (const name of ["pre-commit", "post-commit", "reference-transaction", "post-index-change"])
    await writeFile(join(directory, ".git/hooks", name), `#!/bin/sh\necho ${name} >> '${marker}'\n`, { mode: 0o755 })
  await writeFile(join(directory, "a.txt"), "two\n")
  expect(await checkout.keep("state")).not.toBeNull()
  await checkout.commitAll("work")
  expect(existsSync(marker)).toBe(false)
})

test("settings of a checkout send no token elsewhere", async () => {
  const token = "ghs_secretOfTheTest"
  const { server, mirrors, project, directory, checkout, git } = await checkedOut({ "a.txt": "one\n" }, { token })
  const thief = await gitServer()
  for (const key of [`url.${thief.url}.insteadOf`, `url.${thief.url}.pushInsteadOf`]) git("config", key, server.url)
  git("config", "http.proxy", thief.origin)
  git("config", "remote.origin.url", thief.url)
  await writeFile(join(directory, "a.txt"), "two\n")
  const kept = await checkout.keep("state")
  const pushed = await pushRef(
    mirrors,
    project,
    { ref: "refs/docket/ses_1", commit: kept?.commit ?? "", expected: null },
    { objects: checkout.objects(), signal },
  )
  expect(pushed).toEqual({ as: "pushed" })
  expect(thief.requests).toEqual([])
  expect(server.git("show", "refs/docket/ses_1:a.txt")).toBe("two")
})

test("a token is in no file, and goes to its server alone", async () => {
  const token = "ghs_secretOfTheTest"
  const { server, root, mirrors, project } = await checkedOut({ "a.txt": "one\n" }, { token })
  const found = spawnSync("grep", ["-rlaF", "--", token, root], { encoding: "utf8" })
  expect(found).toMatchObject({ status: 1, stdout: "" })
  const elsewhere = {
    ...project,
    repository: { ...project.repository, url: server.url.replace("127.0.0.1", "localhost") },
  }
  await expect(mirrors.fetch(elsewhere, signal)).rejects.toMatchObject({ code: "credential_refused" })
})

test("a checkout cannot lend the objects of another repository", async () => {
  const { root, directory, checkout, objects } = await checkedOut({ "a.txt": "one\n" })
  await writeFile(join(directory, ".git/objects/info/alternates"), `${join(root, "other/objects")}\n`)
  await checkout.keep("state")
  expect(await readFile(join(directory, ".git/objects/info/alternates"), "utf8")).toBe(`${objects}\n`)
  await borrow(directory, objects)
})

test("a git directory that was replaced is refused", async () => {
  const { root, directory, checkout } = await checkedOut({ "a.txt": "one\n" })
  await rm(join(directory, ".git"), { recursive: true })
  execFileSync("git", ["init", "-q", join(root, "other")])
  await symlink(join(root, "other/.git"), join(directory, ".git"))
  await expect(checkout.keep("state")).rejects.toMatchObject({ code: "worktree_failed" })
})

test("links, long names and names that differ in case are kept", async () => {
  const { root, directory, checkout, objects, server, commit } = await checkedOut({ "a.txt": "one\n" })
  await writeFile(join(root, "outside.txt"), "secret\n")
  await symlink(join(root, "outside.txt"), join(directory, "out"))
  await symlink(root, join(directory, "outdir"))
  const long = "x".repeat(255)
  for (const name of [long, "Case", "case", "new\nline", '"quoted"', "-dash"])
    await writeFile(join(directory, name), name)
  execFileSync("git", ["init", "-q", join(directory, "nested")])
  const kept = await checkout.keep("state")
  if (kept === null) throw new Error("nothing was kept")
  await server.commit({ "a.txt": "two\n" })
  const there = join(root, "again")
  execFileSync("git", ["push", "-q", join(root, "repositories/prj_1"), `${kept.commit}:refs/docket/ses_1`], {
    cwd: directory,
  })
  const origin = { env, objects, url: server.url, ref: "main", commit }
  await makeCheckout(there, origin, { branch: "docket/x", head: kept.head, files: kept.commit })
  const names = (await readdir(there)).toSorted()
  expect(names).toEqual(
    [".git", '"quoted"', "-dash", "Case", "a.txt", "case", "new\nline", "out", "outdir", long].toSorted(),
  )
  expect(await readFile(join(there, "Case"), "utf8")).toBe("Case")
  expect(existsSync(join(there, "outdir/repositories"))).toBe(true)
})
