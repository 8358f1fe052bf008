/**
 * What processes that run people's files share: how modules are found and loaded, and what is read of tools. It imports
 * nothing but Node, because in a sandbox there may be nothing else.
 */
import { createHash } from "node:crypto"
import { readFileSync, writeSync } from "node:fs"
import { registerHooks, stripTypeScriptTypes } from "node:module"
import { sep } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/** Characters. */
const most = { output: 2_000_000, description: 4_000, title: 300, metadata: 16_000, schema: 64_000 } as const
const pluginName = "@opencode-ai/plugin"
const moduleEndings = ["", ".ts", ".js", ".mts", ".mjs", "/index.ts", "/index.js", "/index.mjs"]
const { parse, stringify } = JSON

export interface Zod {
  object(shape: unknown): { safeParse(value: unknown): { success: boolean; data?: unknown; error?: unknown } }
  prettifyError(error: unknown): string
  toJSONSchema(schema: unknown, options: unknown): unknown
}

/** A tool as a file defines it. */
export interface ToolDefinition {
  description: string
  args?: unknown
  execute(args: unknown, context: unknown): unknown
}

/** Files below `within` that may be loaded, with their SHA-256. */
export interface TrustedFiles {
  within: string
  files: Record<string, string>
}

export interface ModuleHooks {
  /** Where Docket's own copy of zod lies, as an address. */
  zod: string
  /** Modules in place of those that are not found, by their names. */
  standIns?: Readonly<Record<string, string>>
  /** Of each file that may be loaded, whether it is as it was trusted; null for any. */
  trusted: TrustedFiles | null
}

/** Writes a message as one line of standard output, at once: what follows may end the process. */
export function sendLine(message: object): void {
  const bytes = Buffer.from(`${stringify(message)}\n`)
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error
    }
  }
}

/** Parses a line, whatever a file has made of `JSON`. */
export function readLine(line: string): unknown {
  return parse(line)
}

export function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.slice(0, most.description) || "It failed and did not say why."
}

/**
 * Lets files import what they import elsewhere: `zod` and `@opencode-ai/plugin` without a package.json, TypeScript of any
 * kind, paths without an ending. A package brings its own copies first.
 */
export function registerModuleHooks({ zod, standIns = {}, trusted }: ModuleHooks): void {
  const plugin = sourceAddress(
    `import { z } from ${stringify(zod)}; export const tool = (input) => input; tool.schema = z; export default tool`,
  )
  const own: Readonly<Record<string, string>> = {
    zod,
    "zod/v4": zod,
    [pluginName]: plugin,
    [`${pluginName}/tool`]: plugin,
    ...standIns,
  }
  registerHooks({
    resolve(specifier, context, next) {
      const isPackage = isInPackage(context.parentURL)
      const instead = Object.hasOwn(own, specifier) ? own[specifier] : undefined
      if (instead !== undefined && !isPackage) return { url: instead, shortCircuit: true }
      const found = firstOf(waysOf(specifier, isPackage), (way) => next(way, context))
      if ("found" in found) return found.found
      if (instead !== undefined) return { url: instead, shortCircuit: true }
      throw found.error
    },
    load(url, context, next) {
      if (!url.startsWith("file:")) return next(url, context)
      const file = fileURLToPath(url)
      const isOfProject = trusted !== null && file.startsWith(trusted.within + sep)
      const isChecked = isOfProject && !file.includes(`${sep}node_modules${sep}`)
      const isTyped = /\.[mc]?ts$/.test(file)
      if (!isChecked && !isTyped) return next(url, context)
      // What is checked is what is run: the file may change meanwhile.
      const bytes = readFileSync(file)
      if (isChecked) checkTrusted(file, bytes, trusted)
      if (!isTyped) return { ...next(url, context), source: bytes }
      const source = stripTypeScriptTypes(bytes.toString("utf8"), { mode: "transform" })
      return { format: file.endsWith(".cts") ? "commonjs" : "module", source, shortCircuit: true }
    },
  })
}

