/** A text that tells agents how to work. */
export interface InstructionText {
  /** Of the project: a path in it. Of the user: an absolute path. Of a fetched text: its address. */
  name: string
  content: string
  /** Whose words they are. */
  from: "user" | "project" | "address"
}

/** Instructions of a directory, told when something below it is read. */
export interface DirectoryInstructions extends InstructionText {
  /** The directory that they speak of, as a path in the project. */
  directory: string
  /** A digest of its text. */
  version: string
}

/** Instructions as a model reads them: between marks that say where they come from. */
export function instructionBlock({ name, content, from }: InstructionText): string {
  return `<instructions file=${JSON.stringify(name)} from="${from}">\n${content}\n</instructions>`
}
