import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  type DefinitionKind,
  definitionLimits,
  projectDefinitionPlaces,
  readDefinitions,
  userDefinitionPlaces,
} from "./definitions.ts"
import { loadTrusted } from "./test/load-trusted.ts"
import { noPrograms } from "./test/no-programs.ts"

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "docket-definitions-"))
})
afterEach(() => rm(root, { recursive: true }))

async function put(path: string, content = ""): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}

async function found(kind: DefinitionKind) {
  const places = projectDefinitionPlaces(kind, root, { env: {}, home: join(root, "home") })
  const read = await readDefinitions(places, root)
  return read.flatMap((one) => ("text" in one ? [`${one.origin} ${one.name}`] : []))
}

describe("definitions of a level", () => {
  it.each(["agent", "command"] as const)("are Markdown files of each %s, those of Docket last", async (kind) => {
    await put(`.docket/${kind}s/team/a.md`)
    await put(`.opencode/${kind}/b.md`)
    await put(`.opencode/${kind}s/c.md`)
    await put(`.claude/${kind}s/d.md`)
    await put(`.claude/${kind}s/notes.txt`)
    expect(await found(kind)).toEqual(["claude d", "opencode b", "opencode c", "docket team/a"])
  })

  it("are skill directories, and everything inside belongs to the skill", async () => {
    await put(".docket/skills/review/SKILL.md")
    await put(".docket/skills/review/examples/nested/SKILL.md")
    await put(".docket/skills/team/deploy/SKILL.md")
    await put(".opencode/skill/notes.md")
    await mkdir(join(root, ".claude/skills"), { recursive: true })
    await symlink("../../.docket/skills/review", join(root, ".claude/skills/linked"))
    for (let at = 0; at <= definitionLimits.entries / 2; at++) await put(`.docket/skills/review/files/${at}.txt`)
    expect(await found("skill")).toEqual(["claude linked", "docket review", "docket team/deploy"])
  })

  it.each(["agent", "command", "skill"] as const)(
    "report each %s that cannot be read, in the order of files",
    async (kind) => {
      const path = (name: string) =>
        kind === "skill" ? `.docket/skills/${name}/SKILL.md` : `.docket/${kind}s/${name}.md`
      await put("outside.md", "Of nobody here.")
      await put(`project/${path("b")}`, "\uFEFFRead.")
      await put(`project/${path("c")}`, "x".repeat(131_073))
      await put(`project/${path("a")}`)
      await rm(join(root, "project", path("a")))
      await symlink(join(root, "outside.md"), join(root, "project", path("a")))
      const project = join(root, "project")
      const places = projectDefinitionPlaces(kind, project, { env: {}, home: root })
      const read = await readDefinitions(places, project)
      expect(read.map((one) => ("text" in one ? one.text : `${one.name} ${one.reason}`))).toEqual([
        "a is a link that leads out of the project",
        "Read.",
        "c is larger than 131072 bytes, the most that is read",
      ])
      expect((await readDefinitions(places, null)).map((one) => "text" in one)).toEqual([true, true, false])
    },
  )

  it("leave out the user's own when the home is the project", () => {
    const places = projectDefinitionPlaces("agent", root, { env: {}, home: root }).map(({ origin }) => origin)
    expect(places).toEqual(["opencode", "opencode", "docket"])
  })

  it("of the user lie beside each program's configuration, wherever that is", () => {
    const places = (env: Record<string, string>) =>
      userDefinitionPlaces("skill", { env, home: "/home/me" }).map(({ directory }) => directory)
    expect(places({})).toEqual([
      "/home/me/.claude/skills",
      "/home/me/.config/opencode/skill",
      "/home/me/.config/opencode/skills",
      "/home/me/.config/docket/skills",
    ])
    expect(places({ XDG_CONFIG_HOME: "/etc/me" }).slice(1)).toEqual([
      "/etc/me/opencode/skill",
      "/etc/me/opencode/skills",
      "/etc/me/docket/skills",
    ])
  })
})

describe("agents of other programs", () => {
  const load = (project: string) =>
    loadTrusted({
      home: join(root, "home"),
      env: {},
      programs: noPrograms,
      project: { worktree: project, directory: project },
    })

  it("apply from the user and trusted projects, with Docket's own taking priority", async () => {
    await put("home/.claude/agents/mine.md", "Of Claude Code.")
    await put("home/.config/opencode/agent/mine.md", "Of OpenCode.")
    await put("project/.opencode/agents/theirs.md", "---\nmode: subagent\n---\nOf OpenCode.")
    await put("project/.claude/agents/theirs.md", "Of Claude Code.")
    await put("project/docket.json", '{ "agent": { "theirs": { "mode": "all" } } }')
    const { config, trust } = await load(join(root, "project"))
    expect(config.agent?.mine?.prompt).toBe("Of OpenCode.")
    expect(config.agent?.theirs).toMatchObject({ prompt: "Of OpenCode.", mode: "all" })
    expect(new Set(trust.entries.map(({ file }) => file.slice(root.length)))).toEqual(
      new Set(["/project/.claude/agents/theirs.md", "/project/.opencode/agents/theirs.md", "/project/docket.json"]),
    )
  })

  it("of a project are not read through links out of it", async () => {
    await put("elsewhere/secret.md", "Secret.")
    await put("project/.claude/agents/a.md", "A.")
    await symlink(join(root, "elsewhere/secret.md"), join(root, "project/.claude/agents/b.md"))
    await symlink(join(root, "elsewhere"), join(root, "project/.claude/agents/all"))
    const { config, problems } = await load(join(root, "project"))
    expect(Object.keys(config.agent ?? {})).toEqual(["a"])
    expect(problems.map(({ message }) => message.slice(0, 38))).toEqual([
      "is a link that leads out of the projec",
      "is a link that leads out of the projec",
    ])
  })

  it("in a home directory that is a project need no trust", async () => {
    await put("home/.claude/agents/mine.md", "Mine.")
    const { config, trust } = await load(join(root, "home"))
    expect([Object.keys(config.agent ?? {}), trust.entries]).toEqual([["mine"], []])
  })
})
