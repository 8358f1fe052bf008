/** Instructions for one kind of task, with files beside them, that a model loads when it needs them. */
export interface Skill {
  name: string
  description: string
  /** What a model reads when it loads it. */
  text: string
  /** Its SKILL.md, and the directory of that; absolute. */
  file: string
  directory: string
  /** Where that directory really lies. */
  place: string
  from: "user" | "project"
  /** False for one that only people call. */
  offered: boolean
  /** What of its settings counts for nothing here: sentences. */
  notes: string[]
}
