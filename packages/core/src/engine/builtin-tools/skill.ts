import { z } from "zod"
import { defineTool, type Tool } from "../../acts/tool/tool.ts"
import { posixRelative } from "../../ground/file/posix-relative.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import type { SkillMetadata } from "../../ground/schema/tool-metadata.ts"
import { listSkills, type Skill } from "../../setup/skill/list-skills.ts"
import { besideFiles } from "../../setup/skill/skills.ts"

/** At most this many files of a skill are listed in its result. */
const mostNamed = 40

const parameters = z.strictObject({ name: z.string().min(1).describe("The skill's name, as it is listed") })

/** `skill`: loads one of these skills. The permission's pattern is the skill's name. */
export function createSkillTool({ skills }: { skills: readonly Skill[] }): Tool<typeof parameters> {
  return defineTool({
    id: "skill",
    description: `Loads a skill: instructions for one kind of task, with files beside them. Load one when a task is what its description speaks of, before you begin, and follow it. What it asks for is judged by your permissions as anything else.

Skills:
${listSkills(skills)}`,
    parameters,
    permission: "skill",
    parallel: true,
    async execute({ name }, { ask }) {
      const skill = skills.find((known) => known.name === name)
      if (skill === undefined) throw new Error(`There is no skill "${name}". Load one that is listed.`)
      await ask({ permission: "skill", patterns: [name], always: [name], metadata: { kind: "other", title: name } })
      const { files, more } = await besideFiles(skill.directory)
      const names = files.map((file) => posixRelative(skill.directory, file))
      const { directory, from } = skill
      const metadata: SkillMetadata = { name, from, directory, files: names.length }
      return { title: name, output: skillText(skill, { names, more }), metadata }
    },
  })
}

function skillText(
  { name, from, directory, text }: Skill,
  { names, more }: { names: readonly string[]; more: boolean },
): string {
  const block = `<skill name=${JSON.stringify(name)} from="${from}" directory=${JSON.stringify(directory)}>\n${quoteFrames(text)}\n</skill>`
  if (names.length === 0) return block
  const lines = names.slice(0, mostNamed).map((file) => `- ${quoteFrames(file)}`)
  const rest = names.length > mostNamed || more ? [`- and ${more ? "many" : names.length - mostNamed} more`] : []
  return [block, `Beside it in ${directory}; paths in it are relative to that:`, ...lines, ...rest].join("\n")
}
