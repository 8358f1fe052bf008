import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"

/**
 * Writes schemas and clients for each database into src/generated. Each database has two clients, because a client
 * takes memory and time for every model that it knows: one for the tables of accounts, which only a team's service
 * loads, and one for all others. Does nothing when they are up to date.
 */
const here = import.meta.dirname
const generated = join(here, "../src/generated")
const template = await readFile(join(here, "../schema.prisma"), "utf8")
const cli = createRequire(import.meta.url).resolve("prisma/package.json")
const { version } = JSON.parse(await readFile(cli, "utf8"))
const fingerprint = createHash("sha256")
  .update(template)
  .update(await readFile(import.meta.filename))
  .update(version)
  .digest("hex")
const stamp = join(generated, "fingerprint")

/** The models of each client, by their names. */
const clients = { client: (model: string) => !isOfAccounts(model), accounts: isOfAccounts }

if ((await readFile(stamp, "utf8").catch(() => "")) !== fingerprint) {
  for (const client of ["client", "accounts"] as const)
    await Promise.all([generate(client, "sqlite", "sqlite"), generate(client, "postgres", "postgresql")])
  await writeFile(stamp, fingerprint)
}

function isOfAccounts(model: string): boolean {
  return model.startsWith("Auth")
}

/** The template with only some of its models. These may have no relation to the others. */
function withModels(isIn: (model: string) => boolean): string {
  return template.replaceAll(/^(?:\/\/\/.*\n)*model (\w+) \{\n(?:[^}\n].*\n|\n)*\}\n/gm, (text, model: string) =>
    isIn(model) ? text : "",
  )
}

async function generate(client: keyof typeof clients, dialect: string, provider: string): Promise<void> {
  const directory = join(generated, dialect)
  await mkdir(directory, { recursive: true })
  const schema = join(directory, `${client}.prisma`)
  const models = withModels(clients[client])
  await writeFile(schema, models.replaceAll("{{provider}}", provider).replaceAll("{{output}}", `./${client}`))
  await promisify(execFile)(
    process.execPath,
    [join(dirname(cli), "build/index.js"), "generate", "--schema", schema, "--no-hints"],
    // Generation needs no schema engine; naming any executable keeps the CLI from downloading one.
    { cwd: directory, env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: "1" } },
  )
  await unpackCompiler(join(directory, client, "internal"), provider)
}

/**
 * Puts the client's query compiler into a file. The client has it as text in a module, which stays in memory. The
 * content of a file is freed after use, which saves each service about 10 MiB.
 */
async function unpackCompiler(directory: string, provider: string): Promise<void> {
  const packed = `@prisma/client/runtime/query_compiler_small_bg.${provider}.wasm-base64.mjs`
  const { wasm } = await import(packed)
  await writeFile(join(directory, "query-compiler.wasm"), Buffer.from(wasm, "base64"))
  const file = join(directory, "class.ts")
  const source = await readFile(file, "utf8")
  const load = `const { wasm } = await import("${packed}")\n    return await decodeBase64AsWasm(wasm)`
  if (!source.includes(load))
    throw new Error("this version of Prisma loads its compiler in another way; see generate.ts")
  const read = `const { readFile } = await import("node:fs/promises")
    return new WebAssembly.Module(await readFile(new URL("query-compiler.wasm", import.meta.url)))`
  await writeFile(file, source.replace(load, read))
}
