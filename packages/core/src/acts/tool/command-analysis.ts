import { type Command, forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash"
import { evaluatedText } from "./evaluated-text.ts"
import { type ShellCommand, toShellWord, wordsOf } from "./shell-command.ts"

/** Longer scripts, and scripts with more commands, are not analysed. */
const MAX_LENGTH = 20_000
const MAX_COMMANDS = 50

/**
 * All commands that a shell script may run, in source order, including those in pipes, lists, loops, functions,
 * substitutions and here documents. Null when the script cannot be analysed: a syntax error, a control character that
 * may hide what runs, or a script that is too long.
 * `isInner`: the script is an argument of a command in another script, which may have set its variables.
 */
export function analyseScript(source: string, { isInner = false } = {}): ShellCommand[] | null {
  if (source.length > MAX_LENGTH || hasControlCharacter(source)) return null
  const commands: ShellCommand[] = []
  const visit = (node: SyntaxNode): boolean => {
    if (node.type === "Script" && hasErrors(node)) return false
    if (node.type === "Command") commands.push(toShellCommand(node))
    if (node.type === "Redirected") commands.push(redirectsOnly(node.redirects))
    let isReadable = commands.length <= MAX_COMMANDS
    forEachChild(node, (child) => {
      isReadable = isReadable && visit(child)
    })
    return isReadable
  }
  const script = parse(source)
  if (!visit(script)) return null
  const nothing = { words: [], assignments: [], writes: [], reads: [] }
  return [...commands, ...evaluatedText(script, !isInner).map((evaluates) => ({ ...nothing, evaluates }))]
}

function hasErrors(script: ParsedScript): boolean {
  return (script.errors?.length ?? 0) > 0
}

/** Control characters except tab and line feed, and invisible or reordering characters. */
function hasControlCharacter(source: string): boolean {
  return /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u.test(source.replace(/[\t\n]/g, ""))
}

function toShellCommand(command: Command): ShellCommand {
  const assignments = command.prefix.flatMap((item) => (item.type === "Assignment" ? [item.text] : []))
  return { words: wordsOf(command), assignments, ...redirectTargets(command.redirects) }
}

function redirectsOnly(redirects: Command["redirects"]): ShellCommand {
  return { words: [], assignments: [], ...redirectTargets(redirects) }
}

function redirectTargets(redirects: Command["redirects"]): Pick<ShellCommand, "writes" | "reads"> {
  const writes: (string | null)[] = []
  const reads: string[] = []
  for (const redirect of redirects) {
    if (redirect.type !== "Redirect" || redirect.target === undefined) continue
    const { value, literal, tilde } = toShellWord(redirect.target)
    const isDescriptor = redirect.operator.endsWith("&") && /^(\d+-?|-)$/.test(value)
    if (isDescriptor) continue
    const target = tilde ? value : value.replace(/^~/, "./~")
    if (!redirect.operator.startsWith("<") || redirect.operator === "<>") writes.push(literal ? target : null)
    else if (literal) reads.push(target)
  }
  return { writes, reads }
}
