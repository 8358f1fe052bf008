import { type Argument, type Expression, parseSync, Visitor } from "oxc-parser"

/** The names of a chain like `test.describe.each`, from its root; null for anything else. */
function readChain(node: Expression): string[] | null {
  if (node.type === "Identifier") return [node.name]
  if (node.type === "CallExpression") return readChain(node.callee)
  if (node.type === "TaggedTemplateExpression") return readChain(node.tag)
  if (node.type !== "MemberExpression" || node.property.type !== "Identifier") return null
  const names = readChain(node.object)
  return names && [...names, node.property.name]
}

const modifiers = /^(describe|each|fails|fixme|for|only|runIf|serial|skip|skipIf|concurrent|sequential)$/

function isTest(callee: Expression): boolean {
  const [root = "", ...rest] = readChain(callee) ?? []
  return /^(test|it|describe)$/.test(root) && rest.every((name) => modifiers.test(name))
}

/** A title as it is written; what a template puts in counts as one word. */
function readTitle(node: Argument | undefined): string | null {
  if (node?.type === "Literal") return typeof node.value === "string" ? node.value : null
  if (node?.type !== "TemplateLiteral") return null
  return node.quasis.map(({ value }) => value.raw).join("…")
}

/**
 * The titles that a file gives to its tests and groups, also by `each`, in the order of the file.
 * @throws Error when the file cannot be parsed
 */
export function readTitles(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source)
  const [error] = errors
  if (error) throw new Error(`${file}: ${error.message}`)
  const found: string[] = []
  new Visitor({
    CallExpression: (node) => {
      const title = isTest(node.callee) ? readTitle(node.arguments[0]) : null
      if (title !== null) found.push(title)
    },
  }).visit(program)
  return found
}
