import {
  type ArithmeticWord,
  type Assignment,
  type Command,
  forEachChild,
  type ParsedScript,
  type SyntaxNode,
  type Word,
  type WordPart,
} from "unbash"
import { builtinWords, namesSetBy, steers } from "./set-names.ts"
import { isLiteral, toShellWord, wordSet, wordsOf } from "./shell-command.ts"

/**
 * The places of a script where bash may run text that is not visible as a command: arithmetic and subscripts over
 * anything but plain numbers, `${x@P}`, `${!x}`, and variables that decide which program is found. What is not known to
 * be harmless is included. Source: bash(1), ARITHMETIC EVALUATION and Parameter Expansion.
 * `isWhole`: the script is not part of another one, which could have set its variables.
 */
export function evaluatedText(script: ParsedScript, isWhole: boolean): string[] {
  const values = scriptValues(script, isWhole)
  const found: string[] = []
  const visit = (node: SyntaxNode): void => {
    const text = evaluatedBy(node, values)
    if (text !== null) found.push(text)
    forEachChild(node, visit)
  }
  visit(script)
  return found
}

/** The text of a node that may run other commands; null for harmless nodes. */
function evaluatedBy(node: SyntaxNode, values: ScriptValues): string | null {
  switch (node.type) {
    case "Command":
      return evaluatesCommand(node, values) ? textOf(node) : null
    case "For":
    case "Select":
      return steers(node.name.value) ? `${node.name.value}=${node.wordlist?.[0]?.text ?? ""}` : null
    case "Coproc":
      return steers(node.name?.value ?? "") ? (node.name?.value ?? "") : null
    case "FileDescriptorVariable":
      return steers(node.name) ? node.name : null
    case "Assignment":
      return isHarmlessIndex(node.index, values) ? null : node.text
    case "ArithmeticExpansion":
      return node.expression === undefined && /\w/.test(node.text) ? node.text : null
    case "ArithmeticCommand":
      return node.expression === undefined && node.body.trim() !== "" ? `((${node.body}))` : null
    case "ArithmeticWord":
      return isCalculable(node, values) ? null : node.value
    case "TestBinary": {
      const calculates = /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)
      const isHarmless = !calculates || [node.left, node.right].every((word) => isCalculable(word, values))
      return isHarmless ? null : `[[ ${node.left.text} ${node.operator} ${node.right.text} ]]`
    }
    case "TestUnary": {
      const testsVariable = /^-[vR]$/.test(node.operator)
      const isHarmless = !testsVariable || /^\w+(?:\[[\d@*]+\])?$/.test(node.operand.text)
      return isHarmless ? null : `[[ ${node.operator} ${node.operand.text} ]]`
    }
    case "ParameterExpansion":
      return evaluatesParameter(node, values) ? node.text : null
    case "ExtendedGlob":
    case "BraceExpansion":
      return node.parts === undefined && /[$`]/.test(node.text) ? node.text : null
    default:
      return null
  }
}

function evaluatesCommand(command: Command, values: ScriptValues): boolean {
  const words = wordsOf(command)
  const [name] = builtinWords(words)
  const reads = name !== undefined && /^(?:read|mapfile|readarray)$/.test(name.value)
  if (command.prefix.some((item) => item.type === "Assignment" && steersBy(item, reads))) return true
  const args = command.args.slice(words.length - builtinWords(words).length)
  if (name?.value === "let") return !args.every((word) => word.type === "Word" && isCalculable(word, values))
  if (name?.value !== "test" && name?.value !== "[") return false
  return mayTestVariable(name.value === "[" ? args.slice(0, -1) : args, values)
}

/** An `IFS=…` in front of `read` only affects how this `read` splits its line. */
function steersBy({ name, value }: Assignment, reads: boolean): boolean {
  const known = value.type === "Word" && isLiteral(value) ? value.value : undefined
  return steers(name, known) && !(reads && name === "IFS" && known !== undefined)
}

/**
 * Whether the words of `test` may turn out to be `-v a[…]`: one word that is split into several, or two computed words.
 */
function mayTestVariable(args: Command["args"], values: ScriptValues): boolean {
  const computed = args.filter((word) => word.type === "Word" && !isLiteral(word))
  if (args.length === 2 && computed.length === 2) return true
  return computed.some(
    (word) => word.type === "Word" && word.parts?.some((part) => isSplit(part) && !values.ofPart(part, "text")),
  )
}

function isSplit({ type }: WordPart): boolean {
  return type === "SimpleExpansion" || type === "ParameterExpansion" || type === "CommandExpansion"
}

type ParameterExpansion = Extract<SyntaxNode, { type: "ParameterExpansion" }>

function evaluatesParameter(
  { parameter, prefix, index, operation }: ParameterExpansion,
  values: ScriptValues,
): boolean {
  if (!isHarmlessIndex(index, values)) return true
  const isKeys = index !== undefined && /^[@*]$/.test(index.value)
  if (prefix === "!" && !isKeys && operation?.type !== "Names" && !values.ofName(parameter, "text")) return true
  switch (operation?.type) {
    case "Unknown":
      return true
    case "Transform":
      return !/^[UuLQEAKka]$/.test(operation.operand.text)
    case "Default":
      return operation.operator.endsWith("=") && steers(parameter)
    case "Slice":
      return ![operation.offset, operation.length].every((word) => word === undefined || isCalculable(word, values))
    default:
      return false
  }
}

function isHarmlessIndex(index: Word | undefined, values: ScriptValues): boolean {
  return index === undefined || /^[@*]$/.test(index.text) || isCalculable(index, values)
}

/** Whether calculated text contains only numbers, and names of variables that hold numbers. */
function isCalculable(word: Word | ArithmeticWord, values: ScriptValues): boolean {
  if (word.parts === undefined) return isCalculableText(word.value, values)
  if (word.type === "Word" && isLiteral(word)) return isCalculableText(word.value, values)
  return word.parts.every((part) =>
    part.type === "Literal" ? isCalculableText(part.value, values) : values.ofPart(part, "number"),
  )
}

function isCalculableText(text: string, values: ScriptValues): boolean {
  if (!/^(?:[\s\w#[\]+\-*/%<>=!&|^~?:(),.]|\$(?:\w+|[#?$!]))*$/.test(text)) return false
  const positional = /\$\d/.test(text)
  const names = text.replaceAll(/0[xX][\da-fA-F]+|\d+#/g, "").match(/[A-Za-z_]\w*/g) ?? []
  return !positional && names.every((name) => !steers(name) && values.ofName(name, "number"))
}

function textOf(command: Command): string {
  const set = command.prefix.flatMap((item) => (item.type === "Assignment" ? [item.text] : []))
  return [...set, ...wordsOf(command).map(({ value }) => value)].join(" ")
}

/** What a value may contain: digits only, or any text that names no array element. */
type ValueKind = "number" | "text"

interface ScriptValues {
  /** Whether the script can only give the variable values of this kind. */
  ofName(name: string, kind: ValueKind): boolean
  ofPart(part: WordPart, kind: ValueKind): boolean
}

const allowedText: Readonly<Record<ValueKind, RegExp>> = { number: /^[\s\d+.-]*$/, text: /^[^[$`]*$/ }
/** Variables that the shell itself sets to what was run, read or matched. */
const setByShell = /^(?:_|REPLY|OPTARG|MAPFILE|PWD|OLDPWD|DIRSTACK|FUNCNAME|BASH_\w+|COMP_\w+|READLINE_\w+)$/
/** Commands that run text which may set any variable. */
const textRunners = wordSet(". alias enable eval source trap")
/** Commands that print only numbers when their arguments have this form. */
const numberPrinters: Readonly<Record<string, RegExp>> = {
  date: /^(?: \+%[sNYmdHMSju]+)?$/,
  grep: /^ -c [\w.-]+ [\w./-]+$/,
  id: /^ -[ug]$/,
  nproc: /^$/,
  seq: /^(?: -?\d+)+$/,
  wc: /^(?: -[lwcm]+)*$/,
}

