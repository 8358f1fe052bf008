import { parseSync, Visitor } from "oxc-parser"

/**
 * What a TypeScript or JavaScript file imports or exports from, as it is written: also types, `import("…")` at run time
 * and in a type.
 * @throws Error when the file cannot be parsed
 */
export function readImports(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source)
  const [error] = errors
  if (error) throw new Error(`${file}: ${error.message}`)
  const found: string[] = []
  const add = (node: { type: string } | null) => {
    if (node && "value" in node && typeof node.value === "string") found.push(node.value)
  }
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
  }).visit(program)
  return found
}
