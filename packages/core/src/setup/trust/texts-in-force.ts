import type { InstructionsInForce } from "../instruction/instructions.ts"
import type { SkillsInForce } from "../skill/skills.ts"

/** Instructions that models get in a project. */
export interface InstructionsText {
  /**
   * For a project's file its path in the project; for the user's own an absolute path; for a fetched one its address.
   */
  name: string
  from: "user" | "project" | "address"
  /** UTF-16 units, imports included. */
  size: number
  /** The directory below which they apply, as a path in the project; null for those of every prompt. */
  below: string | null
}

/** A skill that agents may load if their rules allow it. */
export interface SkillText {
  name: string
  description: string
  from: "user" | "project"
  /** Absolute. */
  file: string
  /** UTF-16 units. */
  size: number
  /** False for a skill that only users may call. */
  offered: boolean
  /** Settings that have no effect here: sentences. */
  notes: string[]
}

/**
 * The texts that tell agents how to work in a project. Texts that were left out are reported as configuration problems.
 */
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
