import { spawn } from "node:child_process"

/** A snapshot cannot be taken or read. The work goes on without. */
export class SnapshotError extends Error {
  constructor(message: string) {
    super(message)
    this.name = "SnapshotError"
  }
}

/** Variables that git needs; others (`GIT_DIR`, `GIT_INDEX_FILE`…) would lead it to another repository. */
const passed = ["PATH", "HOME", "XDG_CONFIG_HOME", "SYSTEMROOT", "USERPROFILE", "TMPDIR", "TEMP"]

/** The directory is no project of usual size: it stays without snapshots for a while. */
export class TooMuchToKeep extends SnapshotError {}

/** The environment for git processes that must not depend on how Docket was started. */
export function gitEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.fromEntries(passed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
  return { ...kept, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" }
}

/** Runs git and gives what it wrote. @throws SnapshotError, also when there is no git or it takes longer than `timeout` ms */
export function runGit(
  args: string[],
  options: { cwd: string; env: Record<string, string>; input?: string | undefined; timeout?: number | undefined },
): Promise<Buffer> {
  // Where Next's types are present, ProcessEnv demands NODE_ENV; git needs none.
  const env = options.env as NodeJS.ProcessEnv
  const command = args.find((arg) => !arg.startsWith("-") && !arg.includes("=")) ?? ""
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, {
      cwd: options.cwd,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      timeout: options.timeout,
    })
    const output: Buffer[] = []
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk))
    child.stderr.on("data", (chunk: Buffer) => {
      if (said.length < 4_000) said += chunk.toString()
    })
    // A git that fails early does not read its input; its exit code tells.
    child.stdin.on("error", () => {})
    child.stdin.end(options.input ?? "")
    child.on("error", (error) => reject(new SnapshotError(`git ${command} failed: ${error.message}`)))
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(Buffer.concat(output))
      if (signal !== null && options.timeout !== undefined) {
        return reject(new TooMuchToKeep(`git ${command} in ${options.cwd} took more than ${options.timeout / 1000} s.`))
      }
      const why = signal === null ? said.trim() || `exit code ${code}` : `ended by ${signal}`
      reject(new SnapshotError(`git ${command} failed: ${why}`))
    })
  })
}
