import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { delimiter, dirname, isAbsolute } from "node:path"
import type { Writable } from "node:stream"
import { type ConfigEntry, configVariables, fixedGuards } from "./guards.ts"

/** Git failed, was ended, or is not installed. */
export class GitError extends Error {
  /** The command took longer than its timeout. */
  readonly timedOut: boolean
  constructor(message: string, options: { timedOut?: boolean } = {}) {
    super(message)
    this.name = "GitError"
    this.timedOut = options.timedOut ?? false
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

export interface GitRun {
  cwd: string
  /** The environment of the service; git gets what it needs of it. */
  env: Environment
  /** Variables of this run, as `GIT_INDEX_FILE`. */
  variables?: Record<string, string>
  /** Settings besides the guards that hold for every run. */
  guards?: readonly ConfigEntry[]
  input?: string | Uint8Array | undefined
  /** Exit codes besides 0 that are an answer and no failure. */
  answers?: readonly number[] | undefined
  /** ms; five minutes unless given. */
  timeout?: number | undefined
  /** Ends git. */
  signal?: AbortSignal | undefined
  /** What a program of git reads from descriptor 3: it is in no argument, variable or file. */
  secret?: string | undefined
}

/** ms; a pipe in place of a file such as .gitattributes would hold git, and its caller, for ever. */
const longestRun = 300_000

/**
 * Variables that git needs, each a directory; others (`GIT_DIR`, `GIT_SSH_COMMAND`…) would lead it to another
 * repository or program.
 */
const passed = ["HOME", "XDG_CONFIG_HOME", "SYSTEMROOT", "USERPROFILE", "TMPDIR", "TEMP"]

/** No prompts, no editor, no network, no words in the language of the machine. */
const fixed = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "false",
  GIT_EDITOR: "false",
  GIT_SEQUENCE_EDITOR: "false",
  GIT_PAGER: "cat",
  GIT_SSH_COMMAND: "false",
  // An object that is missing is not fetched: the address and the program for it are the repository's.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  LC_ALL: "C",
}

/**
 * Runs git and gives what it wrote. Docket starts git by this function only: with an environment of its own, and with
 * the programs that a repository's config can name turned off (see `fixedGuards`; `projectGit` adds
 * those whose keys the repository chooses).
 * @throws GitError, also when there is no git or it takes longer than `timeout`
 */
export function runGit(args: string[], options: GitRun): Promise<Buffer> {
  const command = args.find((arg) => !arg.startsWith("-") && !arg.includes("=")) ?? ""
  const { timeout = longestRun, answers = [] } = options
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, {
      cwd: options.cwd,
      env: environment(options),
      stdio: ["pipe", "pipe", "pipe", ...(options.secret === undefined ? [] : ["pipe" as const])],
      timeout,
      ...(options.signal && { signal: options.signal }),
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
    // `as`: what is written to; nobody may ever read it.
    const secret = child.stdio[3] as Writable | null | undefined
    secret?.on("error", () => {})
    secret?.end(options.secret)
    child.on("error", (error) => {
      // A missing directory looks like a missing program.
      const why = existsSync(options.cwd) ? error.message : `there is no directory ${options.cwd}`
      reject(new GitError(`git ${command} failed: ${why}`))
    })
    child.on("close", (code, signal) => {
      const isAnswer = code === 0 || (code !== null && answers.includes(code))
      if (isAnswer) return resolve(Buffer.concat(output))
      if (child.killed && signal !== null) {
        const message = `git ${command} in ${options.cwd} took more than ${timeout / 1000} s.`
        return reject(new GitError(message, { timedOut: true }))
      }
      const why = signal === null ? said.trim() || `exit code ${code}` : `ended by ${signal}`
      reject(new GitError(`git ${command} failed: ${why}`))
    })
  })
}

function environment({ env, cwd, variables, guards = [] }: GitRun): NodeJS.ProcessEnv {
  // A relative directory would be one of the repository (for XDG_CONFIG_HOME the XDG specification says so, too).
  const kept = Object.fromEntries(passed.flatMap((name) => (isAbsolute(env[name] ?? "") ? [[name, env[name]]] : [])))
  const all: Record<string, string | undefined> = {
    ...kept,
    ...(env.PATH !== undefined && { PATH: absoluteDirectories(env.PATH) }),
    ...fixed,
    // The repository is the one of this directory, never one above it.
    GIT_CEILING_DIRECTORIES: dirname(cwd),
    ...configVariables([...fixedGuards, ...guards]),
    ...variables,
  }
  // Where Next's types are present, ProcessEnv demands NODE_ENV; git needs none.
  return all as NodeJS.ProcessEnv
}

/** A relative directory on the PATH would be one of the repository. */
function absoluteDirectories(path: string): string {
  return path
    .split(delimiter)
    .filter((directory) => isAbsolute(directory))
    .join(delimiter)
}
