import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"

/** Writes a schema and a client for each database into src/generated. Does nothing when they are up to date. */
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

if ((await readFile(stamp, "utf8").catch(() => "")) !== fingerprint) {
  await Promise.all([generate("sqlite", "sqlite"), generate("postgres", "postgresql")])
  await writeFile(stamp, fingerprint)
}

async function generate(dialect: string, provider: string): Promise<void> {
  const directory = join(generated, dialect)
  await mkdir(directory, { recursive: true })
  const schema = join(directory, "schema.prisma")
  await writeFile(schema, template.replaceAll("{{provider}}", provider).replaceAll("{{output}}", "./client"))
  await promisify(execFile)(
    process.execPath,
    [join(dirname(cli), "build/index.js"), "generate", "--schema", schema, "--no-hints"],
    // Generation needs no schema engine; naming any executable keeps the CLI from downloading one.
    { cwd: directory, env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: "1" } },
  )
}
