import { spawn } from "node:child_process"

/** Git ended with an error; `message` is what it said. */
export class GitError extends Error {
  constructor(command: string, said: string) {
    super(`git ${command} failed: ${said.trim() || "it said nothing"}`)
    this.name = "GitError"
  }
}

/** Variables that git needs; others (`GIT_DIR`, `GIT_INDEX_FILE`…) would lead it to another repository. */
const passed = ["PATH", "HOME", "XDG_CONFIG_HOME", "SYSTEMROOT", "USERPROFILE", "TMPDIR", "TEMP"]

/** The environment for git processes that must not depend on how Docket was started. */
export function gitEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.fromEntries(passed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
  return { ...kept, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" }
}

/** Runs git and gives what it wrote. @throws GitError, also when there is no git */
export function runGit(
  args: string[],
  options: { cwd: string; env: Record<string, string>; input?: string | undefined },
): Promise<Buffer> {
  // Where Next's types are present, ProcessEnv demands NODE_ENV; git needs none.
  const env = options.env as NodeJS.ProcessEnv
  const command = args.find((arg) => !arg.startsWith("-") && !arg.includes("=")) ?? ""
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, { cwd: options.cwd, env, stdio: ["pipe", "pipe", "pipe"] })
    const output: Buffer[] = []
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk))
    child.stderr.on("data", (chunk: Buffer) => {
      if (said.length < 4_000) said += chunk.toString()
    })
    // A git that fails early does not read its input; its exit code tells.
    child.stdin.on("error", () => {})
    child.stdin.end(options.input ?? "")
    child.on("error", (error) => reject(new GitError(command, error.message)))
    child.on("close", (code) => {
      if (code === 0) resolve(Buffer.concat(output))
      else reject(new GitError(command, said))
    })
  })
}
