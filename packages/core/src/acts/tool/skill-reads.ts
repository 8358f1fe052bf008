import { interpreters } from "./command-names.ts"
import type { ShellCommand, ShellWord } from "./shell-command.ts"

/** The text after these is the program, so that no file among the arguments is. */
const inlineProgram = /^-(?:-eval|-print|[a-zA-Z]*[cepE])/

/**
 * Of a command's arguments those that it only reads because of a skill: when it runs a script of one, all that lie in a
 * skill's directory; of `cp` what it copies from there. A skill is the user's, and a program that it brings is run like
 * any other: what it writes besides, no argument tells.
 *
 * @param isOfSkill whether a word names something in a skill's directory
 */
export async function readOfSkills(
  { words }: Pick<ShellCommand, "words">,
  isOfSkill: (word: ShellWord) => Promise<boolean>,
): Promise<ReadonlySet<ShellWord>> {
  const [name, ...args] = words
  if (name === undefined) return new Set()
  const candidates = await candidatesOf(name, args, isOfSkill)
  const found = await Promise.all(candidates.map(async (word) => ((await isOfSkill(word)) ? [word] : [])))
  return new Set(found.flat())
}

async function candidatesOf(
  name: ShellWord,
  args: ShellWord[],
  isOfSkill: (word: ShellWord) => Promise<boolean>,
): Promise<ShellWord[]> {
  if (name.value === "cp" && !args.some(({ value }) => /^-(?:-target|[a-zA-Z]*t)/.test(value))) return args.slice(0, -1)
  const isInterpreter = interpreters.has(name.value) && !args.some(({ value }) => inlineProgram.test(value))
  const named = isInterpreter ? args.find(({ value }) => !value.startsWith("-") && value !== "run") : name
  // A name without a path is looked for among the installed programs.
  const program = isInterpreter || name.value.includes("/") ? named : undefined
  return program !== undefined && (await isOfSkill(program)) ? args : []
}
