import { existsSync, readFileSync } from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"
import type { FindFile } from "./read-loaded.ts"

export const repository = fileURLToPath(new URL("../../../", import.meta.url))

/** Follows a file's own neighbours and the entries of the workspace's packages. */
export const findSource: FindFile = (from, specifier) => {
  if (specifier.startsWith(".")) {
    const file = path.resolve(path.dirname(from), specifier)
    return /\.tsx?$/.test(file) && existsSync(file) ? file : null
  }
  const [, name, entry] = /^@docket\/(\w+)(\/.*)?$/.exec(specifier) ?? []
  if (name === undefined) return null
  const folder = path.join(repository, name === "db" ? "prisma" : `packages/${name}`)
  const { exports }: { exports: Record<string, unknown> } = JSON.parse(
    readFileSync(path.join(folder, "package.json"), "utf8"),
  )
  const file = exports[`.${entry ?? ""}`]
  return typeof file === "string" ? path.join(folder, file) : null
}
