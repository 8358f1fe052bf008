import { spawn } from "node:child_process"
import { z } from "zod"
import { DocketError } from "../../../ground/error/docket-error.ts"
import { redactSecrets } from "../redact-secrets.ts"

export interface NpmRun {
  /**
   * The project directory for npm, so that it does not use another project's .npmrc, which could name another registry.
   */
  cwd: string
  /** The environment of the service; npm uses it to find its configuration. */
  env: Readonly<Record<string, string | undefined>>
  /** ms */
  timeout: number
}

/** No package code runs, only the registry is a source, and nothing is written elsewhere. */
const guards = [
  "--ignore-scripts",
  "--allow-git=none",
  "--allow-remote=none",
  "--allow-file=none",
  "--allow-directory=none",
  "--bin-links=false",
  "--global=false",
  "--location=project",
  "--workspaces=false",
  "--dry-run=false",
  "--save",
  "--package-lock=true",
  "--lockfile-version=3",
  // The lock file must contain the origins, because they are checked.
  "--omit-lockfile-registry-resolved=false",
  "--audit=false",
  "--fund=false",
  "--update-notifier=false",
  "--loglevel=error",
  "--json",
]

/** Most characters of npm's output. */
const outputLimit = 5_000_000

const Failure = z.object({
  error: z.object({ code: z.string().nullish(), summary: z.string().nullish(), detail: z.string().nullish() }),
})

/**
 * Runs the machine's npm and returns its output. The registry is the one configured for npm.
 * @throws package_not_found, package_unavailable
 */
export async function runNpm(args: string[], options: NpmRun): Promise<string> {
  const { code, output, errors, timedOut, tooLong } = await spawnNpm(
    [...args, "--prefix", options.cwd, ...guards],
    options,
  )
  if (code === 0) return output
  if (tooLong) {
    throw unavailable(`npm wrote more than ${outputLimit / 1_000_000} MB and was ended. Run it by hand to see why.`)
  }
  if (timedOut) {
    throw unavailable(`npm did not finish within ${options.timeout / 1_000} seconds. Check the network and try again.`)
  }
  throw failureOf(output, errors)
}

interface Ended {
  code: number | null
  output: string
  errors: string
  timedOut: boolean
  /** It was ended because it wrote too much. */
  tooLong: boolean
}

function spawnNpm(args: string[], { cwd, env, timeout }: NpmRun): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // Where Next's types are present, ProcessEnv requires NODE_ENV; npm does not need it.
    const environment = env as NodeJS.ProcessEnv
    const child = spawn("npm", args, { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"], timeout })
    let output = ""
    let errors = ""
    let tooLong = false
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk
      if (output.length <= outputLimit) return
      tooLong = true
      child.kill()
    })
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      if (errors.length < 4_000) errors += chunk
    })
    child.on("error", (cause) => reject(notStarted(cause)))
    child.on("close", (code, signal) =>
      resolve({ code, output, errors, timedOut: signal !== null && !tooLong, tooLong }),
    )
  })
}

function notStarted(cause: Error): DocketError {
  const missing = "code" in cause && cause.code === "ENOENT"
  const why = missing ? "npm was not found. Install it (it comes with Node) and start Docket again." : cause.message
  return unavailable(`Packages are installed with npm: ${why}`, cause)
}

function failureOf(output: string, errors: string): DocketError {
  const parsed = Failure.safeParse(parseJson(output))
  const code = parsed.data?.error.code ?? ""
  const words = redactSecrets(parsed.data?.error.summary?.trim() || errors.trim() || "it said nothing").slice(0, 400)
  if (code === "E404" || code === "ETARGET") {
    return new DocketError(
      "package_not_found",
      `The registry has no such package or version. Check the name. npm says: ${words}`,
    )
  }
  if (code === "E401" || code === "E403") {
    return unavailable(`The registry refuses; log in with npm, or check its configuration. npm says: ${words}`)
  }
  if (code === "EINTEGRITY") {
    return unavailable(
      `What was downloaded is not what the registry announced; nothing was installed. npm says: ${words}`,
    )
  }
  if (networkCode.test(code)) {
    return unavailable(
      `The registry cannot be reached (${code}). Check the network and npm's configuration, then try again.`,
    )
  }
  return unavailable(`npm failed; nothing was installed. It says: ${words}`)
}

const networkCode =
  /^(?:ECONN|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EPIPE|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET|EIDLETIMEOUT|UND_ERR)/

function unavailable(message: string, cause?: unknown): DocketError {
  return new DocketError("package_unavailable", message, { cause })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
