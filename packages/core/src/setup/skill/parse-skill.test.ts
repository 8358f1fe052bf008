import { describe, expect, it } from "vitest"
import { parseSkill } from "./parse-skill.ts"

const file = "/home/ada/.config/docket/skills/pdf/SKILL.md"
const parsed = (text: string) => {
  const { skill, problems } = parseSkill(file, text)
  return { skill, problems: problems.map(({ line, message }) => [line, message]) }
}

describe("a SKILL.md", () => {
  it("has a name, a description and a text", () => {
    const text = [
      "---",
      "name: pdf",
      "description: Fills in forms: also scanned ones.",
      "license: MIT",
      "---",
      "",
      "Run ${CLAUDE_SKILL_DIR}/fill.py.",
    ]
    const { skill, problems } = parsed(text.join("\n"))
    expect(problems).toEqual([])
    expect(skill).toEqual({
      name: "pdf",
      description: "Fills in forms: also scanned ones.",
      text: "Run /home/ada/.config/docket/skills/pdf/fill.py.",
      file,
      directory: "/home/ada/.config/docket/skills/pdf",
      offered: true,
      notes: [],
    })
  })

  it("gives no permissions by allowed-tools, and may be for people only", () => {
    const text = "---\nname: pdf\ndescription: d\nallowed-tools: Bash(*)\ndisable-model-invocation: true\n---\nDo."
    const { skill } = parsed(text)
    expect(skill?.offered).toBe(false)
    expect(skill?.notes).toEqual([expect.stringContaining("allowed-tools lift nothing"), expect.any(String)])
  })

  it("without a name uses its folder's; a different name is reported", () => {
    expect(parsed("---\ndescription: d\n---\nDo.")).toMatchObject({
      skill: { name: "pdf" },
      problems: [[1, 'the skill has no name; it is called after its folder, "pdf".']],
    })
    expect(parsed("---\ndescription: d\nname: forms\n---\nDo.")).toMatchObject({
      skill: { name: "forms" },
      problems: [[3, expect.stringContaining('called "forms", unlike its folder "pdf"')]],
    })
  })

  it.each([
    ["without a description", "---\nname: pdf\n---\nDo.", 2, "needs a description"],
    ["without frontmatter", "Do.", 2, "needs a description"],
    ["without a text", "---\nname: pdf\ndescription: d\n---\n", 1, "no text"],
    ["with a name that is no word", "---\ndescription: d\nname: a/../b\n---\nDo.", 3, "is one word"],
    ["with a wildcard for a name", '---\ndescription: d\nname: "*"\n---\nDo.', 3, "is one word"],
    ["with a name that is no text", "---\ndescription: d\nname: [pdf]\n---\nDo.", 3, "is one word"],
    ["with frontmatter that is no map", "---\n- a\n---\nDo.", 2, "not a map"],
    ["with bad YAML", "---\nname: pdf\ndescription: [\n---\nDo.", 3, "left out"],
    ["that is empty", " \n", 1, "is empty"],
    ["whose frontmatter has no end", "---\nname: pdf\n", 1, "no end"],
  ])("%s is left out, with its line", (_, text, line, message) => {
    const { skill, problems } = parsed(text)
    expect(skill).toBeNull()
    expect(problems).toHaveLength(1)
    expect(problems[0]?.[1]).toContain(message)
    expect(Math.abs(Number(problems[0]?.[0]) - line)).toBeLessThan(2)
  })
})
