import type { FormatterConfig } from "../../ground/schema/formatter-config.ts"
import type { ProgramPlace } from "./program-place.ts"

/** The project whose files are formatted. */
export interface FormatPlace extends ProgramPlace {
  settings: FormatterConfig | undefined
}

/** A text that is about to be written. */
export interface UnformattedText {
  /** Absolute and real; there may be no such file yet. */
  file: string
  /** The text that the file has now; null for a new file. */
  before: string | null
  text: string
}

/** Why a formatter left a text as it was, for the model. */
export interface FormatFault {
  formatter: string
  fault: string
  /** It holds for all texts: the formatter is not there, or may not run. */
  isLasting?: true
}

/** What became of a text; null where no formatter is used. */
export type Formatting = { formatter: string; text: string } | FormatFault | null

/** Formats texts as the project's own files say. */
export interface Formatters {
  /**
   * Formats texts of new files, and of files that were formatted before: a small change never reformats a whole file.
   * Resolves with one result for each text, in their order. Never rejects: a formatter that fails is a fault.
   */
  format(place: FormatPlace, texts: readonly UnformattedText[], signal: AbortSignal): Promise<Formatting[]>
}
