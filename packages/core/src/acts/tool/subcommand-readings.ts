import { interpreters, prefixWords } from "./command-names.ts"
import type { ShellCommand, ShellWord } from "./shell-command.ts"

/** How a command with options before its sub-command may be meant. */
export interface SubcommandReadings {
  /** The words without those options, e.g. `git push` of `git -C x push`. */
  words: ShellWord[][]
  /** It may be another sub-command than any that is written. */
  unknown: boolean
}

/** Settings of git that start no program. */
const plainSetting = /^(?:advice|color|column|user)\.|^(?:core\.quotepath|init\.defaultbranch)(?:=|$)/i

/**
 * What stands behind the options of a command that is known by its sub-command (`git -C x push`, `kubectl -n a delete`):
 * a rule for `git push` has to see it. Which options take a value is not known, so each reading counts; they can only
 * make the answer stricter, because the command as it is written counts too.
 */
export function subcommandReadings({ words }: ShellCommand): SubcommandReadings {
  const [first] = words
  const name = first?.value.slice(first.value.lastIndexOf("/") + 1) ?? ""
  if (first === undefined || !Object.hasOwn(prefixWords, name) || interpreters.has(name)) {
    return { words: [], unknown: false }
  }
  const starts = subcommandStarts(words)
  const last = words[starts.at(-1) ?? 0]
  const configured = name === "git" && runsSettings(words.slice(1, starts.at(-1)))
  const plain = { ...first, value: name }
  return {
    words: starts.map((start) => [plain, ...words.slice(start)]),
    unknown: configured || last?.literal === false,
  }
}

/** Where the sub-command may be when options come first; nowhere when none does. */
function subcommandStarts(words: ShellWord[]): number[] {
  if (!words[1]?.value.startsWith("-")) return []
  const starts: number[] = []
  const reached = new Set([1])
  for (let at = 1; at < words.length; at++) {
    const value = words[at]?.value ?? ""
    if (!reached.has(at)) continue
    if (!value.startsWith("-")) starts.push(at)
    else {
      reached.add(at + 1)
      if (!value.includes("=")) reached.add(at + 2)
    }
  }
  return starts
}

/** Whether git's own options may bring a program with them: an alias, a pager, another directory of commands. */
function runsSettings(options: ShellWord[]): boolean {
  return options.some(({ value }, index) => {
    if (value === "-c") return !plainSetting.test(options[index + 1]?.value ?? "")
    return value.startsWith("--config-env") || value.startsWith("--exec-path=")
  })
}
