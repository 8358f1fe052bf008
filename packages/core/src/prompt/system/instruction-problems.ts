import type { ConfigProblem } from "../../config/config-report.ts"
import { type FindInstructionsInput, findInstructions } from "./find-instructions.ts"

/** The instruction files that are there and do not count, as problems of the configuration. */
export async function instructionProblems(input: FindInstructionsInput): Promise<ConfigProblem[]> {
  const problems: ConfigProblem[] = []
  await findInstructions({
    ...input,
    onLeftOut: (file, message) => problems.push({ file, line: null, column: null, message }),
  })
  // The files are read side by side.
  return problems.sort((a, b) => (a.file < b.file ? -1 : 1))
}
