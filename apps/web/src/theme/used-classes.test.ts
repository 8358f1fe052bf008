import { globSync, readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import postcss from "postcss"
import { expect, test } from "vitest"

const src = resolve(import.meta.dirname, "..")
const read = (file: string) => readFileSync(file, "utf8")

/** The class names of a stylesheet; `:global` names are not its own. */
function classesOf(css: string): Set<string> {
  const names = new Set<string>()
  postcss.parse(css).walkRules(({ selector }) => {
    for (const [, name = ""] of selector.replace(/:global\([^)]*\)/g, "").matchAll(/\.([a-z_][\w-]*)/gi))
      names.add(name)
  })
  return names
}

/** For each stylesheet, the modules that import it, with their code and the name of the import. */
function importers(): Map<string, { name: string; code: string }[]> {
  const found = new Map<string, { name: string; code: string }[]>()
  for (const file of globSync(`${src}/**/*.{ts,tsx}`)) {
    const code = read(file)
    for (const [, name = "", path = ""] of code.matchAll(/import (\w+) from "(\.[^"]+\.module\.css)"/g)) {
      const sheet = resolve(dirname(file), path)
      found.set(sheet, [...(found.get(sheet) ?? []), { name, code }])
    }
  }
  return found
}

test("every class of a stylesheet is used by an element", () => {
  const byImporters = importers()
  const sheets = globSync(`${src}/**/*.module.css`)
  expect(sheets.length).toBeGreaterThan(50)
  const unused = sheets.flatMap((sheet) => {
    const users = byImporters.get(sheet) ?? []
    const isUsed = (name: string) =>
      users.some(({ name: styles, code }) => new RegExp(`\\b${styles}(\\.${name}\\b|\\[)`).test(code))
    return [...classesOf(read(sheet))]
      .filter((name) => !isUsed(name))
      .map((name) => `${sheet.slice(src.length)} ${name}`)
  })
  expect(unused).toEqual([])
})
