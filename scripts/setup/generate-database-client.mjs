import { fingerprint, readStamp, writeStamp } from "./fingerprint.mjs"
import { SetupProblem } from "./progress.mjs"
import { root } from "./root.mjs"
import { run } from "./run.mjs"

const stamp = "prisma/src/generated/.stamp"

/**
 * Generates the database clients when the schema has changed. Migrations are applied by the server when it starts.
 * @param {import("./toolchain.mjs").Toolchain} toolchain
 * @param {(what: string) => void} announce
 */
export async function generateDatabaseClient(toolchain, announce) {
  const current = await fingerprint(["prisma"], isInput)
  if ((await readStamp(stamp)) === current) return "client is current"
  announce("generating the database client")
  const { code, output } = await run([toolchain.pnpm, "--filter", "@docket/db", "run", "generate"], {
    cwd: root,
    env: toolchain.env,
  })
  if (code !== 0) throw new SetupProblem(`The database client could not be generated:\n\n${output.trim()}`)
  await writeStamp(stamp, current)
  return "client generated"
}

/** The schema, and what decides how clients are generated from it. */
function isInput(file) {
  return file.endsWith(".prisma") || file.endsWith("prisma/package.json") || file.includes("generate")
}
