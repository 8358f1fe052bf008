/** A file or a directory in a project. */
export interface ProjectEntry {
  name: string
  /** Relative to the project's directory, with `/`. */
  path: string
  type: "file" | "directory"
  /** git ignores it. */
  ignored: boolean
}

/** The content of a file: its text, or base64 for what is no text. */
export interface ProjectContent {
  encoding: "utf8" | "base64"
  content: string
  /** Its media type, where its first bytes tell it. */
  mime: string | null
}

/** A line that a search found. */
export interface ProjectMatch {
  /** Relative to the project's directory, with `/`. */
  path: string
  /** From 1. */
  line: number
  /** A long one is cut. */
  text: string
  /** Bytes before the line in the file. */
  offset: number
  /** Where it matches: bytes from the beginning of the line. */
  places: { text: string; start: number; end: number }[]
}

/**
 * What people and programs read of a project without an agent: what every agent may read without asking, and nothing
 * outside the project, also through a link.
 */
export interface ProjectReading {
  /** What is in a directory (relative to the project's, or absolute), directories first. @throws invalid_input, forbidden */
  entries(projectID: string, directory: string): Promise<ProjectEntry[]>
  /** @throws invalid_input also for a file that is too large; forbidden */
  content(projectID: string, file: string): Promise<ProjectContent>
  /** The first lines that match a regular expression of ripgrep. @throws invalid_input */
  matches(projectID: string, pattern: string, signal: AbortSignal | null): Promise<ProjectMatch[]>
}
