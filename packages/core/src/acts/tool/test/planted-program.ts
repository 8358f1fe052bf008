import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import type { SandboxFixture } from "./sandbox-fixture.ts"

export interface PlantedProgram {
  program: string
  trace: string
  /** What the program wrote each time it ran; empty when it never ran. */
  ran(): string
}

/** Puts a program into the project that leaves a trace when it runs. */
export function plantProgram(fixture: SandboxFixture): PlantedProgram {
  const program = path.join(fixture.project, "evil")
  const trace = path.join(fixture.outside, "ran")
  writeFileSync(program, `#!/bin/sh\necho "$0" >> ${trace}\n`)
  chmodSync(program, 0o755)
  return { program, trace, ran: () => (existsSync(trace) ? readFileSync(trace, "utf8") : "") }
}

/** Runs the user's own git, outside the sandbox; returns its output, also when it fails. */
export function usersGit(directory: string, ...args: string[]): string {
  try {
    return execFileSync("git", args, { cwd: directory, stdio: ["ignore", "pipe", "pipe"] }).toString()
  } catch (error) {
    return String(error)
  }
}

/** Options for commits made by commands. */
export const author = "-c user.name=A -c user.email=a@example.org"

/** A script that creates a repository with one commit in a directory. */
export function repositoryScript(directory: string): string {
  return `git init -q ${directory} && (cd ${directory} && touch x && git add x && git ${author} commit -qm One)`
}
