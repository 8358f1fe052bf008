import { errorCode } from "@docket/core/error-code"

/** The engine cannot do what commands need. The message says what a person can do. */
export class EngineProblem extends Error {
  /** The HTTP status of a refusal; null when there was no answer. */
  readonly status: number | null

  constructor(message: string, { status = null, cause }: { status?: number | null; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

export function problemOfConnection(error: unknown, address: string): EngineProblem {
  const at = `The container engine at ${address}`
  const problem = (message: string) => new EngineProblem(message, { cause: error })
  switch (errorCode(error)) {
    case "ENOENT":
    case "ECONNREFUSED":
      return problem(`${at} does not run. Start it, or name another with "sandbox": { "docker": { "host": … } }.`)
    case "EACCES":
    case "EPERM":
      return problem(
        `${at} may not be used by the user that runs Docket. Let a rootless engine of that user run, and name its socket with "sandbox": { "docker": { "host": … } }.`,
      )
    case "ECONNRESET":
    case "EPIPE":
      return problem(`${at} broke the connection off. See its log, and try again.`)
    default:
      return problem(`${at} cannot be reached: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

/** What to do when no container could be made or started. */
export function problemOfStart({ message, status }: EngineProblem, image: string): EngineProblem {
  const problem = (text: string) => new EngineProblem(text, { status })
  if (status === null) return new EngineProblem(message)
  if (/no such image|image not known|unable to find/i.test(message)) {
    return problem(
      `The image ${image} is not on the container engine, and Docket fetches none. Fetch it there: docker pull ${image}`,
    )
  }
  if (/no space left|disk quota/i.test(message)) {
    return problem(`The disk of the container engine is full. Make room there: docker system prune. (${message})`)
  }
  if (/mount|bind source|no such file/i.test(message)) {
    return problem(
      `The container engine does not see the files of this machine (${message}). It has to run on the same machine as Docket, and to see the same paths.`,
    )
  }
  return problem(`The container engine refused to start a container: ${message}`)
}
