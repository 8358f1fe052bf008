import { readFile } from "node:fs/promises"
import path from "node:path"
import { parseSync, Visitor } from "oxc-parser"

/** Finds the file of an import; null for one of a package that is not followed. */
export type FindFile = (from: string, specifier: string) => string | null

/**
 * The packages whose code is loaded together with a file, each with the files that lead to it. All imports of values
 * are followed; types and `import()` at run time are not.
 */
export async function readLoaded(file: string, find: FindFile): Promise<Map<string, string[]>> {
  const packages = new Map<string, string[]>()
  const seen = new Set<string>()
  const visit = async (at: string, way: readonly string[]): Promise<void> => {
    if (seen.has(at)) return
    seen.add(at)
    const here = [...way, at]
    for (const specifier of readValueImports(at, await readFile(at, "utf8"))) {
      const next = find(at, specifier)
      if (next !== null) await visit(next, here)
      else if (!packages.has(specifier)) packages.set(specifier, here)
    }
  }
  await visit(path.resolve(file), [])
  return packages
}

function readValueImports(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source)
  const [error] = errors
  if (error) throw new Error(`${file}: ${error.message}`)
  const found: string[] = []
  new Visitor({
    ImportDeclaration({ importKind, specifiers, source: { value } }) {
      const onlyTypes =
        specifiers.length > 0 && specifiers.every((it) => it.type === "ImportSpecifier" && it.importKind === "type")
      if (importKind !== "type" && !onlyTypes) found.push(value)
    },
    ExportNamedDeclaration({ exportKind, specifiers, source: from }) {
      const onlyTypes = specifiers.length > 0 && specifiers.every((it) => it.exportKind === "type")
      if (from && exportKind !== "type" && !onlyTypes) found.push(from.value)
    },
    ExportAllDeclaration({ exportKind, source: { value } }) {
      if (exportKind !== "type") found.push(value)
    },
  }).visit(program)
  return found
}
