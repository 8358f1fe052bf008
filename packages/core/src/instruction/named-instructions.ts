import { glob } from "node:fs/promises"
import { isInstructionAddress } from "../config/instruction-address.ts"
import { isWithin } from "../file/is-within.ts"
import type { FetchedInstructions } from "./fetched-instructions.ts"
import type { InstructionFile } from "./instruction-file.ts"
import { type ReportProblem, readInstruction, shownPath } from "./read-instruction.ts"

/** Files that one pattern may add. */
const patternLimit = 20

export interface NamedInstructionsInput {
  /** Real path of the project's top. */
  top: string
  home: string
  /** Absolute paths, globs and addresses, as the configuration gives them. */
  patterns: readonly string[]
  /** Where they may lie outside the project; null for anywhere. */
  roots: readonly string[] | null
  /** What an address gave; null while that is not known. */
  fetched(url: string): Promise<FetchedInstructions | null> | FetchedInstructions | null
}

/** What the key `instructions` of the configuration names, in its order. Never throws. */
export async function namedInstructions(
  input: NamedInstructionsInput,
  report: ReportProblem,
): Promise<InstructionFile[]> {
  const { top, home, roots } = input
  const read = async (path: string): Promise<InstructionFile | null> => {
    const isInside = isWithin(top, path)
    const within = isInside ? top : (roots?.find((root) => isWithin(root, path)) ?? null)
    if (within === null && roots !== null) {
      report({ file: path, line: null, column: null, message: "is in no directory of this workspace; left out" })
      return null
    }
    const found = await readInstruction(path, { top: within, home }, report)
    return found && { name: shownPath(path, top), content: found.text, from: isInside ? "project" : "user" }
  }
  const found = input.patterns.map(async (pattern) => {
    if (isInstructionAddress(pattern)) return [await fetchedFile(pattern, input, report)]
    return Promise.all((await expandPattern(pattern)).map(read))
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

async function expandPattern(pattern: string): Promise<string[]> {
  if (!/[*?[{]/.test(pattern)) return [pattern]
  const paths: string[] = []
  for await (const path of glob(pattern)) {
    paths.push(path)
    if (paths.length === patternLimit) break
  }
  return paths.sort()
}
