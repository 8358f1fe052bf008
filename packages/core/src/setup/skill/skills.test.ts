import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { providedDigest } from "../config/provided-file.ts"
import { seeProject } from "../config/seen-project.ts"
import { createSkills } from "./skills.ts"

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "docket-skills-")))
})
afterEach(() => rm(root, { recursive: true }))

const put = async (path: string, content: string) => {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}
const putSkill = (directory: string, text = `From ${directory}.`, name = directory.split("/").at(-1)) =>
  put(`${directory}/SKILL.md`, `---\nname: ${name}\ndescription: About ${name}.\n---\n${text}`)

/** The skills in force with the project `p`, trusted or not, and the reported problems. */
async function read({ trusted = true, directory = "p" } = {}) {
  const place = { directory: join(root, directory), worktree: join(root, "p"), home: join(root, "home") }
  const skills = createSkills({ home: place.home, env: {} })
  const { files, problems } = await skills.findProvided({
    ...(await seeProject(place)),
    home: place.home,
    named: async () => [],
  })
  const inForce = await skills.inForce(files.map((file) => ({ ...file, trusted })))
  const said = [...problems, ...inForce.problems].map(({ file, message }) => [file.replace(`${root}/`, ""), message])
  return { skills: inForce.skills, files, said }
}

const names = ({ skills }: Awaited<ReturnType<typeof read>>) => skills.map(({ name, from }) => `${from} ${name}`)

describe("skills", () => {
  it("are found for Docket, OpenCode and Claude Code, in projects after trust", async () => {
    await putSkill("home/.config/docket/skills/mine")
    await putSkill("home/.claude/skills/claudes")
    await putSkill("home/.config/opencode/skill/opencodes")
    await putSkill("p/.docket/skills/a")
    await putSkill("p/.opencode/skill/b")
    await putSkill("p/.opencode/skills/group/c")
    await putSkill("p/.claude/skills/d")
    await putSkill("p/sub/.claude/skills/e")
    const own = ["user claudes", "user mine", "user opencodes"]
    expect(names(await read({ trusted: false }))).toEqual(own)
    expect(names(await read())).toEqual(["project a", "project b", "project c", "project d", ...own])
    expect(names(await read({ directory: "p/sub" }))).toContain("project e")
    expect((await read()).said).toEqual([])
  })

  it("of one name: the nearest applies, Docket's first, and others are reported", async () => {
    await putSkill("home/.config/docket/skills/x")
    await putSkill("p/.claude/skills/x")
    await putSkill("p/.docket/skills/x")
    await putSkill("p/sub/.claude/skills/x")
    const far = await read()
    expect(far.skills.map(({ text }) => text)).toEqual(["From p/.docket/skills/x."])
    expect(far.said.map(([file]) => file)).toEqual([
      "home/.config/docket/skills/x/SKILL.md",
      "p/.claude/skills/x/SKILL.md",
    ])
    expect((await read({ directory: "p/sub" })).skills.map(({ text }) => text)).toEqual([
      "From p/sub/.claude/skills/x.",
    ])
    // An untrusted skill does not replace another one.
    expect((await read({ trusted: false })).skills.map(({ from }) => from)).toEqual(["user"])
  })

  it("that cannot be used are reported with their file; others still work", async () => {
    await putSkill("p/.docket/skills/good")
    await put("p/.docket/skills/empty/SKILL.md", "")
    await put("p/.docket/skills/huge/SKILL.md", "x".repeat(1_048_576))
    await put("p/.docket/skills/yaml/SKILL.md", "---\nname: [\n---\nx")
    await putSkill("elsewhere/out")
    await symlink(join(root, "elsewhere/out"), join(root, "p/.docket/skills/out"))
    await symlink(join(root, "home"), join(root, "p/.docket/skills/loop"))
    const found = await read()
    expect(names(found)).toEqual(["project good"])
    expect(found.said).toEqual([
      ["p/.docket/skills/empty/SKILL.md", expect.stringContaining("is empty")],
      ["p/.docket/skills/huge/SKILL.md", expect.stringContaining("is larger than")],
      ["p/.docket/skills/out/SKILL.md", expect.stringContaining("leads out of the project")],
      ["p/.docket/skills/yaml/SKILL.md", expect.stringContaining("left out")],
    ])
  })

  it("of the user may be links, but not to the home", async () => {
    await putSkill("dotfiles/pdf")
    await mkdir(join(root, "home/.claude/skills"), { recursive: true })
    await symlink(join(root, "dotfiles/pdf"), join(root, "home/.claude/skills/pdf"))
    await put("home/SKILL.md", "---\nname: all\ndescription: d\n---\nx")
    await symlink(join(root, "home"), join(root, "home/.claude/skills/all"))
    const found = await read()
    expect(found.skills.map(({ name, place }) => [name, place])).toEqual([["pdf", join(root, "dotfiles/pdf")]])
    expect(found.said).toEqual([["home/.claude/skills/all/SKILL.md", expect.stringContaining("holds your home")]])
  })

  it("of a project need new trust when a script beside them changes", async () => {
    await putSkill("p/.docket/skills/pdf")
    await put("p/.docket/skills/pdf/scripts/fill.py", "print(1)")
    const digest = async () => {
      const [file] = (await read()).files
      return file && [file.notes, providedDigest(file, join(root, "p"))]
    }
    const before = await digest()
    expect(before?.[0]).toEqual(["With it come scripts/fill.py."])
    expect(await digest()).toEqual(before)
    await put("p/.docket/skills/pdf/scripts/fill.py", "print(2)")
    expect((await digest())?.[1]).not.toBe(before?.[1])
  })

  it("with too many files beside them are left out", async () => {
    await putSkill("p/.docket/skills/many")
    for (let at = 0; at <= 200; at++) await put(`p/.docket/skills/many/${at}`, "")
    const found = await read()
    expect(names(found)).toEqual([])
    expect(found.said).toEqual([["p/.docket/skills/many/SKILL.md", expect.stringContaining("more lies beside")]])
  })
})
