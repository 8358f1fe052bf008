/** A text that tells agents how to work. */
export interface InstructionText {
  /** Of a project's the path in it; of the user's own absolute; of one that was fetched its address. */
  name: string
  content: string
  /** Whose words they are. */
  from: "user" | "project" | "address"
}

/** Instructions of a directory, told when something below it is read. */
export interface DirectoryInstructions extends InstructionText {
  /** The directory that they speak of, as a path in the project. */
  directory: string
  /** Stands for its text. */
  version: string
}

/** Instructions as a model reads them: between marks that say where they come from. */
export function instructionBlock({ name, content, from }: InstructionText): string {
  return `<instructions file=${JSON.stringify(name)} from="${from}">\n${content}\n</instructions>`
}
