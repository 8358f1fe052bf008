import { spawn } from "node:child_process"

/** What a plugin may put into the template. */
type Expression = unknown

interface ShellState {
  cwd: string | undefined
  env: Record<string, string | undefined> | undefined
  isThrowing: boolean
}

/** The output of a command, as Bun's shell gives it. */
class ShellOutput {
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly exitCode: number

  constructor(stdout: Buffer, stderr: Buffer, exitCode: number) {
    this.stdout = stdout
    this.stderr = stderr
    this.exitCode = exitCode
  }

  text(encoding: BufferEncoding = "utf8"): string {
    return this.stdout.toString(encoding)
  }

  json(): unknown {
    return JSON.parse(this.text())
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.stdout)
  }

  arrayBuffer(): ArrayBuffer {
    return new Uint8Array(this.stdout).buffer
  }

  blob(): Blob {
    return new Blob([new Uint8Array(this.stdout)])
  }
}

/** A command that ended with an exit code other than zero. */
class ShellError extends Error {
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly exitCode: number

  constructor(output: ShellOutput) {
    super(`Failed with exit code ${output.exitCode}`)
    this.name = "ShellError"
    this.stdout = output.stdout
    this.stderr = output.stderr
    this.exitCode = output.exitCode
  }
}

/** A command that starts when its result is first asked for. */
class ShellPromise implements PromiseLike<ShellOutput> {
  readonly #command: string
  readonly #state: ShellState
  #running: Promise<ShellOutput> | null = null

  constructor(command: string, state: ShellState) {
    this.#command = command
    this.#state = { ...state }
  }

  cwd(cwd: string): this {
    this.#state.cwd = cwd
    return this
  }

  env(env: Record<string, string | undefined> | undefined): this {
    this.#state.env = env
    return this
  }

  quiet(): this {
    return this
  }

  nothrow(): this {
    return this.throws(false)
  }

  throws(isThrowing: boolean): this {
    this.#state.isThrowing = isThrowing
    return this
  }

  async text(encoding?: BufferEncoding): Promise<string> {
    return (await this.#output()).text(encoding)
  }

  async json(): Promise<unknown> {
    return (await this.#output()).json()
  }

  async bytes(): Promise<Uint8Array> {
    return (await this.#output()).bytes()
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.#output()).arrayBuffer()
  }

  async blob(): Promise<Blob> {
    return (await this.#output()).blob()
  }

  async *lines(): AsyncIterable<string> {
    const text = await this.text()
    yield* text.replace(/\n$/, "").split("\n")
  }

  // biome-ignore lint/suspicious/noThenProperty: Bun's shell is awaited like this
  then<A = ShellOutput, B = never>(
    onDone?: ((output: ShellOutput) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#output().then(onDone, onError)
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<ShellOutput | B> {
    return this.#output().catch(onError)
  }

  finally(onEnd?: (() => void) | null): Promise<ShellOutput> {
    return this.#output().finally(onEnd)
  }

  #output(): Promise<ShellOutput> {
    this.#running ??= run(this.#command, this.#state)
    return this.#running
  }
}

/** Bytes of each output of a command. */
const mostOutput = 64 * 1024 * 1024

function run(command: string, { cwd, env, isThrowing }: ShellState): Promise<ShellOutput> {
  const { promise, resolve, reject } = Promise.withResolvers<ShellOutput>()
  const child = spawn("sh", ["-c", command], {
    cwd,
    ...(env && { env: env as NodeJS.ProcessEnv }),
    stdio: ["ignore", "pipe", "pipe"],
  })
  const read = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  let size = 0
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (data: Buffer) => {
      size += data.length
      if (size > mostOutput) child.kill("SIGKILL")
      else read[name].push(data)
    })
  }
  child.on("error", reject)
  child.on("close", (code, signal) => {
    const output = new ShellOutput(Buffer.concat(read.stdout), Buffer.concat(read.stderr), code ?? (signal ? 137 : 1))
    if (output.exitCode !== 0 && isThrowing) reject(new ShellError(output))
    else resolve(output)
  })
  return promise
}

/** Quotes a text so that a shell reads it as one word. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function written(expression: Expression): string {
  if (Array.isArray(expression)) return expression.map(written).join(" ")
  const isRaw = typeof expression === "object" && expression !== null && "raw" in expression
  return isRaw ? String(expression.raw) : quoted(String(expression))
}

/** Expands `{a,b}` in a pattern, the outermost first. */
function braces(pattern: string): string[] {
  const found = /\{([^{}]*,[^{}]*)\}/.exec(pattern)
  if (found === null) return [pattern]
  const [whole, inner = ""] = found
  return inner.split(",").flatMap((one) => braces(pattern.replace(whole, () => one)))
}

/** A stand-in for Bun's `$`: commands run in `sh`, and what is filled in is quoted. */
export function createShell(directory: string): unknown {
  const state: ShellState = { cwd: directory, env: undefined, isThrowing: true }
  const shell = (texts: TemplateStringsArray, ...expressions: Expression[]) => {
    const command = texts.raw
      .map((text, at) => text + (at < expressions.length ? written(expressions[at]) : ""))
      .join("")
    return new ShellPromise(command, state)
  }
  return Object.assign(shell, {
    braces,
    escape: quoted,
    env(env?: ShellState["env"]) {
      state.env = env
      return shell
    },
    cwd(cwd?: string) {
      state.cwd = cwd ?? directory
      return shell
    },
    nothrow() {
      state.isThrowing = false
      return shell
    },
    throws(isThrowing: boolean) {
      state.isThrowing = isThrowing
      return shell
    },
  })
}
