import type { SandboxState } from "../../ground/schema/index.ts"
import type { LeftBehind } from "../../ground/schema/tool-metadata.ts"

/** A program as it is started. */
export interface Launch {
  file: string
  args: string[]
  /** Absolute and real. */
  cwd: string
  env: Record<string, string>
}

/** The same program inside the sandbox. */
export interface ConfinedLaunch extends Launch {
  /** Open files that it gets as its descriptors 3, 4, and so on. */
  descriptors: number[]
  /** Closes them; call it once the program was started or could not be. */
  release(): void
  /** Undoes what it may not leave behind, and says what that was; call it once nothing of it runs any more. */
  ended(): Promise<LeftBehind[]>
}

/** What a program works in; paths are absolute and real. */
export interface SandboxPlace {
  /** The top of the project, whose caches and temporary files this place shares. */
  project: string
  /** The git top level, or the directory itself: what lies there can be changed. */
  worktree: string
  /** In it: where the session works. */
  directory: string
  /** Can be read besides: saved outputs. */
  readable: readonly string[]
  /** Can be changed besides. */
  writable: readonly string[]
  /** Neither seen nor changed, though it may lie in what can be seen. */
  hidden: readonly string[]
  /** Variables that stay although others of their kind do not. */
  variables: readonly string[]
  /** What may be left there, as `leftPattern` says it; asked for when a program has ended. */
  allowed?: (() => Promise<readonly string[]>) | undefined
  /** Hosts that may be reached, as `packages.example.com`, `*.example.org` or with a port; none leaves no network. */
  hosts: readonly string[]
}

/** Which files a program may not read. */
export interface ClosedFiles {
  /** Only what one of these matches may be closed. */
  patterns: readonly string[]
  /** Those of these files that are: named relative to the worktree, absolute where they lie elsewhere. */
  among(files: readonly string[]): Promise<readonly string[]>
}

/** Starts programs where they see and reach only what they may. */
export interface Sandbox {
  /** What the self-test found; it runs once, when it is first asked for. */
  state(): Promise<SandboxState>
  /** Why no program can be confined to a place; null when it can. */
  refusal(place: SandboxPlace): string | null
  /** @throws Error when the place cannot be made ready */
  confine(launch: Launch, place: SandboxPlace, closed?: ClosedFiles): Promise<ConfinedLaunch>
  /**
   * Puts back what a program of a project left and could not keep. `allow` stores before that it may be left.
   * @throws left_not_kept, left_changed
   */
  allowLeft(project: string, id: string, allow: (pattern: string) => Promise<void>): Promise<void>
  /** Hosts that programs in a place wanted to reach since then (epoch ms) and may not. */
  refusedHosts(place: SandboxPlace, since: number): string[]
  /** Ends what it holds open for programs. From then on it starts none and writes nothing. */
  close(): Promise<void>
}
