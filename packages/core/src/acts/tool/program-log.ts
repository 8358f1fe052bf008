import type { KnownValue } from "../../ground/redact/index.ts"
import type { ProgramEnd } from "./start-program.ts"

/** The last lines that a program wrote or that were written of it. */
export interface ProgramLog {
  add(line: string): void
  /** Takes raw output, which may end within a line. */
  write(output: string): void
  lines(): string[]
  /** A text as people read it: without what is hidden. */
  shown(text: string): string
}

/** Lines that are kept, and characters of one. */
const most = { lines: 200, length: 1_000 } as const

/** @param hidden what nobody reads there, for whoever sees the configuration sees the log */
export function createProgramLog(hidden: readonly KnownValue[] = []): ProgramLog {
  const kept: string[] = []
  let begun = ""
  const shown = (text: string) => hidden.reduce((rest, { value, label }) => rest.replaceAll(value, `[${label}]`), text)
  const add = (text: string) => {
    const line = shown(text)
    kept.push(line.length > most.length ? `${line.slice(0, most.length)}…` : line)
    if (kept.length > most.lines) kept.shift()
  }
  return {
    add,
    write(output) {
      const lines = `${begun}${output}`.split("\n")
      begun = (lines.pop() ?? "").slice(0, most.length + 1)
      // Of a flood only the end is kept.
      for (const line of lines.slice(-most.lines)) add(line)
    },
    lines: () => [...kept, ...(begun === "" ? [] : [shown(begun)])],
    shown,
  }
}

/** Lines of what it wrote that say why it failed. */
const shownLines = 5

/** What a program wrote last, without what was written of it. */
export function lastWritten(log: ProgramLog): string[] {
  const own = log.lines().filter((line) => !line.startsWith("[Docket]"))
  return own.slice(-shownLines)
}

export function withLast(message: string, last: readonly string[]): string {
  return last.length === 0 ? message : `${message} It wrote last:\n${last.join("\n")}`
}

/** As in "It …". */
export function endWords({ exit, signal, over }: ProgramEnd): string {
  if (over !== null) return "was ended by a limit of programs"
  return signal === null ? `ended with exit code ${exit}` : `was ended by ${signal}`
}
