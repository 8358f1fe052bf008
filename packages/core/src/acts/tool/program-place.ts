import type { StartedProgram } from "./start-program.ts"

/** How to start a program of a project: a language server, a formatter. */
export interface PlaceLaunch {
  /** Absolute and real, or on the search path. */
  file: string
  args: string[]
  /** Absolute and real. */
  cwd: string
  /** Variables in addition to those of commands. */
  env: Record<string, string>
  /** Directories that the program is installed in; absolute and real. */
  readable: readonly string[]
}

/** A project in which programs read and check what agents write. */
export interface ProgramPlace {
  projectID: string
  /** Absolute and real. */
  worktree: string
  /**
   * The project's own checkout, where a task works in another one (absolute, real): packages are installed there. Null
   * where it is the worktree.
   */
  checkout: string | null
  /** Programs and settings of the project that are code run only then. */
  isTrusted: boolean
  /** PATH of the service. */
  path: string
  /** Why no program can be confined; null when programs run in the sandbox. */
  unconfined(): Promise<string | null>
  /**
   * Starts a program that can only read the project: in the sandbox without network where there is one, within the limits
   * of commands.
   */
  start(launch: PlaceLaunch): Promise<StartedProgram>
}
