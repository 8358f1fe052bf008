import { isWithin } from "../../ground/file/is-within.ts"
import type { JudgedFile } from "../config/brought-file.ts"
import { isInstructionAddress } from "../config/fill-in-config.ts"
import type { FetchedInstructions } from "./fetched-instructions.ts"
import { expandPattern } from "./find-named.ts"
import type { InstructionFile } from "./instruction-file.ts"
import { type ReportProblem, readInstruction } from "./read-instruction.ts"

export interface NamedInstructionsInput {
  /** Real path of the project's top. */
  top: string
  home: string
  /** Absolute paths, globs and addresses, as the configuration gives them. */
  patterns: readonly string[]
  /** Where they may lie outside the project; null for anywhere. */
  roots: readonly string[] | null
  /** What is of other workspaces and of the service: none of it is read, also by a link. */
  others: readonly string[]
  /** What the project brings: of its own files, those count that the user trusts, with the text that they looked at. */
  brought: readonly JudgedFile[]
  /** What an address gave; null while that is not known. */
  fetched(url: string): Promise<FetchedInstructions | null> | FetchedInstructions | null
}

/** What the key `instructions` of the configuration names, in its order. Never throws. */
export async function namedInstructions(
  input: NamedInstructionsInput,
  report: ReportProblem,
): Promise<InstructionFile[]> {
  const { top, home, roots, others, brought } = input
  const leaveOut = (file: string, message: string) => {
    report({ file, line: null, column: null, message })
    return null
  }
  const read = async (path: string): Promise<InstructionFile | null> => {
    if (isWithin(top, path)) return leaveOut(path, "is named by a pattern that begins outside the project; left out")
    const within = roots?.find((root) => isWithin(root, path)) ?? null
    if (within === null && roots !== null) return leaveOut(path, "is in no directory of this workspace; left out")
    const found = await readInstruction(path, { top: within, home, others }, report)
    return found && { name: path, content: found.text, pieces: found.pieces, from: "user" }
  }
  const found = input.patterns.map(async (pattern) => {
    if (isInstructionAddress(pattern)) return [await fetchedFile(pattern, input, report)]
    if (!isWithin(top, pattern)) return Promise.all((await expandPattern(pattern)).map(read))
    const ofProject = brought.filter(({ namedBy, trusted }) => trusted && namedBy?.includes(pattern))
    return ofProject.map(
      ({ name, text, pieces }): InstructionFile => ({ name, content: text, pieces, from: "project" }),
    )
  })
  return (await Promise.all(found)).flat().filter((file) => file !== null)
}

async function fetchedFile(
  url: string,
  { fetched }: Pick<NamedInstructionsInput, "fetched">,
  report: ReportProblem,
): Promise<InstructionFile | null> {
  const answer = await fetched(url)
  if (answer === null) return null
  if ("text" in answer) return answer.text === "" ? null : { name: url, content: answer.text, from: "address" }
  report({ file: url, line: null, column: null, message: answer.problem })
  return null
}
