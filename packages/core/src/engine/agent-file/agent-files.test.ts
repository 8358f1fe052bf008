import { existsSync } from "node:fs"
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { localPerson } from "../../ground/schema/index.ts"
import { textDigest } from "../../setup/config/digest.ts"
import { noPrograms } from "../../setup/config/test/no-programs.ts"
import { createConfigs } from "../../setup/trust/configs.ts"
import { makeOwnChange } from "../../setup/trust/project-trusts.ts"
import { answer, type ScriptedRuntime, scriptedRuntime } from "../../test/scripted-runtime.ts"

const reviewer = "---\ndescription: Reviews.\nmode: subagent\n---\n\nYou review.\n"

async function project(files: Record<string, string> = {}): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-agent-files-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await writeFile(join(directory, name), text)
  }
  return directory
}

async function host(files: Record<string, string> = {}) {
  const directory = await project(files)
  const runtime = await scriptedRuntime(() => answer("Done."), { directory, dataDirectory: await project() })
  const { projectID } = runtime.session
  const { agent } = runtime.runtime
  const names = async () => (await agent.list(projectID)).map(({ name }) => name)
  return { ...runtime, agent, projectID, names, [Symbol.asyncDispose]: () => runtime[Symbol.asyncDispose]() }
}

async function trustNow({ runtime, session }: Pick<ScriptedRuntime, "runtime" | "session">) {
  const { hash } = (await runtime.config.get(session.projectID)).trust
  await runtime.config.trust({ projectID: session.projectID, hash: hash ?? "" })
}

test("a saved agent applies at once; every change notifies its viewers", async () => {
  await using at = await host()
  const { agent, projectID } = at
  const stop = new AbortController()
  const told = at.runtime.feed({ others: true }, stop.signal)[Symbol.asyncIterator]().next()
  const made = await agent.create({ projectID, owner: "project", name: "reviewer", text: reviewer, replaces: false })
  expect(made).toEqual({ file: join(at.directory, ".docket/agents/reviewer.md"), counts: true })
  expect((await told).value).toMatchObject({ type: "config.updated", properties: { projectID } })
  stop.abort()
  expect(await at.names()).toContain("reviewer")

  const read = await agent.read(projectID, made.file)
  expect(read.text).toBe(reviewer)
  const text = reviewer.replace("Reviews.", "Looks twice.")
  await agent.update({ projectID, file: made.file, hash: read.hash, text })
  const changed = (await agent.list(projectID)).find(({ name }) => name === "reviewer")
  expect(changed?.description).toBe("Looks twice.")

  const { hash } = await agent.read(projectID, made.file)
  await agent.remove({ projectID, file: made.file, hash })
  expect(await at.names()).not.toContain("reviewer")
  await expect(agent.read(projectID, made.file)).rejects.toMatchObject({ code: "agent_not_found" })
})

test("the user's own agents lie beside the user's docket.json", async () => {
  await using at = await host()
  const { agent, projectID } = at
  const made = await agent.create({ projectID, owner: "user", name: "team/mine", text: reviewer, replaces: false })
  expect(made.file).toMatch(/\/\.config\/docket\/agents\/team\/mine\.md$/)
  expect(await at.names()).toContain("team/mine")
})

test("a file changed on disk meanwhile is neither overwritten nor deleted", async () => {
  await using at = await host({ ".docket/agents/a.md": "One." })
  const { agent, projectID } = at
  const file = join(at.directory, ".docket/agents/a.md")
  const { hash } = await agent.read(projectID, file)
  await writeFile(file, "Theirs.")
  const conflict = { code: "config_changed", message: expect.stringContaining("has changed on disk") }
  await expect(agent.update({ projectID, file, hash, text: "Mine." })).rejects.toMatchObject(conflict)
  await expect(agent.remove({ projectID, file, hash })).rejects.toMatchObject(conflict)
  expect(await readFile(file, "utf8")).toBe("Theirs.")
  const now = await agent.read(projectID, file)
  await agent.update({ projectID, file, hash: now.hash, text: "Mine." })
  expect(await readFile(file, "utf8")).toBe("Mine.")
})

