import { analyseScript } from "./command-analysis.ts"
import { interpreters, runners, scriptRunners, shells } from "./command-names.ts"
import { programName, type ShellCommand, type ShellWord, wordSet } from "./shell-command.ts"
import { type WrapperUsage, wrapperUsages } from "./wrapper-options.ts"

/** The commands that a command runs, as far as its arguments show. */
export interface InnerCommands {
  commands: ShellCommand[]
  /** The command may run other commands too: computed ones, ones read from its input, or behind an unknown option. */
  unknown: boolean
}

/** How deeply commands within commands are analysed. */
export const mostInner = 4

const nothing: InnerCommands = { commands: [], unknown: false }
const anything: InnerCommands = { commands: [], unknown: true }

/** These take a script after `-c`, and otherwise read one. */
const commandOption = wordSet("runuser script su")
/** These run the files they find, or a command on them, after one of these options, up to `;` or `+`. */
const finders: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|execdir|ok|okdir)$/,
  fd: /^(?:-[xX].*|--exec(?:-batch)?(?:=.*)?)$/,
  fdfind: /^(?:-[xX].*|--exec(?:-batch)?(?:=.*)?)$/,
}
/** These start a shell when no command is given. */
const startShellByDefault = wordSet("chroot doas sudo")
/** A file name that means the input, or the output of another command. */
const inputFile = /^(?:-|\/dev\/(?:stdin|fd\/\d+)|\/proc\/(?:self|\d+)\/fd\/\d+)$/

/** The commands in the arguments of a wrapper (`sudo`, `xargs`, `timeout`), a shell, `eval`, `find -exec` and the like. */
export function innerCommands(command: ShellCommand): InnerCommands {
  const [first, ...args] = command.words
  if (first === undefined || !first.literal) return nothing
  const name = programName(first)
  if (scriptRunners.has(name)) return runnerScript(name, withoutDashes(args))
  if (name === "alias") return joinInner(args.map(aliasScript))
  if (name === "mapfile" || name === "readarray") return lineHandler(args)
  if (name === "hash") return args.some(({ value }) => value.startsWith("-p")) ? anything : nothing
  if (name === "source" || name === ".") return isInput(withoutDashes(args)[0]) ? anything : nothing
  if (commandOption.has(name)) return scriptAfter(args, /^(?:-[a-z]*c|--command)$/) ?? anything
  if (shells.has(name)) return shellScript(args)
  const finder = Object.hasOwn(finders, name) ? finders[name] : undefined
  if (finder !== undefined) return foundCommands(args, finder)
  const behind = behindRunner([{ ...first, value: name }, ...args])
  if (behind !== null) return wrappedCommands(name, {}, behind)
  return Object.hasOwn(wrapperUsages, name) ? wrappedCommands(name, wrapperUsages[name] ?? {}, args) : nothing
}

/** The words after a multi-word runner such as `npm exec`; null when the command is no runner. */
function behindRunner(words: ShellWord[]): ShellWord[] | null {
  const count = [2, 3].find((length) =>
    runners.has(
      words
        .slice(0, length)
        .map(({ value }) => value)
        .join(" "),
    ),
  )
  return count === undefined ? null : words.slice(count)
}

function joinInner(parts: InnerCommands[]): InnerCommands {
  return { commands: parts.flatMap(({ commands }) => commands), unknown: parts.some(({ unknown }) => unknown) }
}

function withoutDashes(args: ShellWord[]): ShellWord[] {
  return args[0]?.value === "--" ? args.slice(1) : args
}

function isInput(word: ShellWord | undefined): boolean {
  return word !== undefined && (!word.literal || inputFile.test(word.value))
}

function scriptOf(words: ShellWord[]): InnerCommands {
  if (words.length === 0 || words.some((word) => !word.literal)) return anything
  const commands = analyseScript(words.map((word) => word.value).join(" "), { isInner: true })
  return commands === null ? anything : { commands, unknown: false }
}

function runnerScript(name: string, args: ShellWord[]): InnerCommands {
  return scriptOf(name === "trap" ? args.slice(0, 1) : args)
}

function aliasScript(word: ShellWord): InnerCommands {
  if (!word.value.includes("=")) return nothing
  return scriptOf([{ ...word, value: word.value.slice(word.value.indexOf("=") + 1) }])
}

/** `mapfile -C` passes the number and the text of a line to its command as further words. */
function lineHandler(args: ShellWord[]): InnerCommands {
  const handler = scriptAfter(args, /^-[A-Za-z]*C/)
  return handler === null ? nothing : { ...handler, unknown: true }
}

function scriptAfter(args: ShellWord[], option: RegExp): InnerCommands | null {
  const at = args.findIndex(({ value }) => option.test(value))
  return at < 0 ? null : scriptOf(args.slice(at + 1, at + 2))
}

/** The script of `sh -c script`, with options before and after `-c`; otherwise a script file or the input. */
function shellScript(args: ShellWord[]): InnerCommands {
  const flag = args.findIndex(({ value }) => /^-[A-Za-z]*c[A-Za-z]*$|^--command$/.test(value))
  if (flag < 0) {
    const joined = args.find(({ value }) => value.startsWith("--command="))
    if (joined !== undefined) return scriptOf([{ ...joined, value: joined.value.slice("--command=".length) }])
    return readsInput(args) || args.some((word) => isInput(word)) ? anything : nothing
  }
  const rest = args.slice(flag + 1)
  const at = rest.findIndex(({ value }, index) => {
    return !/^[-+]/.test(value) && !/^[-+][A-Za-z]*[oO]$/.test(rest[index - 1]?.value ?? "")
  })
  return at < 0 ? anything : scriptOf(rest.slice(at, at + 1))
}