/** What a script does to variables, whichever of its commands runs first. */
interface Settings {
  /** Null for a value that the script does not show. */
  values: Map<string, (Word | null)[]>
  /** The script runs text that may set any variable. */
  isOpen: boolean
  /** A function may replace a known command. */
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
      settings.isOpen ||= textRunners.has(builtinWords(wordsOf(node))[0]?.value ?? "")
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
 * Tracks the values that a script gives its variables: a variable counts as a number when each assignment is one.
 * `isWhole`: no other script ran before that could have set more.
 */
function scriptValues(script: ParsedScript, isWhole: boolean): ScriptValues {
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
      ? allowedText[kind].test(word.value) || /^0[xX][\da-fA-F]+$/.test(word.value)
      : word.parts.every((part) => ofPart(part, kind, seen))
  const ofPart = (part: WordPart, kind: ValueKind, seen: Set<string>): boolean => {
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        return allowedText[kind].test(part.value)
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
        return !definesCommands && printsNumbers(part.script)
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

/** Variables that a builtin sets to unknown values; assignments among its arguments are checked elsewhere. */
function namesReadBy(command: Command): (string | null)[] {
  const words = [command.name, ...command.args].flatMap((word) => (word?.type === "Word" ? [toShellWord(word)] : []))
  const isDeclaring = /^(?:declare|export|local|readonly|typeset|unset)$/.test(builtinWords(words)[0]?.value ?? "")
  return namesSetBy(isDeclaring ? words.filter(({ value }, at) => at === 0 || value.includes("=")) : words)
}

/** Whether the last command of a substitution prints only numbers. */
function printsNumbers(script: ParsedScript | undefined): boolean {
  const statement = script?.commands.at(-1)?.command
  if (script?.commands.length !== 1 || statement === undefined) return false
  const last = statement.type === "Pipeline" ? statement.commands.at(-1) : statement
  if (last?.type !== "Command" || last.name === undefined || last.prefix.length > 0) return false
  const form = Object.hasOwn(numberPrinters, last.name.value) ? numberPrinters[last.name.value] : undefined
  const isPlain = last.args.every((word) => word.type === "Word" && isLiteral(word))
  return (
    form !== undefined &&
    isPlain &&
    form.test(last.args.map((word) => ` ${word.type === "Word" ? word.value : ""}`).join(""))
  )
}
