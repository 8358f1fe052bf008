import { readFile } from "node:fs/promises"
import { createServer } from "node:net"
import path from "node:path"
import { OptionError, readOptions, requireDirectories, usage } from "../../apps/server/src/command-line.js"
import { SetupProblem } from "./progress.mjs"
import { root } from "./root.mjs"

/** Time limit (ms) for the answer of a running service. */
const answersWithin = 5_000

/**
 * Reports what would keep the service from starting, before anything is installed or built.
 * @param {string[]} args the options of the service
 * @param {string} program as the user called it, e.g. `npm start --`
 * @returns {Promise<import("../../apps/server/src/command-line.js").CommandLine | null>} null if only the help was
 *   printed
 */
export async function checkStart(args, program) {
  refuseKeptByNpm(program)
  const options = withAdvice(() => readOptions(args, process.env.INIT_CWD ?? process.cwd(), program, process.env))
  if (options.help) {
    process.stdout.write(usage(program))
    return null
  }
  withAdvice(() => requireDirectories(options))
  await requireNoService(options.data)
  await requirePort(options)
  return options
}

/** Environment variables in which npm puts unknown options that come before `--`. */
const keptByNpm = ["project", "port", "data", "trust", "web"].map((name) => `npm_config_${name}`)

function refuseKeptByNpm(program) {
  if (keptByNpm.every((name) => process.env[name] === undefined)) return
  throw new SetupProblem(`npm keeps options for itself unless -- stands before them: ${example(program)}`, 2)
}

function example(program) {
  return program === "npm start --" ? `${program} --project DIR` : `npm run docket -- serve --project DIR`
}

/** Runs a check of the options; a wrong one ends the start with its advice, without a stack trace. */
function withAdvice(check) {
  try {
    return check()
  } catch (error) {
    throw error instanceof OptionError ? new SetupProblem(error.message, 2) : error
  }
}

/** Asks the service in the lock file, because the file may be left over from a killed process. */
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
    // Only a port in use is reported here: the service itself reports other problems.
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
