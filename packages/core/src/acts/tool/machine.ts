import type { FileFacts } from "../../ground/file/file-stamp.ts"
import type { Session } from "../../ground/schema/index.ts"
import type { RipgrepRequest } from "./ripgrep.ts"
import type { CommandRequest, CommandResult } from "./run-command.ts"

/** A regular file that is open for reading. */
export interface OpenFile extends AsyncDisposable {
  stat(options: { bigint: true }): Promise<FileFacts>
  /** Reads from a position, or goes on where the read before it ended when that is null. */
  read(into: Buffer, offset: number, length: number, position: number | null): Promise<{ bytesRead: number }>
  readFile(): Promise<Buffer>
}

export interface DirectoryEntry {
  name: string
  isDirectory: boolean
}

/** A file as it was written. */
export interface WrittenFile {
  /** See `versionOf`. */
  version: string
  /** Permission bits. */
  mode: number
  /** See `stampOf`. */
  stamp: string
}

/**
 * Where the tools look at files and change them: this machine, unless something else stands here, such as an editor with
 * text that is not saved. All paths are absolute and real: `resolveWorktreePath` makes them.
 */
export interface Files {
  /** What lies there, and when it changed last (epoch ms). Null for nothing. */
  look(real: string): Promise<{ kind: "file" | "directory" | "other"; changed: number } | null>
  /** @throws Error when it is no regular file or not the one that was judged; with the code ENOENT when it is missing */
  open(real: string): Promise<OpenFile>
  /** In any order. */
  entries(directory: string): Promise<DirectoryEntry[]>
  /** Whether the file is still what had this stamp. */
  hasStamp(real: string, stamp: string | null): Promise<boolean>
  /**
   * Makes the file, with its directories, or replaces it at once. `mode` is that of the file before, null for a new one;
   * `temporary` is the name of a file beside it that a write which is cut may leave.
   */
  write(real: string, content: Buffer, options: { mode: number | null; temporary: string }): Promise<WrittenFile>
}

/** Where the tools run programs: this machine, unless something else stands here. */
export interface Commands {
  /** Runs a shell command to its end. `now` gives epoch ms. See `runCommand`. */
  run(request: CommandRequest, now: () => number): Promise<CommandResult>
  /** Searches files with ripgrep. See `runRipgrep`. */
  search(request: RipgrepRequest): Promise<boolean>
}

/** Where a session's tools read, write and run programs. */
export interface Machine {
  files: Files
  commands: Commands
}

export type MachineOf = (session: Session) => Machine
