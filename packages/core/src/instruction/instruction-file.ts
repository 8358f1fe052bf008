import type { TextPiece } from "../config/brought-file.ts"

/** A text that tells agents how to work. */
export interface InstructionFile {
  /** Of a project's the path in it; of the user's own absolute; of one that was fetched its address. */
  name: string
  content: string
  /** The content by the files that it is of; none where it is of no file. */
  pieces?: readonly TextPiece[] | undefined
  /** Whose words they are. */
  from: "user" | "project" | "address"
}

/** Instructions of a directory, told when something below it is read. */
export interface NestedInstructions extends InstructionFile {
  /** The directory that they speak of, as a path in the project. */
  directory: string
  /** Stands for its text. */
  version: string
}
