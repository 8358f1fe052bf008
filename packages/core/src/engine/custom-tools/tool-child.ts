/**
 * Runs one tool file in a process of its own: says which tools it exports, or makes one call. The request is the first line
 * of stdin, see `ChildRequest`; answers are lines of JSON on stdout. It imports nothing but Node, because in a sandbox
 * there may be nothing else.
 */
import { createHash } from "node:crypto"
import { readFileSync, writeSync } from "node:fs"
import { registerHooks, stripTypeScriptTypes } from "node:module"
import { sep } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath, pathToFileURL } from "node:url"

/** Bytes. */
const most = { output: 2_000_000, description: 4_000, title: 300, metadata: 16_000, tools: 50, schema: 64_000 } as const
const pluginName = "@opencode-ai/plugin"
const moduleEndings = ["", ".ts", ".js", ".mts", ".mjs", "/index.ts", "/index.js"]

interface Request {
  file: string
  zod: string
  /** Files that may be loaded, with their SHA-256; null for any. `within` is the directory that this is about. */
  trusted: { within: string; files: Record<string, string> } | null
  call: { export: string; args: unknown; context: Record<string, unknown> } | null
}

interface Zod {
  object(shape: unknown): { safeParse(value: unknown): { success: boolean; data?: unknown; error?: unknown } }
  prettifyError(error: unknown): string
  toJSONSchema(schema: unknown, options: unknown): unknown
}

interface Definition {
  description: string
  args?: unknown
  execute(args: unknown, context: unknown): unknown
}

const send = (message: object) => {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error
    }
  }
}

/** Standard output is for answers; what a tool prints there goes to standard error. */
process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write
const leave = process.exit.bind(process)
process.exit = (() => {
  throw new Error("process.exit() is not for tools: return a result or throw an error instead.")
}) as typeof process.exit

const lines = createInterface({ input: process.stdin })
/** Settles questions to people by their number. */
const asked = new Map<number, PromiseWithResolvers<void>>()
const stop = new AbortController()

lines.on("line", (line) => {
  const message = JSON.parse(line) as Request | { answer: number; refused: string | null } | { abort: true }
  if ("file" in message) void work(message)
  else if ("abort" in message) stop.abort()
  else {
    const question = asked.get(message.answer)
    if (message.refused === null) question?.resolve()
    else question?.reject(new Error(message.refused))
  }
})
lines.on("close", () => leave(0))

async function work(request: Request): Promise<void> {
  try {
    hook(request)
    const exports = (await import(pathToFileURL(request.file).href)) as Record<string, unknown>
    const z = (await import(request.zod)) as { z: Zod }
    send(request.call === null ? { tools: described(exports, z.z) } : await made(exports, z.z, request.call))
  } catch (error) {
    send({ error: textOf(error) })
  }
  leave(0)
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.slice(0, most.description) || "It failed and did not say why."
}

function hook({ zod, trusted }: Request): void {
  const plugin = `data:text/javascript,${encodeURIComponent(
    `import { z } from ${JSON.stringify(zod)}; export const tool = (input) => input; tool.schema = z; export default tool`,
  )}`
  registerHooks({
    resolve(specifier, context, next) {
      const ways = specifier.startsWith(".") ? moduleEndings : [""]
      for (const ending of ways) {
        try {
          return next(specifier + ending, context)
        } catch {
          // The next ending may exist.
        }
      }
      if (specifier.startsWith(".") && specifier.endsWith(".js"))
        return next(specifier.replace(/\.js$/, ".ts"), context)
      if (specifier === "zod" || specifier === "zod/v4") return { url: zod, shortCircuit: true }
      if (specifier === pluginName || specifier === `${pluginName}/tool`) return { url: plugin, shortCircuit: true }
      return next(specifier, context)
    },
    load(url, context, next) {
      if (!url.startsWith("file:")) return next(url, context)
      const file = fileURLToPath(url)
      const inProject = trusted !== null && file.startsWith(trusted.within + sep)
      if (inProject && !file.includes(`${sep}node_modules${sep}`)) checkTrusted(file, trusted)
      if (!/\.[mc]?ts$/.test(file)) return next(url, context)
      const source = stripTypeScriptTypes(readFileSync(file, "utf8"), { mode: "transform" })
      return { format: file.endsWith(".cts") ? "commonjs" : "module", source, shortCircuit: true }
    },
  })
}

function checkTrusted(file: string, { files }: NonNullable<Request["trusted"]>): void {
  const sha256 = createHash("sha256").update(readFileSync(file)).digest("hex")
  if (files[file] === sha256) return
  throw new Error(`${file} is not as it was trusted with this tool. Import it by a plain relative path, and trust it.`)
}

function described(exports: Record<string, unknown>, z: Zod): object[] {
  const tools: object[] = []
  for (const [name, value] of Object.entries(exports)) {
    if (!isDefinition(value)) continue
    if (tools.length === most.tools) throw new Error(`It exports more than ${most.tools} tools.`)
    const shape = value.args ?? {}
    for (const [key, schema] of Object.entries(shape as object)) {
      if (schema === null || typeof schema !== "object" || !("_zod" in schema))
        throw new Error(`The argument "${key}" is no schema of zod 4; write tool.schema.string() or the like.`)
    }
    const schema = z.toJSONSchema(z.object(shape), { io: "input", unrepresentable: "any" })
    if (JSON.stringify(schema).length > most.schema) throw new Error("Its arguments are described too long.")
    tools.push({ export: name, description: value.description.slice(0, most.description), schema })
  }
  return tools
}

function isDefinition(value: unknown): value is Definition {
  const { execute, description } = Object(value) as Partial<Definition>
  return typeof execute === "function" && typeof description === "string"
}

async function made(exports: Record<string, unknown>, z: Zod, call: NonNullable<Request["call"]>): Promise<object> {
  const definition = exports[call.export]
  if (!isDefinition(definition)) throw new Error("The file does not export this tool any more.")
  const args = z.object(definition.args ?? {}).safeParse(call.args)
  if (!args.success) throw new Error(`The arguments do not fit; call it again.\n${z.prettifyError(args.error)}`)
  const result = await definition.execute(args.data, {
    ...call.context,
    abort: stop.signal,
    metadata: (shown: Record<string, unknown>) => send({ metadata: bounded(shown) }),
    ask: question,
  })
  return { result: typeof result === "string" ? { output: cut(result) } : bounded(Object(result)) }
}

let questions = 0

function question(request: object): Promise<void> {
  const answer = Promise.withResolvers<void>()
  asked.set(++questions, answer)
  send({ ask: questions, request: JSON.parse(withinLimit(request)) })
  return answer.promise
}

function cut(text: string): string {
  return text.length > most.output ? `${text.slice(0, most.output)}\n[The rest is left out.]` : text
}

/** Of what a tool returns, what counts, as plain data within limits. */
function bounded({ title, output, metadata, attachments }: Record<string, unknown>): object {
  return {
    ...(typeof title === "string" && { title: title.slice(0, most.title) }),
    output: cut(typeof output === "string" ? output : output === undefined ? "" : String(JSON.stringify(output))),
    ...(metadata !== undefined && { metadata: JSON.parse(withinLimit(metadata)) }),
    ...(Array.isArray(attachments) && { attachments: attachments.slice(0, 10) }),
  }
}

function withinLimit(value: unknown): string {
  const text = JSON.stringify(value) ?? "{}"
  if (text.length > most.metadata)
    throw new Error(`Metadata and questions may have at most ${most.metadata} characters.`)
  return text
}
