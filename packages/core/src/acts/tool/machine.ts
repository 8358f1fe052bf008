import type { FileFacts } from "../../ground/file/file-stamp.ts"
import type { RipgrepRequest } from "./ripgrep.ts"
import type { CommandRequest, CommandResult } from "./run-command.ts"

/** A regular file that is open for reading. */
export interface OpenFile extends AsyncDisposable {
  stat(options: { bigint: true }): Promise<FileFacts>
  /** Reads from a position; with null, continues where the last read ended. */
  read(into: Buffer, offset: number, length: number, position: number | null): Promise<{ bytesRead: number }>
  readFile(): Promise<Buffer>
  /** It is the text of an editor, which has changes that are not saved. */
  isUnsaved?: true
}

export interface DirectoryEntry {
  name: string
  isDirectory: boolean
}

/** Facts about a file that was just written. */
export interface WrittenFile {
  /** See `versionOf`. */
  version: string
  /** Permission bits. */
  mode: number
  /** See `stampOf`. */
  stamp: string
}

/** A file that is written, but not yet in its place. */
export interface StagedFile {
  commit(): Promise<WrittenFile>
  /** Removes it, and the directories that were made for it and are empty. Does not fail. */
  discard(): Promise<void>
}

/**
 * Where the tools read and change files: this machine, or a replacement such as an editor with unsaved text. All paths
 * are absolute and real, as `resolveWorktreePath` gives them.
 */
export interface Files {
  /** The kind of the entry at a path and its last change (epoch ms). Null when nothing exists there. */
  look(real: string): Promise<{ kind: "file" | "directory" | "other"; changed: number } | null>
  /**
   * @throws Error when it is not a regular file or not the one that was approved; with code ENOENT when it is missing
   */
  open(real: string): Promise<OpenFile>
  /** The entries of a directory, in any order. */
  entries(directory: string): Promise<DirectoryEntry[]>
  /** Whether the file still has this stamp, so it is unchanged. */
  hasStamp(real: string, stamp: string | null): Promise<boolean>
  /**
   * Creates the file with its directories, or replaces it atomically. `mode` is that of the old file, null for a new
   * one. `temporary` names the file beside it that an interrupted write may leave.
   */
  write(real: string, content: Buffer, options: { mode: number | null; temporary: string }): Promise<WrittenFile>
  /**
   * Writes the content beside the file, where `commit` renames it to the file: what can fail for want of room fails before
   * anything changes. Call one of the two functions that it resolves with.
   */
  stage(real: string, content: Buffer, options: { mode: number | null; temporary: string }): Promise<StagedFile>
  /** Removes a regular file. */
  remove(real: string): Promise<void>
}

/** Where the tools run programs: this machine, or a replacement. */
export interface Commands {
  /** Runs a shell command to its end. `now` gives epoch ms. See `runCommand`. */
  run(request: CommandRequest, now: () => number): Promise<CommandResult>
  /** Searches files with ripgrep. See `runRipgrep`. */
  search(request: RipgrepRequest): Promise<boolean>
}

/** The machine on which a session's tools read, write and run programs. */
export interface Machine {
  files: Files
  commands: Commands
}
