import type { SandboxState } from "../../ground/schema/index.ts"
import type { LeftBehind } from "../../ground/schema/tool-metadata.ts"
import type { Mount } from "./mount.ts"

/** How a program is started. */
export interface Launch {
  file: string
  args: string[]
  /** Absolute and real. */
  cwd: string
  env: Record<string, string>
}

/** The same program inside the sandbox. */
export interface ConfinedLaunch extends Launch {
  /** Open files that the program gets as descriptors 3, 4, and so on. */
  descriptors: number[]
  /**
   * What is shown to it where an executor starts it, which does so itself; otherwise it is started here by its file and
   * arguments.
   */
  shown?: readonly Mount[]
  /** Closes the descriptors; call it after the start has succeeded or failed. */
  release(): void
  /**
   * Removes what the program may not leave behind, and reports it; call it when none of its processes runs any more.
   */
  ended(): Promise<LeftBehind[]>
}

/** The directories of a program; paths are absolute and real. */
export interface SandboxPlace {
  /** The id of the project. All its places share caches and temporary files. */
  project: string
  /** The git top level, or else the directory itself: writable. */
  worktree: string
  /** The session's directory inside the worktree. */
  directory: string
  /** Readable in addition: saved outputs. */
  readable: readonly string[]
  /** Writable in addition. */
  writable: readonly string[]
  /** Writable in addition, also where the project can only be read. */
  changes?: readonly string[]
  /** Whose home and temporary files it has, instead of those of the project. */
  home?: string
  /** Neither readable nor writable, even inside a visible directory. */
  hidden: readonly string[]
  /** Variables that pass although others of their kind do not. */
  variables: readonly string[]
  /** What programs may leave behind, in the form of `leftPattern`; read when a program has ended. */
  allowed?: (() => Promise<readonly string[]>) | undefined
  /** The project can only be read: for programs that run long beside people, whose own changes must not count as theirs. */
  isReadOnly?: true
  /** It shares the network of this machine, whatever `hosts` says: for what the user configured for all projects. */
  hasOpenNetwork?: true
  /** Hosts that may be reached: `packages.example.com`, `*.example.org`, or with a port. Empty means no network. */
  hosts: readonly string[]
}

/** The files that a program may not read. */
export interface ClosedFiles {
  /** Only files that match one of these may be closed. */
  patterns: readonly string[]
  /** Directories outside the worktree in which files may be closed, too; absolute and real. */
  beside?: readonly string[]
  /** Those of the files that are closed. Names are relative to the worktree, or absolute for files elsewhere. */
  among(files: readonly string[]): Promise<readonly string[]>
}

/** Starts programs so that they can access only what they may. */
export interface Sandbox {
  /** The result of the self-test, which runs once at the first call. */
  state(): Promise<SandboxState>
  /** Why programs cannot be confined in a place; null when they can. */
  refusal(place: SandboxPlace): string | null
  /** @throws Error when the place cannot be prepared */
  confine(launch: Launch, place: SandboxPlace, closed?: ClosedFiles): Promise<ConfinedLaunch>
  /**
   * Restores a file that a program of the project left and Docket removed. First calls `allow` to store the permission.
   * @throws left_not_kept, left_changed
   */
  allowLeft(project: string, id: string, allow: (pattern: string) => Promise<void>): Promise<void>
  /** Hosts that programs in a place tried to reach since then (epoch ms) and may not. */
  refusedHosts(place: SandboxPlace, since: number): string[]
  /** Releases everything that it holds for programs. Afterwards it starts nothing and writes nothing. */
  close(): Promise<void>
}
