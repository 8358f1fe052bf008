import { glob, readFile } from "node:fs/promises"
import path from "node:path"

/** `export type Name = z.infer<typeof Name>` in a source file. */
export interface InferredType {
  name: string
  file: string
}

const inference = /export type (\w+) = z\.infer<typeof \1>;?/g

/** The types in these folders that are inferred from schemas. */
export async function inferredTypes(folders: string[]): Promise<InferredType[]> {
  const found: InferredType[] = []
  for (const folder of folders) {
    for await (const name of glob("**/*.ts", { cwd: folder })) {
      if (name.endsWith(".test.ts")) continue
      const file = path.join(folder, name)
      for (const [, type = ""] of (await readFile(file, "utf8")).matchAll(inference)) found.push({ name: type, file })
    }
  }
  return found.sort((a, b) => `${a.file} ${a.name}`.localeCompare(`${b.file} ${b.name}`))
}

/** A module that makes the compiler write the inferred types out in full: `plain` gives it no name for them. */
export function probeOf(types: readonly InferredType[]): string {
  const lines = types.map(({ name, file }, at) => `export const probe${at} = plain<import("${file}").${name}>()`)
  return ["declare function plain<T>(): { plain: T }", ...lines, ""].join("\n")
}

/**
 * Replaces inferred types by plain types without schemas: apps that install the client need no Zod, and their compiler
 * infers nothing.
 * @param probe the declaration of the probe
 */
export function withPlainTypes(types: readonly InferredType[], probe: string): (file: string, text: string) => string {
  const written = probe.matchAll(/export declare const probe(\d+): \{\n {4}plain: ([\s\S]*?);\n\};\n/g)
  const plain = new Map([...written].map(([, at = "", type = ""]) => [types[Number(at)], type]))
  const byName = new Map(types.map((type) => [`${type.file} ${type.name}`, plain.get(type)]))
  return (file, text) =>
    withoutSchemas(text).replaceAll(inference, (_, name: string) => {
      const type = byName.get(`${file} ${name}`)
      if (type === undefined) throw new Error(`The compiler did not write out ${name} of ${file}.`)
      return `export type ${name} = ${type};`
    })
}

/** Removes the schemas that share their names with types: an export by name would publish both. */
function withoutSchemas(text: string): string {
  const names = [...text.matchAll(inference)].map(([, name]) => name)
  // A continuation line of a statement begins with a space or a closing bracket.
  const statement = new RegExp(`^(?:export )?declare const (?:${names.join("|")}): [^]*?;\\n(?=[^\\s}]|$(?![^]))`, "gm")
  return text.replaceAll(statement, "")
}
