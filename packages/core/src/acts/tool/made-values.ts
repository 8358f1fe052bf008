import { type Command, forEachChild, type ParsedScript, type SyntaxNode, type Word, type WordPart } from "unbash"
import { builtinWords, namesSetBy } from "./set-names.ts"
import { isLiteral, toShellWord, wordsOf } from "./shell-words.ts"

/** What a value may hold: the digits of numbers, or any text that names no element of an array. */
export type ValueKind = "number" | "text"

export interface MadeValues {
  /** Whether the value of a variable can only be of a kind, as far as the script makes it. */
  ofName(name: string, kind: ValueKind): boolean
  ofPart(part: WordPart, kind: ValueKind): boolean
}

const allowed: Readonly<Record<ValueKind, RegExp>> = { number: /^[\s\d+.-]*$/, text: /^[^[$`]*$/ }
/** Set by the shell itself to what was run, read or matched. */
const setByShell = /^(?:_|REPLY|OPTARG|MAPFILE|PWD|OLDPWD|DIRSTACK|FUNCNAME|BASH_\w+|COMP_\w+|READLINE_\w+)$/
/** Run text that may set any variable. */
const opening: ReadonlySet<string> = new Set([".", "alias", "enable", "eval", "source", "trap"])
/** Print nothing but numbers with arguments of this form. */
const counters: Readonly<Record<string, RegExp>> = {
  date: /^(?: \+%[sNYmdHMSju]+)?$/,
  grep: /^ -c [\w.-]+ [\w./-]+$/,
  id: /^ -[ug]$/,
  nproc: /^$/,
  seq: /^(?: -?\d+)+$/,
  wc: /^(?: -[lwcm]+)*$/,
}

/** What a script does to variables, wherever it stands in it. */
interface Settings {
  /** Null for a value that is not seen. */
  values: Map<string, (Word | null)[]>
  /** Text runs that may set any variable. */
  isOpen: boolean
  /** A function may stand for a known command. */
  definesCommands: boolean
}

function settingsOf(script: ParsedScript): Settings {
  const settings: Settings = { values: new Map(), isOpen: false, definesCommands: false }
  const set = (name: string, value: Word | null) =>
    settings.values.set(name, [...(settings.values.get(name) ?? []), value])
  const collect = (node: SyntaxNode): void => {
    if (node.type === "Function") settings.definesCommands = true
    if (node.type === "Command") {
      for (const name of namesReadBy(node)) if (name !== null) set(name, null)
      settings.isOpen ||= opening.has(builtinWords(wordsOf(node))[0]?.value ?? "")
    }
    if (node.type === "Assignment") {
      if (node.value.type === "Word") set(node.name, node.value)
      else for (const element of node.value.elements) set(node.name, element)
    }
    if (node.type === "For" || node.type === "Select")
      for (const word of node.wordlist ?? [null]) set(node.name.value, word)
    if (
      node.type === "ParameterExpansion" &&
      node.operation?.type === "Default" &&
      node.operation.operator.endsWith("=")
    )
      set(node.parameter, node.operation.operand)
    forEachChild(node, collect)
  }
  collect(script)
  return settings
}

/**
 * Follows what a script puts into its variables: one counts as a number when each of its assignments is one. `isWhole`:
 * no other script ran before it that could have set more.
 */
export function madeValues(script: ParsedScript, isWhole: boolean): MadeValues {
  const { values, isOpen, definesCommands } = settingsOf(script)
  const ofName = (name: string, kind: ValueKind, seen: Set<string>): boolean => {
    if (/^[#?$!]$/.test(name)) return true
    if (isOpen || !/^[A-Za-z_]\w*$/.test(name) || setByShell.test(name)) return false
    if (seen.has(name)) return true
    seen.add(name)
    const given = values.get(name)
    if (given === undefined) return isWhole
    return given.every((word) => word !== null && ofWord(word, kind, seen))
  }
  const ofWord = (word: Word, kind: ValueKind, seen: Set<string>): boolean =>
    word.parts === undefined
      ? allowed[kind].test(word.value) || /^0[xX][\da-fA-F]+$/.test(word.value)
      : word.parts.every((part) => ofPart(part, kind, seen))
  const ofPart = (part: WordPart, kind: ValueKind, seen: Set<string>): boolean => {
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        return allowed[kind].test(part.value)
      case "DoubleQuoted":
        return part.parts.every((inner) => ofPart(inner, kind, seen))
      case "SimpleExpansion":
        return ofName(part.text.slice(1), kind, seen)
      case "ParameterExpansion": {
        if (part.prefix === "#") return true
        const { operation } = part
        const isKept = operation === undefined || operation.type === "Remove" || operation.type === "Slice"
        const isDefault = operation?.type === "Default" && ofWord(operation.operand, kind, seen)
        return part.prefix === undefined && (isKept || isDefault) && ofName(part.parameter, kind, seen)
      }
      case "ArithmeticExpansion":
        return true
      case "CommandExpansion":
        return !definesCommands && counts(part.script)
      case "BraceExpansion":
        return /^\{[\d.,-]+\}$/.test(part.text)
      default:
        return false
    }
  }
  return {
    ofName: (name, kind) => ofName(name, kind, new Set()),
    ofPart: (part, kind) => ofPart(part, kind, new Set()),
  }
}

/** Variables that a builtin sets to what is not seen; an assignment among its arguments is looked at by itself. */
function namesReadBy(command: Command): (string | null)[] {
  const words = [command.name, ...command.args].flatMap((word) => (word?.type === "Word" ? [toShellWord(word)] : []))
  const isDeclaring = /^(?:declare|export|local|readonly|typeset|unset)$/.test(builtinWords(words)[0]?.value ?? "")
  return namesSetBy(isDeclaring ? words.filter(({ value }, at) => at === 0 || value.includes("=")) : words)
}

/** Whether the last command of a substitution prints only numbers. */
function counts(script: ParsedScript | undefined): boolean {
  const statement = script?.commands.at(-1)?.command
  if (script?.commands.length !== 1 || statement === undefined) return false
  const last = statement.type === "Pipeline" ? statement.commands.at(-1) : statement
  if (last?.type !== "Command" || last.name === undefined || last.prefix.length > 0) return false
  const form = Object.hasOwn(counters, last.name.value) ? counters[last.name.value] : undefined
  const isPlain = last.args.every((word) => word.type === "Word" && isLiteral(word))
  return (
    form !== undefined &&
    isPlain &&
    form.test(last.args.map((word) => ` ${word.type === "Word" ? word.value : ""}`).join(""))
  )
}