test("of several simultaneous saves, exactly one succeeds", async () => {
  await using at = await host({ ".docket/agents/a.md": "One." })
  const { agent, projectID } = at
  const file = join(at.directory, ".docket/agents/a.md")
  const { hash } = await agent.read(projectID, file)
  const saved = await Promise.allSettled(["A", "B", "C"].map((text) => agent.update({ projectID, file, hash, text })))
  expect(saved.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"])
})

test("trusted content stays trusted after the user's edit, waiting content keeps waiting", async () => {
  await using at = await host({ ".docket/agents/a.md": "One.", "docket.json": '{ "model": "scripted/other" }' })
  const { agent, projectID } = at
  const change = async (text: string) => {
    const file = join(at.directory, ".docket/agents/a.md")
    const { hash } = await agent.read(projectID, file)
    return agent.update({ projectID, file, hash, text })
  }
  expect(await change("Two.")).toMatchObject({ counts: false })
  expect((await agent.overview(projectID)).waiting).toMatchObject([{ name: "a" }])
  await trustNow(at)
  expect(await change("Three.")).toMatchObject({ counts: true })
  expect((await at.runtime.config.get(projectID)).trust.state).toBe("trusted")
  await writeFile(join(at.directory, "docket.json"), '{ "model": "scripted/evil" }')
  expect(await change("Four.")).toMatchObject({ counts: false })
  expect(await at.names()).not.toContain("a")
})

test("other changes during a user's save are not trusted", async () => {
  await using at = await host({ ".docket/agents/a.md": "One.", "docket.json": '{ "model": "scripted/other" }' })
  await trustNow(at)
  const project = await at.runtime.project.get(at.projectID)
  const configs = createConfigs({
    ...{ home: at.directory, env: {}, programs: noPrograms, clock: Date.now, store: at.store.trust, finders: [] },
  })
  const file = join(at.directory, ".docket/agents/a.md")
  const attempt = (write: () => Promise<void>) =>
    makeOwnChange(
      { store: at.store.trust, configs, clock: Date.now },
      { project, file, digest: textDigest("Two."), write },
      { person: localPerson, workspace: "w" },
    )
  expect(
    await attempt(async () => {
      await writeFile(file, "Two.")
      await writeFile(join(at.directory, "docket.json"), '{ "model": "scripted/evil" }')
    }),
  ).toBe(false)
  await writeFile(join(at.directory, "docket.json"), '{ "model": "scripted/other" }')
  await writeFile(file, "One.")
  expect(await attempt(() => writeFile(file, "Two, and more."))).toBe(false)
})

test.each(["../escape", "a/../../b", ".hidden", "/etc/passwd", "a\\b", "a b", "", "a.md", "é", "a/b/c/d/e"])(
  "%j is no name for an agent, and nothing is written",
  async (name) => {
    await using at = await host()
    const input = { projectID: at.projectID, owner: "project", name, text: reviewer, replaces: false } as const
    await expect(at.agent.create(input)).rejects.toMatchObject({ code: "invalid_input" })
    expect(existsSync(join(at.directory, ".docket"))).toBe(false)
  },
)

test.each(["build", "Explore", "mine", "MINE"])(
  "%s is refused as taken, unless replacing is requested",
  async (name) => {
    await using at = await host()
    const { agent, projectID } = at
    await agent.create({ projectID, owner: "user", name: "mine", text: reviewer, replaces: false })
    const input = { projectID, owner: "project", name, text: reviewer } as const
    await expect(agent.create({ ...input, replaces: false })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("already"),
    })
    expect((await agent.create({ ...input, replaces: true })).file).toBe(
      join(at.directory, `.docket/agents/${name}.md`),
    )
    await expect(agent.create({ ...input, replaces: true })).rejects.toMatchObject({ code: "config_changed" })
  },
)

test("only agent files are read, written or deleted", async () => {
  await using at = await host({ "notes.md": "Notes.", ".docket/agents/a.md": "A.", ".docket/plans/p.md": "Plan." })
  const { agent, projectID } = at
  const hash = "0".repeat(64)
  const names = ["notes.md", ".docket/plans/p.md", ".docket/agents/../../notes.md", ".docket/agents/a.txt"]
  for (const file of [
    ...names.map((name) => join(at.directory, name)),
    `${at.directory}/.docket/agents/../../notes.md`,
  ]) {
    await expect(agent.read(projectID, file)).rejects.toMatchObject({ code: "agent_not_found" })
    await expect(agent.update({ projectID, file, hash, text: "x" })).rejects.toMatchObject({ code: "agent_not_found" })
    await expect(agent.remove({ projectID, file, hash })).rejects.toMatchObject({ code: "agent_not_found" })
  }
  expect(await readFile(join(at.directory, "notes.md"), "utf8")).toBe("Notes.")
})

test("nothing is written or read through links of a project", async () => {
  await using at = await host()
  const { agent, projectID } = at
  const outside = await project({ "secret.md": "Secret." })
  await mkdir(join(at.directory, ".docket/agents"), { recursive: true })
  await symlink(join(outside, "secret.md"), join(at.directory, ".docket/agents/linked.md"))
  await symlink(outside, join(at.directory, ".docket/agents/team"))
  const input = { projectID, owner: "project", text: "Planted.", replaces: true } as const
  for (const name of ["linked", "team/new"]) {
    await expect(agent.create({ ...input, name })).rejects.toMatchObject({ code: "config_invalid" })
  }
  await expect(agent.read(projectID, join(at.directory, ".docket/agents/linked.md"))).rejects.toThrow("is a link")
  expect(await readdir(outside)).toEqual(["secret.md"])
  expect(await readFile(join(outside, "secret.md"), "utf8")).toBe("Secret.")
})

