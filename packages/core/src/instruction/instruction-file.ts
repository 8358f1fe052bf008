import type { TextPiece } from "../config/brought-file.ts"
import type { DirectoryInstructions, InstructionText } from "../message/instruction-block.ts"

/** Instructions as they are found. */
export interface InstructionFile extends InstructionText {
  /** The content by the files that it is of; none where it is of no file. */
  pieces?: readonly TextPiece[] | undefined
}

/** Instructions of a directory as they are found. */
export type NestedInstructions = InstructionFile & DirectoryInstructions