/** Whether no script is named, so the commands come from standard input. */
export function readsInput(args: ShellWord[]): boolean {
  return args.every(
    (word) => word.value.startsWith("-") && !/^--?(c|e|eval|p|print|m|version|help|v|V|h)$/.test(word.value),
  )
}

function foundCommands(args: ShellWord[], option: RegExp): InnerCommands {
  const found = args.map((word, index): InnerCommands => {
    if (word.value === "-delete")
      return { commands: [plainCommand([{ value: "rm", literal: true, tilde: false }])], unknown: false }
    if (!option.test(word.value)) return nothing
    // In `-xrm` and `--exec=rm` the command begins in the option's word.
    if (/^-[xX].|^--.*=/.test(word.value)) return anything
    const tail = args.slice(index + 1)
    const end = tail.findIndex(({ value }) => value === ";" || value === "+")
    const words = end < 0 ? tail : tail.slice(0, end)
    if (words.length === 0) return anything
    return { commands: [plainCommand(words.map(computedIfContains("{")))], unknown: false }
  })
  return joinInner(found)
}

/** Marks words with the placeholder as computed: the text that replaces it is not known before the command runs. */
function computedIfContains(placeholder: string): (word: ShellWord) => ShellWord {
  return (word) => (word.value.includes(placeholder) ? { ...word, literal: false } : word)
}

function plainCommand(words: ShellWord[]): ShellCommand {
  return { words, assignments: [], writes: [], reads: [] }
}

function wrappedCommands(name: string, usage: WrapperUsage, args: ShellWord[]): InnerCommands {
  if (name === "command" && /^-[pvV]*[vV]/.test(args[0]?.value ?? "")) return nothing
  // `env -S` splits a text into a command.
  const split = name === "env" ? args.findIndex(({ value }) => /^(?:-[0iv]*S|--split-string)/.test(value)) : -1
  if (split >= 0) return anything
  const start = commandStart(usage, args)
  if (start === null) return anything
  const words = args.slice(start)
  if (name === "flock" && /^(?:-c|--command)$/.test(words[0]?.value ?? "")) return scriptOf(words.slice(1, 2))
  if (name === "parallel") {
    const end = words.findIndex(({ value }) => /^:::/.test(value))
    return { ...scriptOf(end < 0 ? words : words.slice(0, end)), unknown: true }
  }
  if (words.length === 0) return startShellByDefault.has(name) ? anything : nothing
  if (usage.script) return scriptOf(words)
  if (!usage.input) return { commands: [plainCommand(words)], unknown: false }
  const placeholder = placeholderOf(args.slice(0, start))
  const inner = placeholder === null ? words : words.map(computedIfContains(placeholder))
  return { commands: [plainCommand(inner)], unknown: placeholder === null && takesCommand(inner) }
}

/** The text that `xargs` replaces in the command; null when it appends arguments. */
function placeholderOf(options: ShellWord[]): string | null {
  const at = options.findIndex(({ value }) => /^-[0oprtx]*[Ii]|^--replace/.test(value))
  const option = options[at]?.value
  if (option === undefined) return null
  const attached = option.startsWith("--") ? option.slice("--replace=".length) : option.slice(option.search(/[Ii]/) + 1)
  if (attached !== "") return attached
  return option.endsWith("I") ? (options[at + 1]?.value ?? "{}") : "{}"
}

/** Whether an appended argument would be a command or decide which command runs. */
function takesCommand([name, second]: ShellWord[]): boolean {
  const base = name === undefined ? "" : programName(name)
  if (Object.hasOwn(wrapperUsages, base) || scriptRunners.has(base) || Object.hasOwn(finders, base)) return true
  if (interpreters.has(base)) return second === undefined || !/^-[A-Za-z]*c$/.test(second.value)
  return second === undefined && base === "git"
}

/** The index of the command after options, operands and assignments; null when an option is unknown. */
function commandStart(usage: WrapperUsage, args: ShellWord[]): number | null {
  let at = 0
  const assigns = (word: ShellWord | undefined) => !usage.script && /^\w+=/.test(word?.value ?? "")
  // Only some wrappers take assignments, and options after them; but no wrapper runs a command with such a name.
  for (let word = args[at]; word?.value.startsWith("-") || assigns(word); word = args[at]) {
    at++
    if (word === undefined || assigns(word) || word.value === "-") continue
    if (!word.literal) return null
    if (word.value === "--") {
      while (assigns(args[at])) at++
      break
    }
    const taken = wordsOfOption(usage, word.value)
    if (taken === null) return null
    at += taken
  }
  at += usage.operands ?? 0
  if (usage.optionalOperand?.test(args[at]?.value ?? "")) at++
  while (assigns(args[at])) at++
  return at
}

/** How many words after an option belong to it as its value; null when the option is unknown. */
function wordsOfOption(usage: WrapperUsage, option: string): number | null {
  if (option.startsWith("--")) {
    const [name = ""] = option.slice(2).split("=")
    if (usage.longValues?.includes(name)) return option.includes("=") ? 0 : 1
    if (usage.longFlags?.includes(name)) return 0
    return /^\d+$/.test(name) && usage.flags?.includes("-") ? 0 : null
  }
  for (const [index, letter] of [...option.slice(1)].entries()) {
    if (usage.values?.includes(letter)) return index === option.length - 2 ? 1 : 0
    if (usage.attached?.includes(letter)) return 0
    if (!usage.flags?.includes(letter)) return null
  }
  return 0
}
