import type { InstructionFile } from "./instruction-file.ts"

/** Instructions as a model reads them: between marks that say where they come from. */
export function instructionBlock({ name, content, from }: InstructionFile): string {
  return `<instructions file=${JSON.stringify(name)} from="${from}">\n${content}\n</instructions>`
}
