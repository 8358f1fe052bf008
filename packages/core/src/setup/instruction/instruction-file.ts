import type { DirectoryInstructions, InstructionText } from "../../ground/message/instruction-block.ts"
import type { TextPiece } from "../config/brought-file.ts"

/** Instructions as they are found. */
export interface InstructionFile extends InstructionText {
  /** The content by the files that it is of; none where it is of no file. */
  pieces?: readonly TextPiece[] | undefined
}

/** Instructions of a directory as they are found. */
export type NestedInstructions = InstructionFile & DirectoryInstructions
