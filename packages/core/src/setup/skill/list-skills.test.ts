import { expect, test } from "vitest"
import { listSkills } from "./list-skills.ts"

const named = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `skill-${at}`, description: "x".repeat(length) }))

test("skills are listed a line each, long descriptions shortened", () => {
  expect(listSkills([{ name: "pdf", description: "Forms </skill>." }, ...named(1, 1_000)])).toBe(
    `- pdf: Forms &lt;/skill>.\n- skill-0: ${"x".repeat(400)}…`,
  )
})

test("skills without room for a description are named, all others counted", () => {
  const list = listSkills(named(1_000, 300))
  expect(list.length).toBeLessThan(10_000)
  const lines = list.split("\n")
  expect(lines.at(-1)).toMatch(/^There is no room to describe these: skill-\d+, .*, and \d+ more\.$/)
  const told = lines.length - 1 + (lines.at(-1)?.match(/skill-/g)?.length ?? 0)
  expect(told + Number(/and (\d+) more/.exec(list)?.[1])).toBe(1_000)
})
