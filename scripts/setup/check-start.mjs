import { readFile } from "node:fs/promises"
import { createServer } from "node:net"
import path from "node:path"
import { OptionError, readOptions, requireDirectories, usage } from "../../apps/server/src/command-line.js"
import { SetupProblem } from "./progress.mjs"
import { root } from "./root.mjs"

/** How long (ms) a service that runs may take to say so. */
const answersWithin = 5_000

/**
 * Says at once, before anything is installed or built, what would keep the service from starting.
 * @param {string[]} args the options of the service
 * @param {string} program as the user called it, e.g. `npm start --`
 * @returns {Promise<import("../../apps/server/src/command-line.js").CommandLine | null>} null when only help was wanted,
 *   which is printed
 */
export async function checkStart(args, program) {
  refuseKeptByNpm(program)
  const options = refuse(() => readOptions(args, process.env.INIT_CWD ?? process.cwd(), program, process.env))
  if (options.help) {
    process.stdout.write(usage(program))
    return null
  }
  refuse(() => requireDirectories(options))
  await requireNoService(options.data)
  await requirePort(options)
  return options
}

/** What npm calls those of our options that it knows nothing of, when they stand before `--`. */
const keptByNpm = ["project", "port", "data", "trust", "web"].map((name) => `npm_config_${name}`)

function refuseKeptByNpm(program) {
  if (keptByNpm.every((name) => process.env[name] === undefined)) return
  throw new SetupProblem(`npm keeps options for itself unless -- stands before them: ${example(program)}`, 2)
}

function example(program) {
  return program === "npm start --" ? `${program} --project DIR` : `npm run docket -- serve --project DIR`
}

function refuse(read) {
  try {
    return read()
  } catch (error) {
    throw error instanceof OptionError ? new SetupProblem(error.message, 2) : error
  }
}

/** Whoever owns the data directory is asked, since what is written there may be left of one that was killed. */
async function requireNoService(data) {
  const { url, pid } = await readOwner(path.join(data, "lock.json"))
  if (!url || !(await answers(url))) return
  const login = `node ${path.join(root, "scripts", "docket.mjs")} login --data ${data}`
  throw new SetupProblem(
    `Docket already runs with the data directory ${data}: ${url} (process ${pid}).
  Open that address (a new login link: ${login}),
  stop it with Ctrl-C where it was started, or start another with a directory and a port of its own: --data DIR --port N`,
  )
}

async function readOwner(file) {
  try {
    return JSON.parse(await readFile(file, "utf8")) ?? {}
  } catch {
    return {}
  }
}

async function answers(url) {
  return await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(answersWithin) }).then(
    (response) => response.ok,
    () => false,
  )
}

function requirePort({ port, host }) {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    // Only what is in use is known for sure: the service itself meets anything else.
    probe.on("error", ({ code }) =>
      code === "EADDRINUSE"
        ? reject(
            new SetupProblem(
              `Port ${port} on ${host} is in use by another program. Stop it, or choose another port with --port (0 takes a free one).`,
            ),
          )
        : resolve(),
    )
    probe.listen({ port, host }, () => probe.close(() => resolve()))
  })
}
