import { expect, test } from "vitest"
import { instructionsLabel, skillLabel } from "./text-labels.ts"

test("instructions show their owner, when they apply and their length", () => {
  const own = { name: "/home/ada/.claude/CLAUDE.md", from: "user", size: 1, below: null } as const
  expect(instructionsLabel(own)).toBe("Yours · in every prompt · 1 character")
  const nested = { name: "packages/a/AGENTS.md", from: "project", size: 1_200, below: "packages/a" } as const
  expect(instructionsLabel(nested)).toMatch(
    /^The project’s · with the first file that is read in packages\/a · 1.200 characters$/,
  )
})

test("a skill shows its path with invisible characters made visible", () => {
  const skill = { name: "pdf", description: "d", from: "project", size: 10, offered: true, notes: [] } as const
  const at = (file: string) => skillLabel({ ...skill, notes: [], file }, "/work/app")
  expect(at("/work/app/.docket/skills/pdf/SKILL.md")).toBe("The project’s .docket/skills/pdf/SKILL.md · 10 characters")
  expect(at("/home/ada/.claude/skills/pdf/SKILL.md")).toBe("Your /home/ada/.claude/skills/pdf/SKILL.md · 10 characters")
  expect(at("/work/app/\u202Ex/SKILL.md")).not.toContain("\u202E")
})
