import type { CommandOptions, OptionUsage } from "./command-options.ts"
import type { ShellWord } from "./shell-command.ts"

/** What one command changes, as far as its words tell. */
export interface CommandChanges {
  writes?: readonly ShellWord[]
  removes?: readonly ShellWord[]
  /** Addresses from which it fetches. */
  downloads?: readonly ShellWord[]
  /** What no path names, in words for people. */
  notes?: readonly string[]
  /** It may change something else too. */
  unknown?: boolean
}

/** How the words of a command are read. */
export interface ChangeReader extends OptionUsage {
  read(options: CommandOptions): CommandChanges
}

/** The last part of a path or an address; the word itself where there is none. */
export function baseName(word: ShellWord): ShellWord {
  const path = word.value.replace(/[?#].*$/, "").replace(/\/+$/, "")
  const name = path.slice(path.lastIndexOf("/") + 1)
  return name === "" ? word : { ...word, value: name, tilde: false }
}
