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
import { type MadeValues, madeValues } from "./made-values.ts"
import { builtinWords } from "./set-names.ts"
import { isLiteral, wordsOf } from "./shell-words.ts"
import { steers } from "./steering-variables.ts"

/**
 * The places of a script at which bash may run text that no command of it shows, as they are written: arithmetic and
 * subscripts over what is no plain number, `${x@P}`, `${!x}`, and variables by which programs are found. What is not
 * known to be harmless is one. Source: bash(1), ARITHMETIC EVALUATION and Parameter Expansion.
 *
 * `isWhole`: the script is not part of another, which could have set its variables.
 */
export function evaluatedText(script: ParsedScript, isWhole: boolean): string[] {
  const values = madeValues(script, isWhole)
  const found: string[] = []
  const visit = (node: SyntaxNode): void => {
    const text = evaluates(node, values)
    if (text !== null) found.push(text)
    forEachChild(node, visit)
  }
  visit(script)
  return found
}

/** The text of a node that may run something else; null for all others. */
function evaluates(node: SyntaxNode, values: MadeValues): string | null {
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
      return isIndex(node.index, values) ? null : node.text
    case "ArithmeticExpansion":
      return node.expression === undefined && /\w/.test(node.text) ? node.text : null
    case "ArithmeticCommand":
      return node.expression === undefined && node.body.trim() !== "" ? `((${node.body}))` : null
    case "ArithmeticWord":
      return isCalculable(node, values) ? null : node.value
    case "TestBinary":
      return !/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator) ||
        [node.left, node.right].every((word) => isCalculable(word, values))
        ? null
        : `[[ ${node.left.text} ${node.operator} ${node.right.text} ]]`
    case "TestUnary":
      return !/^-[vR]$/.test(node.operator) || /^\w+(?:\[[\d@*]+\])?$/.test(node.operand.text)
        ? null
        : `[[ ${node.operator} ${node.operand.text} ]]`
    case "ParameterExpansion":
      return evaluatesParameter(node, values) ? node.text : null
    case "ExtendedGlob":
    case "BraceExpansion":
      return node.parts === undefined && /[$`]/.test(node.text) ? node.text : null
    default:
      return null
  }
}

function evaluatesCommand(command: Command, values: MadeValues): boolean {
  const words = wordsOf(command)
  const [name] = builtinWords(words)
  const reads = name !== undefined && /^(?:read|mapfile|readarray)$/.test(name.value)
  if (command.prefix.some((item) => item.type === "Assignment" && steersBy(item, reads))) return true
  const args = command.args.slice(words.length - builtinWords(words).length)
  if (name?.value === "let") return !args.every((word) => word.type === "Word" && isCalculable(word, values))
  if (name?.value !== "test" && name?.value !== "[") return false
  return mayTestVariable(name.value === "[" ? args.slice(0, -1) : args, values)
}

/** Only how `read` splits a line is set for it alone. */
function steersBy({ name, value }: Assignment, reads: boolean): boolean {
  const known = value.type === "Word" && isLiteral(value) ? value.value : undefined
  return steers(name, known) && !(reads && name === "IFS" && known !== undefined)
}

/** Whether words of `test` may turn out to be `-v a[…]`: one that is split into several, or both of two. */
function mayTestVariable(args: Command["args"], values: MadeValues): boolean {
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

function evaluatesParameter({ parameter, prefix, index, operation }: ParameterExpansion, values: MadeValues): boolean {
  if (!isIndex(index, values)) return true
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

function isIndex(index: Word | undefined, values: MadeValues): boolean {
  return index === undefined || /^[@*]$/.test(index.text) || isCalculable(index, values)
}

/** Whether text that is calculated holds only numbers, and names of numbers. */
function isCalculable(word: Word | ArithmeticWord, values: MadeValues): boolean {
  if (word.parts === undefined) return isCalculableText(word.value, values)
  if (word.type === "Word" && isLiteral(word)) return isCalculableText(word.value, values)
  return word.parts.every((part) =>
    part.type === "Literal" ? isCalculableText(part.value, values) : values.ofPart(part, "number"),
  )
}

function isCalculableText(text: string, values: MadeValues): boolean {
  if (!/^(?:[\s\w#[\]+\-*/%<>=!&|^~?:(),.]|\$(?:\w+|[#?$!]))*$/.test(text)) return false
  const positional = /\$\d/.test(text)
  const names = text.replaceAll(/0[xX][\da-fA-F]+|\d+#/g, "").match(/[A-Za-z_]\w*/g) ?? []
  return !positional && names.every((name) => !steers(name) && values.ofName(name, "number"))
}

function textOf(command: Command): string {
  const set = command.prefix.flatMap((item) => (item.type === "Assignment" ? [item.text] : []))
  return [...set, ...wordsOf(command).map(({ value }) => value)].join(" ")
}
