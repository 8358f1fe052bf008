import { expect, it } from "vitest"
import { shownSkill } from "./shown-skill.ts"

it("a skill is shown with its files, without the tags for models", () => {
  const frame = '<skill name="pdf" from="user" directory="/home/ann/<x>/pdf">'
  expect(shownSkill(`${frame}\n# PDF\n\nFill it.\n</skill>`)).toBe("# PDF\n\nFill it.")
  expect(shownSkill(`${frame}\nFill it.\n</skill>\nBeside it in /pdf:\n- fill.sh`)).toBe(
    "Fill it.\n\nBeside it in /pdf:\n- fill.sh",
  )
  expect(shownSkill("There is no skill.")).toBe("There is no skill.")
})
