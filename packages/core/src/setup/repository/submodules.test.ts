import { existsSync } from "node:fs"
import { mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { allowTestServer, type GitServer, gitServer } from "../../test/git-server.ts"
import { memoryVault } from "../../test/memory-vault.ts"
import { createCredentials } from "./credentials.ts"
import { makeCheckout } from "./make-checkout.ts"
import { makeSubmodules } from "./make-submodules.ts"
import { createMirrors } from "./mirrors.ts"

const env = { PATH: process.env.PATH ?? "" }
const signal = new AbortController().signal
const token = "ghs_secretOfTheTest"

/** Text of a `.gitmodules` for submodules by path. */
function gitmodules(urls: Record<string, string>, more = ""): string {
  return Object.entries(urls)
    .map(([path, url]) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n${more}`)
    .join("")
}

/** Checks out `main` of a server with its submodules, as a session does. */
async function checkedOut(server: GitServer) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "docket-submodules-")))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const credentials = createCredentials(memoryVault())
  await credentials.save({ name: "shop", origin: server.origin, username: "docket", token })
  server.tokens = new Set([token])
  const limits = async () => allowTestServer.repositories
  const mirrors = createMirrors({ root: join(root, "mirrors"), env, credentials, clock: Date.now, limits })
  onTestFinished(() => mirrors.close())
  const repository = { url: server.url, ref: "main", credential: "shop", subdirectory: null }
  const project = { id: "prj_1", repository }
  await mirrors.fetch(project, signal)
  const commit = (await mirrors.commitOf(project.id, "main")) ?? ""
  const directory = join(root, "files")
  const objects = join(mirrors.directoryOf(project.id), "objects")
  let submodules: Awaited<ReturnType<typeof makeSubmodules>> = []
  await makeCheckout(
    directory,
    { env, objects, url: server.url, ref: "main", commit },
    {
      ...{ branch: "docket/x", head: commit },
      fill: async (made) => {
        const how = { directory: made, files: commit, named: [commit] }
        submodules = await makeSubmodules({ mirrors, env }, project, how, signal)
      },
    },
  )
  const problems = Object.fromEntries(submodules.map(({ path, problem }) => [path, problem]))
  return { root, directory, submodules, problems }
}

test("a submodule has the files of its commit, those within it too", async () => {
  const server = await gitServer()
  const icons = await server.add("icons", { "icon.svg": "<svg/>\n" })
  const ui = await server.add("ui", { "button.ts": "one\n" })
  const first = await ui.commit(
    { ".gitmodules": gitmodules({ icons: "../icons.git" }) },
    { links: { icons: icons.git("rev-parse", "main") } },
  )
  await ui.commit({ "button.ts": "two\n" })
  await server.commit({ ".gitmodules": gitmodules({ "libs/ui": "../ui.git" }) }, { links: { "libs/ui": first } })
  const { directory, submodules, root } = await checkedOut(server)
  expect(submodules).toEqual([
    { path: "libs/ui", url: ui.url, problem: null },
    { path: "libs/ui/icons", url: icons.url, problem: null },
  ])
  expect(await readFile(join(directory, "libs/ui/button.ts"), "utf8")).toBe("one\n")
  expect(await readFile(join(directory, "libs/ui/icons/icon.svg"), "utf8")).toBe("<svg/>\n")
  expect((await readdir(join(root, "mirrors/prj_1/submodules"))).length).toBe(2)
})

test("a commit that only a tag has is fetched", async () => {
  const server = await gitServer()
  const ui = await server.add("ui", { "a.ts": "one\n" })
  const tagged = await ui.commit({ "a.ts": "tagged\n" }, { branch: "gone" })
  ui.git("tag", "v1", tagged)
  ui.git("branch", "-D", "gone")
  await server.commit({ ".gitmodules": gitmodules({ ui: "../ui.git" }) }, { links: { ui: tagged } })
  const { directory, problems } = await checkedOut(server)
  expect(problems).toEqual({ ui: null })
  expect(await readFile(join(directory, "ui/a.ts"), "utf8")).toBe("tagged\n")
})

test("another server gets no credential for its submodule", async () => {
  const server = await gitServer()
  const [open, shut] = [await gitServer({ "a.ts": "open\n" }), await gitServer()]
  shut.tokens = new Set(["another"])
  const links = { open: open.git("rev-parse", "main"), shut: shut.git("rev-parse", "main") }
  await server.commit({ ".gitmodules": gitmodules({ open: open.url, shut: shut.url }) }, { links })
  const { directory, problems } = await checkedOut(server)
  expect(await readFile(join(directory, "open/a.ts"), "utf8")).toBe("open\n")
  expect(problems.shut).toMatch(/^127\.0\.0\.1:\d+ lets nobody in without a sign-in, and gets none\.$/)
  expect([...open.requests, ...shut.requests].map(({ authorization }) => authorization)).toEqual(
    Array.from({ length: open.requests.length + shut.requests.length }, () => undefined),
  )
  expect(shut.requests.length).toBeGreaterThan(0)
})

test("hostile addresses and paths get nothing", async () => {
  const server = await gitServer()
  const ui = await server.add("ui", { "a.ts": "one\n" })
  const commit = ui.git("rev-parse", "main")
  const marker = join(tmpdir(), `docket-started-${process.pid}`)
  const urls = {
    file: "file:///etc",
    path: "/etc",
    ext: `ext::sh -c 'touch ${marker}'`,
    option: `--upload-pack=touch ${marker}`,
    ssh: "ssh://-oProxyCommand=touch/x",
    scp: "git@127.0.0.1:x.git",
    user: ui.url.replace("http://", "http://me:secret@"),
    metadata: "http://169.254.169.254/latest",
    double: "//127.0.0.2/x.git",
    none: "",
  }
  const text = gitmodules(urls, `\tupdate = !touch ${marker}\n`)
  const unnamed = { "un/named": commit }
  await server.commit(
    { ".gitmodules": text },
    { links: { ...Object.fromEntries(Object.keys(urls).map((path) => [path, commit])), ...unnamed } },
  )
  const { directory, problems } = await checkedOut(server)
  expect(Object.keys(problems).toSorted()).toEqual([...Object.keys(urls), "un/named"].toSorted())
  expect(Object.values(problems).filter((problem) => problem === null)).toEqual([])
  expect(problems["un/named"]).toBe("The .gitmodules of the branch does not say where it is.")
  for (const path of Object.keys(urls)) expect(await readdir(join(directory, path))).toEqual([])
  expect(existsSync(marker)).toBe(false)
})

test("a commit that the server does not have leaves its directory empty", async () => {
  const server = await gitServer()
  const ui = await server.add("ui", { "a.ts": "one\n" })
  await server.commit({ ".gitmodules": gitmodules({ ui: "../ui.git" }) }, { links: { ui: "1".repeat(40) } })
  const { directory, problems } = await checkedOut(server)
  expect(problems).toEqual({ ui: `${ui.url} does not have its commit 1111111111.` })
  expect(await readdir(join(directory, "ui"))).toEqual([])
})

test("a repository that contains itself is not fetched again", async () => {
  const server = await gitServer()
  const a = await server.add("a", { "a.ts": "one\n" })
  const b = await server.add("b", { "b.ts": "one\n" })
  const inner = await a.commit(
    { ".gitmodules": gitmodules({ b: "../b.git" }) },
    { links: { b: b.git("rev-parse", "main") } },
  )
  const outer = await b.commit(
    { ".gitmodules": gitmodules({ a: "../a.git", shop: "../shop.git" }) },
    { links: { a: inner, shop: server.git("rev-parse", "main") } },
  )
  await server.commit(
    { ".gitmodules": gitmodules({ b: "../b.git", me: server.url }) },
    { links: { b: outer, me: server.git("rev-parse", "main") } },
  )
  const { problems } = await checkedOut(server)
  expect(problems).toEqual({
    ...{ b: null, "b/a": null, "b/a/b": "It contains itself." },
    ...{ "b/shop": "It contains itself.", me: "It contains itself." },
  })
})

test("a session has at most 50 submodules", async () => {
  const server = await gitServer()
  const ui = await server.add("ui", { "a.ts": "one\n" })
  const paths = Array.from({ length: 60 }, (_, index) => `m${index}`)
  const commit = ui.git("rev-parse", "main")
  await server.commit(
    { ".gitmodules": gitmodules(Object.fromEntries(paths.map((path) => [path, "../ui.git"]))) },
    { links: Object.fromEntries(paths.map((path) => [path, commit])) },
  )
  const before = server.requests.length
  const { submodules, root } = await checkedOut(server)
  expect(submodules.length).toBe(50)
  expect(submodules.filter(({ problem }) => problem !== null)).toEqual([])
  expect((await readdir(join(root, "mirrors/prj_1/submodules"))).length).toBe(1)
  // Both repositories are fetched once.
  expect(server.requests.slice(before).filter(({ path }) => path.endsWith("git-upload-pack")).length).toBeLessThan(8)
})

test("a submodule is not put where a link or a file is", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "docket-submodules-")))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const server = await gitServer()
  const ui = await server.add("ui", { "a.ts": "one\n" })
  await server.commit(
    { ".gitmodules": gitmodules({ "libs/ui": "../ui.git", "full/ui": "../ui.git" }) },
    { links: { "libs/ui": ui.git("rev-parse", "main"), "full/ui": ui.git("rev-parse", "main") } },
  )
  const mirrors = createMirrors({
    ...{ root: join(root, "mirrors"), env, credentials: createCredentials(memoryVault()), clock: Date.now },
    limits: async () => allowTestServer.repositories,
  })
  onTestFinished(() => mirrors.close())
  const repository = { url: server.url, ref: "main", credential: null, subdirectory: null }
  const project = { id: "prj_1", repository }
  await mirrors.fetch(project, signal)
  const commit = (await mirrors.commitOf(project.id, "main")) ?? ""
  await symlink(tmpdir(), join(root, "libs"))
  await writeFile(join(root, "full"), "a file\n")
  const made = await makeSubmodules(
    { mirrors, env },
    project,
    { directory: root, files: commit, named: [commit] },
    signal,
  )
  expect(made.map(({ problem }) => problem)).toEqual([
    "A file or a link is in its place.",
    "A file or a link is in its place.",
  ])
  expect(existsSync(join(tmpdir(), "ui"))).toBe(false)
})
