import type { InstructionsInForce } from "../instruction/instructions.ts"
import type { SkillsInForce } from "../skill/skills.ts"

/** Instructions that reach models in a project. */
export interface InstructionsText {
  /** Of a project's the path in it; of the user's own absolute; of one that was fetched its address. */
  name: string
  from: "user" | "project" | "address"
  /** UTF-16 units, imports included. */
  size: number
  /** The directory below which they apply, as a path in the project; null for those of every prompt. */
  below: string | null
}

/** A skill that agents may load, as far as their rules let them. */
export interface SkillText {
  name: string
  description: string
  from: "user" | "project"
  /** Absolute. */
  file: string
  /** UTF-16 units. */
  size: number
  /** False for one that only people call. */
  offered: boolean
  /** Settings that have no effect here: sentences. */
  notes: string[]
}

/** The texts that tell agents of a project how to work. What is left out is a problem of the configuration. */
export interface TextsInForce {
  instructions: InstructionsText[]
  skills: SkillText[]
}

export function textsInForce(
  { files, nested }: Pick<InstructionsInForce, "files" | "nested">,
  { skills }: Pick<SkillsInForce, "skills">,
): TextsInForce {
  return {
    instructions: [
      ...files.map(({ name, from, content }) => ({ name, from, size: content.length, below: null })),
      ...nested.map(({ name, from, content, directory }) => ({ name, from, size: content.length, below: directory })),
    ],
    skills: skills.map(({ name, description, from, file, text, offered, notes }) => {
      return { name, description, from, file, size: text.length, offered, notes }
    }),
  }
}