/** The address of a module with this text. */
export function sourceAddress(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`
}

function isInPackage(parent: string | undefined): boolean {
  return parent?.startsWith("file:") === true && fileURLToPath(parent).includes(`${sep}node_modules${sep}`)
}

/** The specifiers to try in turn. */
function waysOf(specifier: string, isPackage: boolean): string[] {
  const isRelative = specifier.startsWith(".")
  if (!isRelative && !isPackage) return [specifier]
  const ways = moduleEndings.map((ending) => specifier + ending)
  return isRelative && specifier.endsWith(".js") ? [...ways, specifier.replace(/\.js$/, ".ts")] : ways
}

function firstOf<T>(ways: readonly string[], find: (way: string) => T): { found: T } | { error: unknown } {
  let error: unknown
  for (const way of ways) {
    try {
      return { found: find(way) }
    } catch (problem) {
      // The next one may exist; the first says what was asked for.
      error ??= problem
    }
  }
  return { error }
}

function checkTrusted(file: string, bytes: Buffer, { files }: TrustedFiles): void {
  const sha256 = createHash("sha256").update(bytes).digest("hex")
  if (files[file] === sha256) return
  throw new Error(`${file} is not as it was trusted with this tool. Import it by a plain relative path, and trust it.`)
}

export function isToolDefinition(value: unknown): value is ToolDefinition {
  const { execute, description } = Object(value) as Partial<ToolDefinition>
  return typeof execute === "function" && typeof description === "string"
}

/** What models are told of a tool. @throws Error that says why it cannot be offered */
export function describeTool(value: ToolDefinition, z: Zod): { description: string; schema: unknown } {
  const shape = value.args ?? {}
  for (const [key, schema] of Object.entries(shape as object)) {
    if (schema === null || typeof schema !== "object" || !("_zod" in schema))
      throw new Error(`The argument "${key}" is no schema of zod 4; write tool.schema.string() or the like.`)
  }
  const schema = z.toJSONSchema(z.object(shape), { io: "input", unrepresentable: "any" })
  if (stringify(schema).length > most.schema) throw new Error("Its arguments are described too long.")
  return { description: value.description.slice(0, most.description), schema }
}

/** The arguments of a call. @throws Error that says what does not fit */
export function checkedArguments(definition: ToolDefinition, z: Zod, given: unknown): unknown {
  const args = z.object(definition.args ?? {}).safeParse(given)
  if (!args.success) throw new Error(`The arguments do not fit; call it again.\n${z.prettifyError(args.error)}`)
  return args.data
}

/** Of what a tool returns, what counts, as plain data within limits. */
export function boundedResult(result: unknown): object {
  return typeof result === "string" ? { output: cut(result) } : boundedParts(Object(result))
}

/** The same for what a running call shows of itself. */
export function boundedParts({ title, output, metadata, attachments }: Record<string, unknown>): object {
  return {
    ...(typeof title === "string" && { title: title.slice(0, most.title) }),
    output: cut(typeof output === "string" ? output : output === undefined ? "" : String(stringify(output))),
    ...(metadata !== undefined && { metadata: withinLimit(metadata) }),
    ...(Array.isArray(attachments) && { attachments: attachments.slice(0, 10) }),
  }
}

function cut(text: string): string {
  return text.length > most.output ? `${text.slice(0, most.output)}\n[The rest is left out.]` : text
}

/** Plain data, of limited length. @throws Error when there is more */
export function withinLimit(value: unknown): unknown {
  const text = stringify(value) ?? "{}"
  if (text.length > most.metadata)
    throw new Error(`Metadata and questions may have at most ${most.metadata} characters.`)
  return parse(text)
}

/** The module of a file. */
export function importFile(file: string): Promise<Record<string, unknown>> {
  return import(pathToFileURL(file).href)
}