test("a file keeps its mode, and failed writes leave the old content", async () => {
  await using at = await host({ ".docket/agents/a.md": "A." })
  const { agent, projectID } = at
  const file = join(at.directory, ".docket/agents/a.md")
  await chmod(file, 0o600)
  await agent.update({ projectID, file, hash: (await agent.read(projectID, file)).hash, text: "B." })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  // A file at the path of the new agent's directory.
  await writeFile(join(at.directory, ".docket/agents/team"), "in the way")
  const input = { projectID, owner: "project", name: "team/a", text: "x", replaces: true } as const
  await expect(agent.create(input)).rejects.toMatchObject({
    code: "file_not_written",
    message: expect.stringContaining("The file is as it was."),
  })
  expect(await readdir(join(at.directory, ".docket/agents"))).toEqual(["a.md", "team"])
})

test("the overview lists hidden, disabled and broken agents with their defining files", async () => {
  await using at = await host({
    "docket.json":
      '{\n  "agent": {\n    "quiet": { "hidden": true, "description": "Hidden." },\n    "explore": { "disable": true }\n  }\n}',
    ".docket/agents/broken.md": "---\nmode: [\n---\nHi",
    ".claude/agents/helper.md": "---\nmodel: opus\n---\nHelp.",
    ".docket/agents/helper.md": "---\ncolor: '#f00'\n---\nHelp better.",
  })
  await trustNow(at)
  const { agents, problems, waiting } = await at.agent.overview(at.projectID)
  const named = (name: string) => agents.find((agent) => agent.name === name)
  expect(waiting).toEqual([])
  expect(named("quiet")).toMatchObject({
    hidden: true,
    disabled: false,
    sources: [{ file: join(at.directory, "docket.json"), line: 3, format: "json", owner: "project" }],
  })
  expect(named("explore")).toMatchObject({ disabled: true, native: true, sources: [{ line: 4 }] })
  expect(named("broken")).toMatchObject({
    problem: expect.stringContaining("cannot be used"),
    sources: [{ file: join(at.directory, ".docket/agents/broken.md"), format: "markdown" }],
    problems: [{ line: expect.any(Number) }],
  })
  expect(named("helper")).toMatchObject({ color: "#f00", sources: [{ origin: "docket" }] })
  expect(problems.map(({ file, message }) => [file, message.slice(0, 40)])).toEqual([
    [join(at.directory, ".claude/agents/helper.md"), expect.any(String)],
    [join(at.directory, ".claude/agents/helper.md"), 'there are two files for the agent "helpe'],
  ])
})

const written = `---
# Made by hand.
description: Reviews.   # short
mode: subagent
verbosity: low
permission:
  edit: { "*.ts": allow, "*": deny }
---

You review.
`

test("the agent form writes only changes and keeps comments and unknown fields", async () => {
  await using at = await host()
  const draft = (text: string, form?: Parameters<typeof at.agent.draft>[0]["form"]) =>
    at.agent.draft({ name: "a", origin: "docket", text, form })
  const { form } = await draft(written)
  if (form === null) throw new Error("no form")
  expect(form).toMatchObject({ description: "Reviews.", mode: "subagent", rights: "written", prompt: "You review." })
  expect((await draft(written, form)).text).toBe(written)
  const changed = await draft(written, { ...form, steps: 5, description: "Looks: twice", prompt: "You look." })
  expect(changed.text).toBe(
    written
      .replace("Reviews.   # short", '"Looks: twice" # short')
      .replace("---\n\nYou review.", "steps: 5\n---\n\nYou look."),
  )
  expect(changed.problems).toEqual([])
  const reading = await draft(changed.text, { ...form, ...changed.form, rights: "reads", prompt: "You look." })
  expect(reading.text).toContain("# Made by hand.")
  expect(reading.form).toMatchObject({ rights: "reads", steps: 5 })
})

test("the agent form starts empty; unreadable text reports its problems", async () => {
  await using at = await host()
  const empty = await at.agent.draft({ name: "a", origin: "docket", text: "" })
  if (empty.form === null) throw new Error("no form")
  const form = { ...empty.form, description: "Asks.", rights: "asks", prompt: "You ask." } as const
  expect((await at.agent.draft({ name: "a", origin: "docket", text: "", form })).text).toBe(
    "---\ndescription: Asks.\npermission:\n  edit: ask\n  bash: ask\n---\n\nYou ask.\n",
  )
  const broken = await at.agent.draft({ name: "a", origin: "docket", text: "---\nmode: [\n---\nHi" })
  expect(broken).toMatchObject({ form: null, problems: [{ line: 2 }] })
  expect((await at.agent.draft({ name: "a", origin: "claude", text: "Hi" })).form).toBeNull()
})
